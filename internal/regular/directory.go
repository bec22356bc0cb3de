package regular

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Directories returns an error for the first of paths that exists and is not a directory: a
// symlink would lead what is written below it elsewhere.
func Directories(paths ...string) error {
	for _, path := range paths {
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case info.Mode()&fs.ModeSymlink != 0:
			return fmt.Errorf("%s is a symlink; want a directory: remove it", path)
		case !info.IsDir():
			return fmt.Errorf("%s is not a directory; want one: move it away", path)
		}
	}
	return nil
}
