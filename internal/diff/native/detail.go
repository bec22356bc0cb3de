package native

import (
	"context"
	"slices"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// Before returns the source of the files at base.
func (e source) Before(diff.Base) read.Source { return e }

// Sizes returns the length of objects in bytes.
func (e source) Sizes(_ context.Context, names []string) (map[string]int64, error) {
	sizes := make(map[string]int64, len(names))
	for _, name := range names {
		b, err := e.objects.Blob(gitfile.ParseID(name))
		if err != nil {
			return nil, err
		}
		sizes[name] = int64(len(b))
	}
	return sizes, nil
}

// LFSFiles returns none: a working tree with filters is refused.
func (e source) LFSFiles(context.Context, []string) (map[string]bool, error) { return nil, nil }

// Edits returns the edits that are the only possible ones, and so git's: of a file that was
// added, deleted or changed its type, and of one that changed in a single place.
func (e source) Edits(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change) (map[string]diff.Edit, error) {
	var before, after []string
	for i := range list {
		c := &list[i]
		if c.Status != diff.Added {
			before = append(before, c.Names()[0])
		}
		if c.Status != diff.Deleted && c.Kind != diff.Submodule {
			after = append(after, c.Path)
		}
	}
	now, err := read.Contents(ctx, e, head, after, -1)
	if err != nil {
		return nil, err
	}
	old, err := read.Contents(ctx, e, diff.Head{Kind: diff.Commit, Commit: base.Commit}, before, -1)
	if err != nil {
		return nil, err
	}
	edits := make(map[string]diff.Edit, len(list))
	for _, c := range list {
		was, is := diff.NumberedLines(old[c.Names()[0]]), diff.NumberedLines(now[c.Path])
		switch {
		case c.Kind == diff.Submodule:
			continue
		case c.Status == diff.Added:
			edits[c.Path] = diff.Edit{Added: is}
			continue
		case c.Status == diff.Modified || c.Status == diff.Renamed:
			before, after := rows(old[c.Names()[0]]), rows(now[c.Path])
			removed, added, only := onePlace(before, after)
			if !only {
				return nil, diff.NeedsGit("the comparison of the lines of " + strconv.Quote(c.Path))
			}
			was, is = was[removed[0]:removed[1]], is[added[0]:added[1]]
		}
		edits[c.Path] = diff.Edit{Added: is, Removed: was}
	}
	return edits, nil
}

// onePlace returns the range in which a and b differ. only reports whether it is the only
// possible one: git keeps the common start and end, and moves a run of changed lines only along
// repeated lines.
func onePlace(a, b []string) (inA, inB [2]int, only bool) {
	start, end := 0, 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	inA, inB = [2]int{start, len(a) - end}, [2]int{start, len(b) - end}
	for _, line := range a[inA[0]:inA[1]] {
		if slices.Contains(b[inB[0]:inB[1]], line) {
			return inA, inB, false
		}
	}
	return inA, inB, !slides(a, inA) && !slides(b, inB)
}

// slides reports whether a run of lines could also begin elsewhere.
func slides(lines []string, run [2]int) bool {
	from, to := run[0], run[1]
	if from == to {
		return false
	}
	return from > 0 && lines[from-1] == lines[to-1] || to < len(lines) && lines[from] == lines[to]
}
