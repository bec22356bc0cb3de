// Package atomicfile replaces files in one step, so that readers see the old or the
// new content, and locks files, so that writers wait for each other.
package atomicfile

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Write replaces the content of a file, or creates it.
func Write(file string, content []byte) error {
	return WriteTo(file, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// WriteTo is Write for content that is too large for memory. If write fails, the file is as it
// was before. renameio, which does so elsewhere, does not compile on Windows.
func WriteTo(file string, write func(w io.Writer) error) error {
	unfinished, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	b := bufio.NewWriter(unfinished)
	if err = write(b); err == nil {
		err = b.Flush()
	}
	if err := errors.Join(err, unfinished.Sync(), unfinished.Close()); err != nil {
		return errors.Join(err, os.Remove(unfinished.Name()))
	}
	return os.Rename(unfinished.Name(), file)
}

// WritePrivate is Write: a temporary file already belongs to its owner alone.
func WritePrivate(file string, content []byte) error { return Write(file, content) }
