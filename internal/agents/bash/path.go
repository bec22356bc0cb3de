package bash

import (
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// change describes what happens to a written file.
type change struct {
	deletes, recursive bool
	whole              bool // everything below it is written too
	single             bool // the file alone, even though it is found in a tree
	unsure             bool // it may be written, or not
}

// rewriters are the programs that give a file a content that is not in the line, so
// that running it is not running a script of the repository.
var rewriters = []string{"curl", "wget", "aria2c", "axel", "http", "https", "xh", "scp", "rsync", "sed", "gsed", "perl", "ruby", "ed", "ex", "vi", "vim", "nvim", "patch", "dd", "openssl", "gpg", "sponge", "git apply"}

// write adds a file that a command writes.
func (r *reader) write(st *state, by, name string, c change) {
	if name == "" {
		return
	}
	abs := string(unknownWord)
	if !isOpen(name) {
		abs = r.abs(st, name)
		if strings.HasPrefix(abs, "/dev/") && !strings.HasPrefix(abs, "/dev/shm/") || strings.HasPrefix(abs, "/proc/") {
			return
		}
		if (c.deletes || by == "ln") && !strings.HasSuffix(name, "/") {
			abs = r.entry(st, name)
		}
	}
	if c.deletes && !c.recursive && strings.ContainsRune(abs, anyDepth) { // all that is found below
		c.recursive, c.single = true, true
	}
	w := fact.ShellWrite{
		Path: show(r.relative(abs)), Place: r.place(abs, st.guess), By: by, Deletes: c.deletes, Recursive: c.recursive,
		Absolute: abs, Unsure: c.unsure, Whole: c.whole || c.recursive && !c.single,
	}
	if name != "" && strings.HasSuffix(name, "/") && c == (change{}) {
		w.Whole = false
	}
	if w.Place == fact.PlaceUnknown {
		r.opaque(fact.OpaquePath, by+" writes a file whose name is not in the line", name)
	}
	if slices.Contains(rewriters, by) && !c.deletes {
		r.files[abs] = &input{}
	}
	key := "write\x00" + w.Absolute + "\x00" + w.By + "\x00" + strings.Join([]string{yes(w.Deletes), yes(w.Recursive), yes(w.Whole)}, "")
	if r.seen[key] || len(r.out.Writes) >= 5000 {
		return
	}
	r.seen[key] = true
	r.out.Writes = append(r.out.Writes, w)
	if !c.deletes && r.Shared != nil && !hasMark(abs) && r.Shared(abs) { // it may be any file of the repository
		r.below(st, by, r.Root)
	}
	if from := r.moved[abs]; from != "" && c.recursive {
		r.write(st, by, from, c)
	}
}

// entry returns the path of a directory's entry itself, which may be a link.
func (r *reader) entry(st *state, name string) string {
	dir, last := path.Split(name)
	if last == "" || last == "." || last == ".." {
		return r.abs(st, name)
	}
	return lexical(r.abs(st, cmpOr(dir, ".")) + "/" + last)
}

func yes(b bool) string {
	if b {
		return "y"
	}
	return "n"
}

// relative returns a path relative to the root of the repository, if it is in it.
func (r *reader) relative(abs string) string {
	if rest, ok := strings.CutPrefix(abs, strings.TrimSuffix(r.Root, "/")+"/"); ok {
		return rest
	}
	if abs == r.Root {
		return "."
	}
	return abs
}

// place returns where a path is. A pattern is at the worst place that it may match.
func (r *reader) place(abs string, guess bool) string {
	if isOpen(abs) {
		return fact.PlaceUnknown
	}
	if !hasMark(abs) {
		return r.placeOf(abs)
	}
	worst := fact.PlaceInside
	fixed := abs[:strings.IndexFunc(abs, isMark)]
	above := path.Dir(fixed + "x")
	switch {
	case above == path.Clean(r.Root) && !guess && strings.Trim(abs[len(above):], "/") == string(anyRun):
		return fact.PlaceRoot // every entry of the root
	case overlaps(segmentsOf(abs), segmentsOf(r.gitDir())):
		return fact.PlaceGit
	case overlaps(segmentsOf(abs), segmentsOf(r.Root)):
		return fact.PlaceRoot
	case isUnknown(abs):
		return fact.PlaceUnknown
	case r.relative(above) == above && above != path.Clean(r.Root):
		return fact.PlaceOutside
	}
	return worst
}

func (r *reader) gitDir() string { return path.Join(r.Root, ".git") }

func (r *reader) placeOf(abs string) string {
	root, git := path.Clean(r.Root), r.gitDir()
	switch {
	case abs == git || strings.HasPrefix(abs, git+"/"):
		return fact.PlaceGit
	case abs == root || abs == "/" || strings.HasPrefix(root, abs+"/"):
		return fact.PlaceRoot
	case strings.HasPrefix(abs, root+"/"):
		return fact.PlaceInside
	default:
		return fact.PlaceOutside
	}
}
