package diff

import (
	"context"
	"slices"
	"strconv"
)

// Details are, by path, the parts asked for of each of the changes, as of
// Program.Details.
func (e *embedded) Details(ctx context.Context, base Base, head Head, list []Change, parts []Part) (map[string]*Detail, error) {
	return details(ctx, e, base, head, list, parts)
}

func (e *embedded) before(Base) shelf { return e }

func (e *embedded) sizes(_ context.Context, names []string) (map[string]int64, error) {
	sizes := make(map[string]int64, len(names))
	for _, name := range names {
		b, err := e.objects.blob(parseID(name))
		if err != nil {
			return nil, err
		}
		sizes[name] = int64(len(b))
	}
	return sizes, nil
}

// lfsFiles are none: a working tree with filters is refused.
func (e *embedded) lfsFiles(context.Context, []string) (map[string]bool, error) { return nil, nil }

// edits are those of git, where there can be no other: of a file that is new,
// gone or of another kind, and of one that changed in a single place.
func (e *embedded) edits(ctx context.Context, base Base, head Head, list []Change) (map[string]edit, error) {
	q := question{from: e, base: base, head: head, list: list}
	now, err := contents(ctx, e, head, q.atHead(), -1)
	if err != nil {
		return nil, err
	}
	old, err := contents(ctx, e, Head{Kind: Commit, Commit: base.Commit}, q.atBase(), -1)
	if err != nil {
		return nil, err
	}
	edits := make(map[string]edit, len(list))
	for _, c := range list {
		was, is := numbered(old[c.Names()[0]]), numbered(now[c.Path])
		switch {
		case c.Kind == Submodule:
			continue
		case c.Status == Added:
			edits[c.Path] = edit{added: is}
			continue
		case c.Status == Modified || c.Status == Renamed:
			before, after := rows(old[c.Names()[0]]), rows(now[c.Path])
			removed, added, only := onePlace(before, after)
			if !only {
				return nil, needsGit("the comparison of the lines of " + strconv.Quote(c.Path))
			}
			was, is = was[removed[0]:removed[1]], is[added[0]:added[1]]
		}
		edits[c.Path] = edit{added: is, removed: was}
	}
	return edits, nil
}

// onePlace is where a and b differ, from and to, if that is one place and no
// other will do: git leaves alone what both begin and end with, and moves a run of
// changed lines only along lines that repeat.
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

// slides reports whether a run of lines could as well begin elsewhere.
func slides(lines []string, run [2]int) bool {
	from, to := run[0], run[1]
	if from == to {
		return false
	}
	return from > 0 && lines[from-1] == lines[to-1] || to < len(lines) && lines[from] == lines[to]
}
