package diff

import (
	"context"
	"os"
	"path/filepath"
	"slices"
)

// mergeBases lists all merge bases of a commit and any of sides, git's first
// first: the search that git makes without a commit graph.
func (e *embedded) mergeBases(ctx context.Context, commit string, sides []string) ([]string, error) {
	commit, err := e.commit(ctx, commit)
	if err != nil {
		return nil, err
	}
	if slices.Contains(sides, commit) {
		return []string{commit}, nil
	}
	w := e.walk()
	others := make([]id, len(sides))
	for i, side := range sides {
		others[i] = parseID(side)
	}
	bases, err := w.common(parseID(commit), others)
	if err != nil {
		return nil, err
	}
	if len(bases) > 1 {
		if bases, err = w.independent(bases); err != nil {
			return nil, err
		}
	}
	if err := w.doubted(bases); err != nil {
		return nil, err
	}
	names := make([]string, len(bases))
	for i, base := range bases {
		names[i] = base.String()
	}
	return names, nil
}

// doubted refuses an answer that git gives otherwise where it has a commit
// graph: it walks by generation then.
func (w *walk) doubted(bases []id) error {
	tied := false
	for i := range bases[:max(0, len(bases)-1)] {
		tied = tied || w.commits[bases[i]].date == w.commits[bases[i+1]].date
	}
	if !w.skewed && !tied {
		return nil
	}
	for _, store := range w.engine.objects.dirs {
		for _, name := range []string{"commit-graph", "commit-graphs"} {
			if _, err := os.Stat(filepath.Join(store, "info", name)); err == nil {
				return needsGit("a history with equal or disordered dates beside a commit graph")
			}
		}
	}
	return nil
}

// common paints down from both sides to the commits that have both colours and
// are not below another such.
func (w *walk) common(one id, others []id) ([]id, error) {
	w.paint, w.queue = map[id]int{}, nil
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
	var bases []id
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
		for _, parent := range c.parents {
			if w.paint[parent]&colours == colours {
				continue
			}
			w.paint[parent] |= colours
			if err := w.reach(parent); err != nil {
				return nil, err
			}
			w.skewed = w.skewed || w.commits[parent].date > c.date
		}
	}
	var list []id
	for _, base := range bases {
		if w.paint[base]&stale == 0 {
			list = w.byDate(list, base)
		}
	}
	return list, nil
}

// byDate inserts a commit, newest first, after those of the same date.
func (w *walk) byDate(list []id, commit id) []id {
	at := slices.IndexFunc(list, func(other id) bool { return w.commits[other].date < w.commits[commit].date })
	if at < 0 {
		at = len(list)
	}
	return slices.Insert(list, at, commit)
}

// independent leaves out what another of the commits can reach.
func (w *walk) independent(commits []id) ([]id, error) {
	redundant := make([]bool, len(commits))
	for i, commit := range commits {
		if redundant[i] {
			continue
		}
		var others []id
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
	var list []id
	for i, commit := range commits {
		if !redundant[i] {
			list = w.byDate(list, commit)
		}
	}
	return list, nil
}
