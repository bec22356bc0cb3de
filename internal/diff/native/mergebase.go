package native

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// MergeBases lists all merge bases of a commit and any of sides in git's order, by the search
// that git makes without a commit graph.
func (r repository) MergeBases(ctx context.Context, commit string, sides []string) ([]string, error) {
	commit, err := r.Commit(ctx, commit)
	if err != nil {
		return nil, err
	}
	if slices.Contains(sides, commit) {
		return []string{commit}, nil
	}
	w := r.walk()
	others := make([]gitfile.ID, len(sides))
	for i, side := range sides {
		others[i] = gitfile.ParseID(side)
	}
	bases, err := w.common(gitfile.ParseID(commit), others)
	if err != nil {
		return nil, err
	}
	if len(bases) > 1 {
		if bases, err = w.independent(bases); err != nil {
			return nil, err
		}
	}
	if err := w.checkOrder(bases); err != nil {
		return nil, err
	}
	names := make([]string, len(bases))
	for i, base := range bases {
		names[i] = base.String()
	}
	return names, nil
}

// checkOrder refuses an answer that may differ if git uses a commit graph, with which it walks
// by generation.
func (w *walk) checkOrder(bases []gitfile.ID) error {
	tied := false
	for i := range bases[:max(0, len(bases)-1)] {
		tied = tied || w.commits[bases[i]].Date == w.commits[bases[i+1]].Date
	}
	if !w.skewed && !tied {
		return nil
	}
	for _, store := range w.engine.objects.Dirs {
		for _, name := range []string{"commit-graph", "commit-graphs"} {
			if _, err := os.Stat(filepath.Join(store, "info", name)); err == nil {
				return diff.NeedsGit("a history with equal or disordered dates and a commit graph")
			}
		}
	}
	return nil
}

// common paints the ancestors of both sides, and returns the commits that have both colours
// and no descendant that does.
func (w *walk) common(one gitfile.ID, others []gitfile.ID) ([]gitfile.ID, error) {
	w.paint, w.queue = map[gitfile.ID]int{}, nil
	w.paint[one] |= ofOne
	if err := w.reach(one); err != nil {
		return nil, err
	}
	for _, other := range others {
		w.paint[other] |= ofOthers
		if err := w.reach(other); err != nil {
			return nil, err
		}
	}
	var bases []gitfile.ID
	for slices.ContainsFunc(w.queue, func(s step) bool { return w.paint[s.commit]&stale == 0 }) {
		commit, c := w.next()
		colours := w.paint[commit] & (ofOne | ofOthers | stale)
		if colours == ofOne|ofOthers {
			if w.paint[commit]&found == 0 {
				w.paint[commit] |= found
				bases = w.byDate(bases, commit)
			}
			colours |= stale
		}
		for _, parent := range c.Parents {
			if w.paint[parent]&colours == colours {
				continue
			}
			w.paint[parent] |= colours
			if err := w.reach(parent); err != nil {
				return nil, err
			}
			w.skewed = w.skewed || w.commits[parent].Date > c.Date
		}
	}
	var list []gitfile.ID
	for _, base := range bases {
		if w.paint[base]&stale == 0 {
			list = w.byDate(list, base)
		}
	}
	return list, nil
}

// byDate inserts a commit, newest first, after those with the same date.
func (w *walk) byDate(list []gitfile.ID, commit gitfile.ID) []gitfile.ID {
	at := slices.IndexFunc(list, func(other gitfile.ID) bool { return w.commits[other].Date < w.commits[commit].Date })
	if at < 0 {
		at = len(list)
	}
	return slices.Insert(list, at, commit)
}

// independent removes the commits that another of them can reach.
func (w *walk) independent(commits []gitfile.ID) ([]gitfile.ID, error) {
	redundant := make([]bool, len(commits))
	for i, commit := range commits {
		if redundant[i] {
			continue
		}
		var others []gitfile.ID
		var at []int
		for j, other := range commits {
			if j != i && !redundant[j] {
				others, at = append(others, other), append(at, j)
			}
		}
		if _, err := w.common(commit, others); err != nil {
			return nil, err
		}
		redundant[i] = w.paint[commit]&ofOthers != 0
		for k, other := range others {
			redundant[at[k]] = redundant[at[k]] || w.paint[other]&ofOne != 0
		}
	}
	var list []gitfile.ID
	for i, commit := range commits {
		if !redundant[i] {
			list = w.byDate(list, commit)
		}
	}
	return list, nil
}
