// Package atomicfile replaces files in one step, so that readers see the old or the
// new content, and locks files, so that writers wait for each other.
package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
)

// Write replaces the content of a file, or creates it. renameio, which does so
// elsewhere, does not compile on Windows.
func Write(file string, content []byte) error {
	unfinished, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	_, err = unfinished.Write(content)
	if err := errors.Join(err, unfinished.Sync(), unfinished.Close()); err != nil {
		return errors.Join(err, os.Remove(unfinished.Name()))
	}
	return os.Rename(unfinished.Name(), file)
}

// WritePrivate is Write: a temporary file already belongs to its owner alone.
func WritePrivate(file string, content []byte) error { return Write(file, content) }
