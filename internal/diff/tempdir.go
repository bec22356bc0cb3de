package diff

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// abandoned is after how long a directory of ours is one of a run that was killed:
// no run takes as long.
const abandoned = 24 * time.Hour

// tempPrefix begins the names of our directories for temporary files.
const tempPrefix = "rulecheck-git-"

// tempDir makes a directory for temporary files, and takes away those that killed
// runs have left beside it.
func tempDir() (string, error) {
	dir, err := os.MkdirTemp("", tempPrefix)
	if err != nil {
		return "", err
	}
	made, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	beside := filepath.Dir(dir)
	entries, _ := os.ReadDir(beside) // of no consequence to the answer, as what follows
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), tempPrefix) {
			continue
		}
		if info, err := e.Info(); err == nil && info.IsDir() && made.ModTime().Sub(info.ModTime()) > abandoned {
			_ = os.RemoveAll(filepath.Join(beside, e.Name()))
		}
	}
	return dir, nil
}
