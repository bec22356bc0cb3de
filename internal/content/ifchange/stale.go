package ifchange

import (
	"context"
	"path"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// chunk is the number of files that are read at a time.
const chunk = 2000

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
func (r *Reader) stale(ctx context.Context, covers func(name string) bool) ([]File, error) {
	gone := r.removals()
	if len(gone.paths)+len(gone.labels) == 0 {
		return nil, nil
	}
	if err := r.listFiles(ctx); err != nil {
		return nil, err
	}
	unchanged := slices.DeleteFunc(slices.Clone(r.files), func(name string) bool { return r.changed[name] != nil || !covers(name) })
	var found []File
	for names := range slices.Chunk(unchanged, chunk) {
		with, err := r.readOthers(ctx, names)
		if err != nil {
			return nil, err
		}
		for _, name := range with {
			if f := r.staleIn(name, gone); len(f.Blocks) > 0 {
				found = append(found, f)
			}
		}
	}
	return found, nil
}

// staleIn returns the blocks of a file with the targets that the change removed.
func (r *Reader) staleIn(name string, gone removed) File {
	f := File{Path: name, Problems: []Problem{}}
	for _, b := range r.others[name].Blocks {
		fact := BlockFact{Line: b.Line, Label: b.Label}
		for _, t := range b.Targets {
			if (gone.paths[t.Path] || gone.labels[Target{Path: t.Path, Label: t.Label}]) && !r.holds(t) {
				fact.Targets = append(fact.Targets, r.targetFact(t))
			}
		}
		if len(fact.Targets) > 0 {
			f.Blocks = append(f.Blocks, fact)
		}
	}
	return f
}

// holds reports whether a target is at head, as when another file took the name.
func (r *Reader) holds(t Target) bool {
	fact := r.targetFact(t)
	return fact.Exists && fact.Found
}
