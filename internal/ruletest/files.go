package ruletest

import (
	"os"
	"path"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
)

// File is a file to write, by its path in the repository.
type File struct{ Path, Content string }

// CreateAll writes files, each whole or not at all, and returns the paths of those it wrote.
func CreateAll(root *os.Root, files []File) (written []string, err error) {
	for _, f := range files {
		if err := root.MkdirAll(path.Dir(f.Path), 0o755); err != nil {
			return written, err
		}
		unfinished := atomicfile.Unfinished(f.Path)
		if err := root.WriteFile(unfinished, []byte(f.Content), 0o644); err != nil {
			return written, err
		}
		if err := root.Rename(unfinished, f.Path); err != nil {
			return written, err
		}
		written = append(written, f.Path)
	}
	return written, nil
}
