//go:build !windows

// Package atomicfile replaces files in one step, so that readers see the old or the
// new content, and locks files, so that writers wait for each other.
package atomicfile

import "github.com/google/renameio/v2"

// Write replaces the content of a file, or creates it with mode 0644 before umask.
func Write(file string, content []byte) error { return renameio.WriteFile(file, content, 0o644) }

// WritePrivate is Write for a file that only its owner may access.
func WritePrivate(file string, content []byte) error { return renameio.WriteFile(file, content, 0o600) }
