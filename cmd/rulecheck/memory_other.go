//go:build !linux

package main

// memoryDir is a directory for temporary files in memory, which only Linux has
// where it can be found.
func memoryDir() string { return "" }
