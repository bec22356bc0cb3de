//go:build !linux

package regular

import (
	"os"
	"path/filepath"
)

// placeOf returns the path of a file without symlinks.
func placeOf(_ *os.File, name string) (string, error) { return filepath.EvalSymlinks(name) }
