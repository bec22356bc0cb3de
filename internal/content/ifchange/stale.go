package ifchange

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// removed holds what the change removed.
type removed struct {
	paths  map[string]bool // of files and, with a slash at the end, the directories above them
	labels map[Target]bool // of files that still exist
}

// removals returns the files and the labels of blocks that base has and head does not.
func (r *Reader) removals() removed {
	gone := removed{map[string]bool{}, map[Target]bool{}}
	for _, v := range r.changed {
		old := v.Names()[0]
		switch {
		case v.Status == diff.Added:
		case v.Gone(old) && r.atHead(old) == nil:
			gone.paths[old] = true
			for dir := path.Dir(old); dir != "."; dir = path.Dir(dir) {
				gone.paths[dir+"/"] = true
			}
		default:
			for _, b := range v.before.Blocks {
				if b.Label != "" && labelled(v.now, b.Label) < 0 {
					gone.labels[Target{Path: v.Path, Label: b.Label}] = true
				}
			}
		}
	}
	return gone
}

// stale returns the files that did not change and have targets that the change removed, of
// those that the rule covers.
func (r *Reader) stale(ctx context.Context, about Scope) ([]File, error) {
	if len(r.gone.paths)+len(r.gone.labels) == 0 {
		return nil, nil
	}
	names, err := r.withTargets(ctx, about.Below)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return r.changed[name] != nil || !about.Covers(name) })
	long, err := r.readOthers(ctx, slices.DeleteFunc(slices.Clone(names), func(name string) bool { _, read := r.others[name]; return read }))
	if err != nil {
		return nil, err
	}
	if len(long) > 0 {
		return nil, fmt.Errorf("%s has more than %d MiB, so whether it names what the change removed is not known; leave it out with the key \"exclude\"", long[0], longest>>20)
	}
	var found []File
	for _, name := range names {
		f, err := r.staleIn(ctx, name)
		if err != nil {
			return nil, err
		}
		if len(f.Blocks) > 0 {
			found = append(found, f)
		}
	}
	return found, nil
}

// withTargets lists the files below paths that may have targets.
func (r *Reader) withTargets(ctx context.Context, below []string) ([]string, error) {
	place := strings.Join(below, "\x00")
	if hits, searched := r.hits[place]; searched {
		return hits, nil
	}
	hits, err := r.source.Search(ctx, r.set.Head, thenWord, below)
	r.hits[place] = hits
	return hits, err
}

// staleIn returns the blocks of a file with the targets that the change removed.
func (r *Reader) staleIn(ctx context.Context, name string) (File, error) {
	f := File{Path: name, Problems: []Problem{}}
	for _, b := range r.others[name].Blocks {
		fact := BlockFact{Line: b.Line, Label: b.Label}
		for _, t := range b.Targets {
			if !r.gone.paths[t.Path] && !r.gone.labels[Target{Path: t.Path, Label: t.Label}] {
				continue
			}
			if r.atHead(t.Path) == nil {
				if err := r.readUnchanged(ctx, map[string]bool{t.Path: false}); err != nil {
					return f, err
				}
			}
			if is := r.targetFact(t, moves{}); !is.Exists || !is.Found { // another file may have taken the name
				fact.Targets = append(fact.Targets, is)
			}
		}
		if len(fact.Targets) > 0 {
			f.Blocks = append(f.Blocks, fact)
		}
	}
	return f, nil
}
