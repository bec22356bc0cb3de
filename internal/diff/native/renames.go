package native

import (
	"path"

	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// The limits of git's search: how many equal sources are considered for one target, how many
// candidates each target keeps, and the size of the matrix of sources and targets (-l1000).
const (
	equalSources    = 100
	keptCandidates  = 4
	largestSearched = 1000 * 1000
)

// search is git's search for renames: equal files first, then files with a base name that is
// unique on both sides, then the most similar.
type search struct {
	sources, targets []*version // deleted and added files, in byte order of path
	chunks           func(*version) (*chunks, error)
	tail             bool // score with the unterminated last chunk

	renamed   []renaming // by target; source < 0: none
	used      []bool     // sources
	tailed    bool       // a file that was scored has such a chunk
	truncated bool       // there were too many candidates
}

type renaming struct{ source, score int }

// percent returns the similarity as git prints it.
func (r renaming) percent() int { return r.score * 100 / maxScore }

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

// equals pairs files with the same content, preferably with the same base name.
func (s *search) equals() {
	of := map[gitfile.ID][]int{}
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

// names pairs similar files whose base name no other source and no other target has.
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
