package ifchange

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// readTargets reads what the targets in changed files are at head. The files at head are
// listed only if a target is a directory without a changed file, or not a file.
func (r *Reader) readTargets(ctx context.Context, changed []string) error {
	labels := map[string]bool{} // of the targets to read, whether one has a label
	for _, name := range changed {
		v := r.atHead(name)
		if v == nil {
			continue
		}
		for _, b := range v.now.Blocks {
			for _, t := range b.Targets {
				if r.atHead(t.Path) == nil {
					labels[t.Path] = labels[t.Path] || t.Label != ""
				}
			}
		}
	}
	return r.readUnchanged(ctx, labels)
}

// readUnchanged establishes which paths are at head, and reads them if one is marked whose
// labels are not known yet.
func (r *Reader) readUnchanged(ctx context.Context, paths map[string]bool) error {
	var asked []string
	read := false
	for name, marked := range paths {
		there, known := r.present[name]
		_, held := r.others[name]
		switch {
		case strings.HasSuffix(name, "/"):
			if !known && r.changedBelow(name) {
				r.present[name] = true
			}
		case !known, there && marked && !held:
			asked = append(asked, name)
			read = read || marked
		}
	}
	slices.Sort(asked)
	long, err := r.ask(ctx, asked, read)
	if err != nil {
		return err
	}
	for _, name := range long {
		if paths[name] {
			return fmt.Errorf("%s has more than %d MiB, so its labels are not known; name it without a label", name, longest>>20)
		}
	}
	for name := range paths {
		if _, known := r.present[name]; known {
			continue
		}
		if err := r.listFiles(ctx); err != nil {
			return err
		}
		r.present[name] = r.isListed(name)
	}
	return nil
}

// ask finds out which names are files at head, and reads them if asked to. It returns the
// texts that are too long to be read.
func (r *Reader) ask(ctx context.Context, names []string, read bool) (long []string, err error) {
	if read {
		return r.readOthers(ctx, names)
	}
	contents, err := r.source.Contents(ctx, r.set.Head, names, 0)
	for name := range contents {
		r.present[name] = true
	}
	return nil, err
}

// changedBelow reports whether the change has a file of a directory at head.
func (r *Reader) changedBelow(dir string) bool {
	for name, v := range r.changed {
		if v.Status != diff.Deleted && strings.HasPrefix(name, dir) {
			return true
		}
	}
	return false
}

func (r *Reader) listFiles(ctx context.Context) (err error) {
	if r.files == nil {
		r.files, err = r.source.Files(ctx, r.set.Head)
	}
	return err
}

// isListed reports whether a path is listed at head, or with a slash at its end a file below it.
func (r *Reader) isListed(name string) bool {
	i, found := slices.BinarySearch(r.files, name)
	return found || strings.HasSuffix(name, "/") && i < len(r.files) && strings.HasPrefix(r.files[i], name)
}

// targetFact returns what is known about a target that was read.
func (r *Reader) targetFact(t Target, moved moves) TargetFact {
	v := r.atHead(t.Path)
	fact := TargetFact{Name: t.Path, Path: t.Path, Line: t.Line, Label: t.Label, Exists: v != nil || r.present[t.Path], Found: t.Label == "", At: 1}
	switch {
	case t.Label != "":
		fact.Name += ":" + t.Label
		d := r.others[t.Path]
		if v != nil {
			d = v.now
		}
		if i := labelled(d, t.Label); i >= 0 {
			fact.Found, fact.At = true, d.Blocks[i].Line
			fact.Changed = v != nil && moved.differs(v, i)
		}
	case strings.HasSuffix(t.Path, "/"):
		for name, below := range r.changed {
			fact.Changed = fact.Changed || below.differs && strings.HasPrefix(name, t.Path)
		}
	default:
		fact.Changed = v != nil && v.differs
	}
	return fact
}
