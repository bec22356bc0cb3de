package propose

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// Write writes proposed rules into a directory below a root, each whole or not at all, and
// returns the paths it wrote. A file that exists is not replaced. What a killed process left
// unfinished is removed.
func Write(root *os.Root, dir string, rules []Proposed) (written []string, err error) {
	if err := sweep(root, dir); err != nil || len(rules) == 0 {
		return nil, err
	}
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
		unfinished := atomicfile.Unfinished(name)
		if err := root.WriteFile(unfinished, []byte(r.Text), 0o644); err != nil {
			return written, errors.Join(err, root.Remove(unfinished))
		}
		if err := root.Rename(unfinished, name); err != nil {
			return written, errors.Join(err, root.Remove(unfinished))
		}
		written = append(written, name)
	}
	return written, nil
}

var unfinishedName = lazyregexp.New(`^\.[a-z0-9-]+\.new$`)

// begun is how each unfinished rule begins.
const begun = "---\n# "

// sweep removes the rules of a directory that a killed process did not finish.
func sweep(root *os.Root, dir string) error {
	entries, err := fs.ReadDir(root.FS(), dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !unfinishedName().MatchString(e.Name()) {
			continue
		}
		name := path.Join(dir, e.Name())
		ours, failed := beginsRule(root, name)
		if ours {
			failed = root.Remove(name)
		}
		err = errors.Join(err, failed)
	}
	return err
}

// beginsRule reports whether a file is empty or begins as the rules that are written do.
func beginsRule(root *os.Root, name string) (bool, error) {
	file, err := root.Open(name)
	if err != nil {
		return false, err
	}
	defer file.Close()
	head := make([]byte, len(begun))
	n, _ := file.Read(head)
	return strings.HasPrefix(begun, string(head[:n])), nil
}
