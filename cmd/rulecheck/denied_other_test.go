//go:build !linux

package main

func deniedCommand() {}

// namespaces reports whether this system allows them.
func namespaces() (bool, error) { return false, nil }
