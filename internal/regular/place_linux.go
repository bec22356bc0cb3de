package regular

import (
	"os"
	"path/filepath"
	"strconv"
)

// placeOf returns the path of an open file without symlinks, from the kernel if it can say.
func placeOf(f *os.File, name string) (string, error) {
	if place, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(int(f.Fd()))); err == nil && filepath.IsAbs(place) {
		return place, nil
	}
	return filepath.EvalSymlinks(name)
}
