package propose

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// Write writes proposed rules into a directory below a root, each whole or not at all, and
// returns the paths it wrote. A file that exists is not replaced.
func Write(root *os.Root, dir string, rules []Rule) (written []string, err error) {
	if err := root.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, r := range rules {
		name := path.Join(dir, r.ID+".md")
		if _, err := root.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			if err == nil {
				err = fmt.Errorf("%s exists; remove it, or rename it", name)
			}
			return written, err
		}
		unfinished := path.Join(dir, "."+r.ID+".new")
		if err := root.WriteFile(unfinished, []byte(r.Text), 0o644); err != nil {
			return written, err
		}
		if err := root.Rename(unfinished, name); err != nil {
			return written, errors.Join(err, root.Remove(unfinished))
		}
		written = append(written, name)
	}
	return written, nil
}
