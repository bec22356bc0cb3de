package githook

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Change reports how one hook was changed.
type Change struct {
	Hook string
	File string
	Text string // for people: "installed", …
}

// Install makes git run the program at a path before commits and on their messages.
// An existing hook is run first; one that already runs rulecheck is not changed. A
// second call only updates the path of the program. Each file is replaced
// atomically.
func (d *Dir) Install(program string) ([]Change, error) {
	states, err := d.States()
	if err != nil {
		return nil, err
	}
	for _, s := range states {
		if _, err := os.Lstat(d.former(s.Hook)); err == nil && s.Kind == Other {
			return nil, fmt.Errorf("%s replaced rulecheck's hook, which had kept %s; remove one of the two", s.File, d.former(s.Hook))
		}
	}
	if err := os.MkdirAll(d.path, 0o755); err != nil { //nolint:gosec // as git makes it
		return nil, err
	}
	var done []Change
	for _, s := range states {
		text, err := d.install(s, script(s.Hook, filepath.ToSlash(program)))
		if err != nil {
			return done, err
		}
		done = append(done, Change{Hook: s.Hook, File: s.File, Text: text})
	}
	return done, nil
}

func (d *Dir) install(s State, script []byte) (text string, err error) {
	switch s.Kind {
	case Script, Framework:
		return "already runs rulecheck; not changed", nil
	case Installed:
		if text = "updated"; bytes.Equal(s.text, script) && s.executable {
			return "already installed", nil
		}
	case Other:
		text = "installed; the existing hook runs first, as " + filepath.Base(d.former(s.Hook))
		if err := keep(s.File, d.former(s.Hook)); err != nil {
			return "", err
		}
	case None:
		text = "installed"
	}
	return text, replace(s.File, script)
}

// keep renames a file. If possible it is a hard link, so that git finds a hook at
// any time until the first name is replaced.
func keep(file, name string) error {
	info, err := os.Lstat(file)
	if err != nil {
		return err
	}
	if info.Mode().IsRegular() {
		err := os.Link(file, name)
		if err == nil || errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return os.Rename(file, name)
}

// replace writes an executable file atomically.
func replace(file string, text []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(file), ".rulecheck-*")
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	err = errors.Join(err, temp.Sync(), temp.Close())
	if err == nil {
		err = os.Chmod(temp.Name(), 0o755) //nolint:gosec // git only runs executable hooks
	}
	if err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}

// Uninstall removes the hooks that Install wrote and restores the hooks they
// replaced. Other hooks are not changed.
func (d *Dir) Uninstall() ([]Change, error) {
	states, err := d.States()
	if err != nil {
		return nil, err
	}
	var done []Change
	for _, s := range states {
		text, err := d.uninstall(s)
		if err != nil {
			return done, err
		}
		done = append(done, Change{Hook: s.Hook, File: s.File, Text: text})
	}
	_ = os.Remove(d.path) // Install may have made it; it stays while something is in it
	return done, nil
}

func (d *Dir) uninstall(s State) (string, error) {
	former := d.former(s.Hook)
	_, err := os.Lstat(former)
	switch {
	case s.Kind != Installed && s.Kind != None:
		return "not installed by rulecheck; not changed", nil
	case err == nil: // also if rulecheck's hook was removed by hand
		return "the former hook was restored", os.Rename(former, s.File)
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	case s.Kind == None:
		return "not installed", nil
	default:
		return "removed", os.Remove(s.File)
	}
}
