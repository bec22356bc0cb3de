package native

import (
	"cmp"
	"path"
	"slices"
)

// candidate is a source that a target may have been renamed from.
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

// similar pairs the remaining files, the most similar first.
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

// keep adds a candidate to the best so far, replacing the first of the worst if it is better.
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

// score returns the similarity of a source and a target; it is 0 unless both are regular files.
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
