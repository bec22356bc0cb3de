package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Options are the place and the manner of an installation.
type Options struct {
	Root    string // of the working tree, which has the settings
	GitDir  string // which remembers what was inserted
	Observe bool   // decisions are recorded and have no effect
	DryRun  bool   // nothing is written
	Managed bool   // the settings are those of the machine: see [Managed]
}

// Result describes what was done, or, in a dry run, would be done.
type Result struct {
	File          string // relative to the working tree, with slashes
	Target        string // where a link leads; empty: it is not a link
	Text          string // what was done, for people
	Before, After []byte // nil: there is no file
	Notices       []string
}

// Install registers the hooks of an agent. A second call changes nothing.
func Install(d profile.Profile, o Options) (Result, error) {
	s, err := open(d, o)
	if err != nil {
		return Result{}, err
	}
	if shim := d.Settings.Shim; shim != "" {
		return s.installFile(shim)
	}
	p := &plan{Profile: d, manner: manner{observe: o.Observe, managed: o.Managed}}
	before, undone := s.record.undo(s.content)
	base, created := before, before == nil
	if created {
		base = []byte("{}\n")
	}
	doc, err := parse(d.Settings.File, base)
	if err != nil {
		return Result{}, err
	}
	if err := p.add(d.Settings.File, doc); err != nil {
		return Result{}, err
	}
	after, inserted, known := doc.result()
	r := Result{File: d.Settings.File, Target: s.target(), Before: s.content, After: after, Notices: p.notices}
	if off := turnedOff(p.Settings.Off, after); off != "" {
		r.Notices = append(r.Notices, "all hooks are turned off: "+off)
	}
	if p.Settings.Strict && !doc.root.IsStandard() {
		r.Notices = append(r.Notices, d.Title+" ignores the whole file because of its comments or trailing commas")
	}
	if r.Text = s.change(after); r.Text == already {
		return r, nil
	}
	if p.Settings.Next != "" {
		r.Notices = append(r.Notices, p.Settings.Next)
	}
	rec := record{File: d.Settings.File, Digest: digest(after), Created: created, Inserted: inserted}
	if !known || !undone && doc.has(p.Settings.Container) { // it has more entries
		rec = record{}
	}
	return r, s.write(after, rec)
}

// Uninstall removes the hooks of an agent. If the settings are as Install left them, they
// become what they were before, byte for byte.
func Uninstall(d profile.Profile, o Options) (Result, error) {
	s, err := open(d, o)
	if err != nil {
		return Result{}, err
	}
	r := Result{File: d.Settings.File, Target: s.target(), Before: s.content, After: s.content, Text: "not installed"}
	if s.content == nil {
		return r, nil
	}
	if shim := d.Settings.Shim; shim != "" {
		if firstLine(s.content) != firstLine([]byte(shim)) {
			r.Text = "not installed by rulecheck; not changed"
			return r, nil
		}
		r.After, r.Text = nil, "removed"
		return r, s.write(nil, record{})
	}
	after, undone := s.record.undo(s.content)
	if !undone {
		doc, err := parse(d.Settings.File, s.content)
		if err != nil {
			return Result{}, err
		}
		if !doc.remove(d.Settings.Container) {
			return r, nil
		}
		after, _, _ = doc.result()
		left, err := parse(d.Settings.File, after)
		if err != nil {
			return Result{}, err // which never happens: only whole items were removed
		}
		names := []string{}
		if d.Settings.Version != 0 {
			names = append(names, "version")
		}
		if left.only(names...) { // an agent takes no file for the same
			after = nil
		}
	}
	r.After, r.Text = after, "removed"
	return r, s.write(after, record{})
}

// already is the text of an installation that changes nothing.
const already = "already installed"

// settings is the file of one agent.
type settings struct {
	Options
	profile.Profile
	path    string // of the file itself, where links lead
	content []byte // nil: there is none
	record  record
}

// open reads the settings and what is known of an earlier installation.
func open(d profile.Profile, o Options) (*settings, error) {
	s := &settings{Options: o, Profile: d, path: filepath.Join(o.Root, filepath.FromSlash(d.Settings.File))}
	path, err := filepath.EvalSymlinks(s.path)
	switch {
	case err == nil:
		s.path = path
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(s.path); err == nil {
			return nil, fmt.Errorf("%s: is a link to a file that does not exist; create the file or remove the link", d.Settings.File)
		}
		return s, nil
	default:
		return nil, err
	}
	if s.content, err = regular.ReadFile(s.path); err != nil {
		return nil, err
	}
	if s.content == nil {
		s.content = []byte{} // the file exists
	}
	s.record = readRecord(o.GitDir, d.Name)
	return s, nil
}

// target returns where a link leads; empty if the file is no link.
func (s *settings) target() string {
	root, err := filepath.EvalSymlinks(s.Root)
	if err != nil || s.path == filepath.Join(root, filepath.FromSlash(s.Settings.File)) || s.content == nil {
		return ""
	}
	return s.path
}

// change names what happens to the file.
func (s *settings) change(after []byte) string {
	switch {
	case s.content == nil:
		return "created"
	case bytes.Equal(s.content, after):
		return already
	default:
		return "installed"
	}
}

// installFile writes a whole file. A file of another origin is not replaced.
func (s *settings) installFile(shim string) (Result, error) {
	if s.Observe {
		shim = strings.Replace(shim, `"hook", "`+s.Name+`"]`, `"hook", "`+s.Name+`", "--observe"]`, 1)
		shim = strings.ReplaceAll(shim, "rulecheck hook "+s.Name, "rulecheck hook "+s.Name+" --observe")
	}
	if s.content == nil { // an agent may have several files
		s.record = readRecord(s.GitDir, s.Name)
	}
	after := []byte(shim)
	r := Result{File: s.Settings.File, Target: s.target(), Before: s.content, After: after, Text: s.change(after)}
	switch {
	case r.Text == already:
		return r, nil
	case s.content != nil && firstLine(s.content) != firstLine(after):
		return Result{}, fmt.Errorf("%s: is not rulecheck's; move it away, nothing was changed", finding.Visible(s.Settings.File))
	case s.content != nil:
		r.Text = "updated"
	}
	return r, s.write(after, record{})
}

func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return string(bytes.TrimSpace(line))
}

// write replaces the file, or removes it if the content is nil, and remembers what was
// inserted.
func (s *settings) write(content []byte, rec record) error {
	if s.DryRun {
		return nil
	}
	if content == nil {
		if err := os.Remove(s.path); err != nil {
			return err
		}
		if left := s.removeDirs(); len(s.Settings.Also) > 0 {
			rec.Dirs = left // until the last file is removed
		}
		err := rec.write(s.GitDir, s.Name)
		s.forget()
		s.removeDirs() // the record was in them, if the settings are those of the machine
		return err
	}
	rec.Dirs = s.missingDirs()
	if err := os.MkdirAll(filepath.Dir(s.path), 0o755); err != nil { //nolint:gosec // as git makes directories
		return err
	}
	if err := atomicfile.Write(s.path, content); err != nil {
		return err
	}
	if s.Settings.Executable {
		if err := os.Chmod(s.path, 0o755); err != nil { //nolint:gosec // the agent runs it
			return err
		}
	}
	return rec.write(s.GitDir, s.Name)
}

// removeDirs removes the directories that Install made, and returns those in which something is.
func (s *settings) removeDirs() (left []string) {
	for _, dir := range s.record.Dirs {
		name := filepath.Join(s.Root, filepath.FromSlash(dir))
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			left = append(left, dir)
		}
	}
	return left
}

// missingDirs lists the directories of the file that do not exist yet, the innermost
// first, or those of the earlier installation.
func (s *settings) missingDirs() []string {
	if s.content != nil {
		return s.record.Dirs
	}
	var dirs []string
	for dir := filepath.Dir(filepath.FromSlash(s.Settings.File)); dir != "."; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(s.Root, dir)); errors.Is(err, fs.ErrNotExist) {
			dirs = append(dirs, filepath.ToSlash(dir))
		}
	}
	return append(dirs, s.record.Dirs...)
}
