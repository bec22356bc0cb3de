package program

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// abandonedAfter is the age at which a temporary directory belongs to a run that was killed:
// no run takes as long.
const abandonedAfter = 24 * time.Hour

// tempPrefix begins the names of temporary directories.
const tempPrefix = "rulecheck-git-"

// tempDir makes a directory for temporary files, and removes those that killed runs left.
func tempDir() (string, error) {
	dir, err := os.MkdirTemp("", tempPrefix)
	if err != nil {
		return "", err
	}
	made, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	parent := filepath.Dir(dir)
	entries, _ := os.ReadDir(parent) // cleaning up must not fail the run
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), tempPrefix) {
			continue
		}
		if info, err := e.Info(); err == nil && info.IsDir() && made.ModTime().Sub(info.ModTime()) > abandonedAfter {
			_ = os.RemoveAll(filepath.Join(parent, e.Name()))
		}
	}
	return dir, nil
}
