package githook

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Done is what became of one hook.
type Done struct {
	Hook string
	File string
	What string // for people: "installed", …
}

// Install makes git run the program at this path before commits and on their
// messages. A hook that is there goes on running first; one that runs rulecheck by
// itself is left alone. Doing it again changes nothing but the program's path.
// Each file is at every instant as it was or as it will be.
func (d *Dir) Install(program string) ([]Done, error) {
	states, err := d.States()
	if err != nil {
		return nil, err
	}
	for _, s := range states {
		if _, err := os.Lstat(d.former(s.Hook)); err == nil && s.Runs == Another {
			return nil, fmt.Errorf("%s took the place of rulecheck's hook, which kept %s; take one of the two away", s.File, d.former(s.Hook))
		}
	}
	if err := os.MkdirAll(d.path, 0o755); err != nil { //nolint:gosec // as git makes it
		return nil, err
	}
	var done []Done
	for _, s := range states {
		what, err := d.install(s, script(s.Hook, filepath.ToSlash(program)))
		if err != nil {
			return done, err
		}
		done = append(done, Done{Hook: s.Hook, File: s.File, What: what})
	}
	return done, nil
}

func (d *Dir) install(s State, text []byte) (what string, err error) {
	switch s.Runs {
	case Itself, Framework:
		return "runs rulecheck already; left as it is", nil
	case Ours:
		if what = "updated"; bytes.Equal(s.text, text) && s.executable {
			return "installed already", nil
		}
	case Another:
		what = "installed; the hook that was there runs first, as " + filepath.Base(d.former(s.Hook))
		if err := keep(s.File, d.former(s.Hook)); err != nil {
			return "", err
		}
	case Nothing:
		what = "installed"
	}
	return what, replace(s.File, text)
}

// keep gives a file another name. Where the file system can, it has both until
// the first is replaced, so that git finds a hook at every instant.
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

// replace writes a program whole or not at all.
func replace(file string, text []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(file), ".rulecheck-*")
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	err = errors.Join(err, temp.Sync(), temp.Close())
	if err == nil {
		err = os.Chmod(temp.Name(), 0o755) //nolint:gosec // git runs it only so
	}
	if err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}

// Uninstall takes away what Install wrote; a hook that was there before is again
// what it was. What is not rulecheck's is left.
func (d *Dir) Uninstall() ([]Done, error) {
	states, err := d.States()
	if err != nil {
		return nil, err
	}
	var done []Done
	for _, s := range states {
		what, err := d.uninstall(s)
		if err != nil {
			return done, err
		}
		done = append(done, Done{Hook: s.Hook, File: s.File, What: what})
	}
	return done, nil
}

func (d *Dir) uninstall(s State) (string, error) {
	former := d.former(s.Hook)
	_, err := os.Lstat(former)
	switch {
	case s.Runs != Ours && s.Runs != Nothing:
		return "not rulecheck's; left as it is", nil
	case err == nil: // beside ours, or what is left where somebody took ours away
		return "the hook that was there before is back", os.Rename(former, s.File)
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	case s.Runs == Nothing:
		return "not installed", nil
	default:
		return "taken away", os.Remove(s.File)
	}
}
