package commands

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// findProgram returns the file of a program: that of the copy if its name has a slash,
// which local describes, else in the directories of PATH. Relative directories in PATH
// are skipped, because their meaning depends on the current directory.
func findProgram(name string, local func(string) (file string, info fs.FileInfo, err error), path string) (string, error) {
	if strings.ContainsRune(name, '/') || filepath.Base(name) != name {
		file, info, err := local(name)
		return file, executable(name, info, err)
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		for _, suffix := range suffixes {
			if file := filepath.Join(dir, name+suffix); runnable(file) == nil {
				return file, nil
			}
		}
	}
	return "", fmt.Errorf("cannot start: program %q not found in PATH; install it, or give its path, as in ./scripts/%s", name, name)
}

// suffixes are the file suffixes of programs.
var suffixes = map[bool][]string{false: {""}, true: {".exe", ".bat", ".cmd", ""}}[runtime.GOOS == "windows"]

func runnable(file string) error {
	info, err := os.Stat(file)
	return executable(file, info, err)
}

// executable returns an error unless a file, as it was looked up, is a program.
func executable(file string, info fs.FileInfo, err error) error {
	switch {
	case err != nil:
		return fmt.Errorf("cannot start: program %q not found; install it, or correct the name", filepath.Base(file))
	case info.IsDir():
		return fmt.Errorf("cannot start: %q is a directory; want a program", filepath.Base(file))
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0:
		return fmt.Errorf("cannot start: %q is not executable; run chmod +x and git update-index --chmod=+x on it", filepath.Base(file))
	}
	return nil
}
