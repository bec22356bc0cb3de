//go:build !linux

package main

// memoryDir returns "": only Linux has a known directory in memory.
func memoryDir() string { return "" }
