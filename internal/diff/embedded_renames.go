package diff

import (
	"cmp"
	"path"
	"slices"
)

// The bounds of git's search: how many equal sources are looked at for one
// target, how many candidates each target keeps, and -l1000: how large the matrix
// of sources and targets may be.
const (
	equalSources    = 100
	keptCandidates  = 4
	largestSearched = 1000 * 1000
)

// search is git's search for renames: equal files first, then files that kept
// their name and are the only ones with it, then the most similar.
type search struct {
	sources, targets []*version // what is gone, what is new; in byte order of path
	chunks           func(*version) (*chunks, error)
	tail             bool // score with the unterminated last chunk

	renamed   []renaming // by target; source < 0: none
	used      []bool     // sources
	tailed    bool       // a file that was scored has such a chunk
	truncated bool       // there were too many candidates
}

type renaming struct{ source, score int }

// run finds the renames. All objects must be known.
func (s *search) run() error {
	s.renamed, s.used = make([]renaming, len(s.targets)), make([]bool, len(s.sources))
	for i := range s.renamed {
		s.renamed[i].source = -1
	}
	s.equals()
	if err := s.names(); err != nil {
		return err
	}
	return s.similar()
}

func (s *search) record(target, source, score int) {
	s.renamed[target], s.used[source] = renaming{source, score}, true
}

// equals pairs files with the same content, and the same name if it can.
func (s *search) equals() {
	of := map[id][]int{}
	for i, source := range s.sources {
		of[source.object] = append(of[source.object], i)
	}
	for t, target := range s.targets {
		best, bestScore, looked := -1, -1, 0
		for _, i := range of[target.object] {
			source := s.sources[i]
			if (!source.regular() || !target.regular()) && source.mode != target.mode || s.used[i] {
				continue
			}
			score := 1
			if path.Base(source.path) == path.Base(target.path) {
				score = 2
			}
			if score > bestScore {
				best, bestScore = i, score
			}
			if looked++; score == 2 || looked == equalSources {
				break
			}
		}
		if best >= 0 {
			s.record(t, best, maxScore)
		}
	}
}

// names pairs what has a name that no other source and no other target has, where
// it is similar enough.
func (s *search) names() error {
	const several = -1
	index := func(list []*version, taken func(int) bool) map[string]int {
		at := map[string]int{}
		for i, v := range list {
			base := path.Base(v.path)
			if taken(i) {
				continue
			}
			if _, known := at[base]; known {
				at[base] = several
			} else {
				at[base] = i
			}
		}
		return at
	}
	sources := index(s.sources, func(i int) bool { return s.used[i] })
	targets := index(s.targets, func(i int) bool { return s.renamed[i].source >= 0 })
	for i, v := range s.sources {
		base := path.Base(v.path)
		target, known := targets[base]
		if s.used[i] || !known || target == several || sources[base] == several {
			continue
		}
		score, err := s.score(i, target, nameScore)
		if err != nil {
			return err
		}
		if score >= nameScore {
			s.record(target, i, score)
		}
	}
	return nil
}

// candidate is a source that might be what a target was.
type candidate struct {
	target, source, score int
	sameName              bool
}

// better orders candidates, the best first.
func better(a, b candidate) int {
	switch {
	case a.score != b.score:
		return cmp.Compare(b.score, a.score)
	case a.sameName == b.sameName:
		return 0
	case a.sameName:
		return -1
	default:
		return 1
	}
}

// similar pairs what is left, the most similar first.
func (s *search) similar() error {
	var sources, targets []int
	for i, used := range s.used {
		if !used {
			sources = append(sources, i)
		}
	}
	for i, r := range s.renamed {
		if r.source < 0 {
			targets = append(targets, i)
		}
	}
	if len(sources)*len(targets) > largestSearched {
		s.truncated = true
		return nil
	}
	var all []candidate
	for _, target := range targets {
		kept := make([]candidate, 0, keptCandidates)
		for _, source := range sources {
			score, err := s.score(source, target, minScore)
			if err != nil {
				return err
			}
			c := candidate{target, source, score, path.Base(s.sources[source].path) == path.Base(s.targets[target].path)}
			kept = keep(kept, c)
		}
		all = append(all, kept...)
	}
	slices.SortStableFunc(all, better)
	for _, c := range all {
		if c.score < minScore {
			break
		}
		if s.renamed[c.target].source < 0 && !s.used[c.source] {
			s.record(c.target, c.source, c.score)
		}
	}
	return nil
}

// keep puts a candidate among the best so far, in the place of the first of the
// worst: what is equal to it stays where it is.
func keep(kept []candidate, c candidate) []candidate {
	if len(kept) < keptCandidates {
		return append(kept, c)
	}
	worst := 0
	for i := range kept {
		if better(kept[i], kept[worst]) > 0 {
			worst = i
		}
	}
	if better(kept[worst], c) > 0 {
		kept[worst] = c
	}
	return kept
}

// score is how similar a source and a target are; only regular files are.
func (s *search) score(source, target, least int) (int, error) {
	a, b := s.sources[source], s.targets[target]
	if !a.regular() || !b.regular() {
		return 0, nil
	}
	from, err := s.chunks(a)
	if err != nil {
		return 0, err
	}
	to, err := s.chunks(b)
	if err != nil {
		return 0, err
	}
	s.tailed = s.tailed || from.tail.bytes > 0 || to.tail.bytes > 0
	return similarity(from, to, least, s.tail), nil
}
