//go:build !windows

package main

import "github.com/google/renameio/v2"

// replaceFile replaces a file atomically.
func replaceFile(file string, content []byte) error {
	return renameio.WriteFile(file, content, 0o644)
}
