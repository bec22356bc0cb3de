package correspondence

import (
	"cmp"
	"runtime"
	"slices"
	"strings"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Facts are the facts of one rule about a changeset.
type Facts struct {
	Changes         []diff.Change      // all of them; shared, unless details were put into them
	Matches         map[string][]Match // by parameter; with safety, if the rule has it
	Correspondences []Correspondence   // in byte order of their captures
}

// None reports whether no changed file concerns the rule.
func (f Facts) None() bool {
	for param, matches := range f.Matches {
		if param != safety && len(matches) > 0 {
			return false
		}
	}
	return len(f.Correspondences) == 0
}

// The parameters that every change mode has in addition to its own.
const (
	safety  = "safety"
	exclude = "exclude"
)

// Establish finds the facts of each rule over one changeset, in the order of
// rules. All patterns of all rules are matched in one pass over the changed
// names. Files that a rule excludes are left out of its matches, never of its
// safety, and are no triggers of a correspondence.
//
// files, every file at head in byte order, is only read for rules that ask
// whether a file exists; it may be nil where none does.
func Establish(rules []*rule.Rule, modes map[string]policies.Mode, changes []diff.Change, files []string) []Facts {
	names := namesOf(changes)
	hits := matchAll(rules, names)
	changed, present := pattern.NewPaths(pathsOf(names)), pattern.NewPaths(files)
	facts := make([]Facts, len(rules))
	iter.Iterator[*rule.Rule]{MaxGoroutines: processorsFor(len(names))}.ForEachIdx(rules, func(i int, at **rule.Rule) {
		r := *at
		mode := modes[r.Mode]
		s := &subject{rule: r, names: names, changes: changes, hits: hits[i], changed: changed}
		if r.AsksExistence() {
			s.files, s.present = files, present
		}
		s.markExcluded()
		facts[i].Changes = changes
		facts[i].Matches = s.matches(mode)
		if slices.Contains(mode.Facts, policies.FactCorrespondences) {
			facts[i].Correspondences = s.correspondences(mode)
		}
	})
	return facts
}

// fewNames is the number of names below which starting another goroutine costs more than
// it saves.
const fewNames = 1000

func processorsFor(names int) int { return min(1+names/fewNames, runtime.GOMAXPROCS(0)) }

// name is one name of one change.
type name struct {
	path   string
	change int
	gone   bool
}

// namesOf lists every name the changes touch once, in byte order. A name that
// one change takes away and another gives (a and b swapped by renames) is the
// one that exists.
func namesOf(changes []diff.Change) []name {
	names := make([]name, 0, len(changes))
	for i := range changes {
		c := &changes[i]
		names = append(names, name{path: c.Path, change: i, gone: c.Gone(c.Path)})
		if c.OldPath != "" {
			names = append(names, name{path: c.OldPath, change: i, gone: c.Gone(c.OldPath)})
		}
	}
	slices.SortStableFunc(names, func(a, b name) int {
		return cmp.Or(strings.Compare(a.path, b.path), order(a.gone)-order(b.gone))
	})
	return slices.CompactFunc(names, func(a, b name) bool { return a.path == b.path })
}

func pathsOf(names []name) []string {
	paths := make([]string, len(names))
	for i := range names {
		paths[i] = names[i].path
	}
	return paths
}

// order puts false before true.
func order(b bool) int {
	if b {
		return 1
	}
	return 0
}

// hit is one name that one pattern matches.
type hit struct {
	name     int // into names
	captures pattern.Captures
}

// hitsByParam holds, per parameter and per pattern of it, the names it matches
// in byte order.
type hitsByParam map[string][][]hit

// matchAll matches all patterns of all rules in one pass, shared out among the
// processors.
func matchAll(rules []*rule.Rule, names []name) []hitsByParam {
	type owner struct {
		rule  int
		param string
		at    int
	}
	var owners []owner
	var patterns []*pattern.Pattern
	hits := make([]hitsByParam, len(rules))
	for i, r := range rules {
		hits[i] = make(hitsByParam, len(r.Patterns))
		for param, ps := range r.Patterns {
			hits[i][param] = make([][]hit, len(ps))
			for at, p := range ps {
				owners = append(owners, owner{i, param, at})
				patterns = append(patterns, p)
			}
		}
	}
	index := pattern.NewIndex(patterns)
	spans := shares(len(names), processorsFor(len(names)))
	found := iter.Map(spans, func(s *span) [][]hit {
		hits := make([][]hit, len(owners))
		for n := s.from; n < s.to; n++ {
			index.Match(names[n].path, func(p int, c pattern.Captures) { hits[p] = append(hits[p], hit{n, c}) })
		}
		return hits
	})
	for p, o := range owners {
		hits[o.rule][o.param][o.at] = joined(found, p)
	}
	return hits
}

// joined are the hits of one pattern in all parts, of which most often one has any.
func joined(parts [][][]hit, at int) []hit {
	var all []hit
	for _, part := range parts {
		if all == nil {
			all = part[at]
		} else {
			all = append(all, part[at]...)
		}
	}
	return all
}

// span is a range of names; to is the first that is not in it.
type span struct{ from, to int }

// shares divides n names among so many workers, in order.
func shares(n, workers int) []span {
	spans := make([]span, workers)
	for i := range spans {
		spans[i] = span{n * i / workers, n * (i + 1) / workers}
	}
	return spans
}
