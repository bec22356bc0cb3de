//go:build !windows

// Package atomicfile replaces files in one step, so that readers see the old or the
// new content, and locks files, so that writers wait for each other.
package atomicfile

import (
	"bufio"
	"io"

	"github.com/google/renameio/v2"
)

// Write replaces the content of a file, or creates it with mode 0644 before umask.
func Write(file string, content []byte) error { return renameio.WriteFile(file, content, 0o644) }

// WritePrivate is Write for a file that only its owner may access.
func WritePrivate(file string, content []byte) error { return renameio.WriteFile(file, content, 0o600) }

// WriteTo is Write for content that is too large for memory. If write fails, the file is as it
// was before.
func WriteTo(file string, write func(w io.Writer) error) error {
	unfinished, err := renameio.NewPendingFile(file, renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	defer unfinished.Cleanup() //nolint:errcheck // it does nothing after a success
	b := bufio.NewWriter(unfinished)
	if err := write(b); err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return unfinished.CloseAtomicallyReplace()
}
