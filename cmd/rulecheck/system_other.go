//go:build !linux

package main

// memoryDir returns "": temporary files have no better place than the usual one.
func memoryDir() string { return "" }

// outputClosed reports whether standard output was closed when the program started,
// which cannot be found out here.
func outputClosed() bool { return false }
