package main

import (
	"errors"
	"os"
	"path/filepath"
)

// replaceFile replaces a file atomically. renameio, which does so elsewhere, does not
// compile on Windows.
func replaceFile(file string, content []byte) error {
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
