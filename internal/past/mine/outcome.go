package mine

import (
	"cmp"
	"slices"

	"github.com/rulecheck/rulecheck/internal/pattern"
)

// Outcome records a rule in a unit that it applied to, as a check of the rule file counts
// it.
type Outcome struct {
	Commit  string
	Held    bool
	File    string   // that triggered the rule where it did not hold
	Missing []string // what the change lacked
}

// Scope is the part of a corpus that rules look at.
type Scope struct {
	Units []ScopeUnit // newest first

	corpus *Corpus
	names  []int32 // of files that some rule asks the existence of, in byte order
	known  []int   // by name: how many of its events are up to the unit that was asked for last
	last   int32   // that unit
}

// ScopeUnit is a unit that changed a name which triggers a rule.
type ScopeUnit struct {
	Commit string
	// Renames is true if git may find renames of files that changed: the unit adds some and
	// deletes others.
	Renames bool

	at int32
}

// Scope returns what rules look at.
func (c *Corpus) Scope(rules []Candidate) (*Scope, error) {
	s := &Scope{corpus: c}
	compile := func(texts func(Candidate) []string) (patterns []*pattern.Pattern, err error) {
		for _, text := range distinctTexts(rules, texts) {
			p, err := pattern.Compile(text)
			if err != nil {
				return nil, err
			}
			patterns = append(patterns, p)
		}
		return patterns, nil
	}
	triggers, err := compile(func(r Candidate) []string { return r.Triggers })
	if err != nil {
		return nil, err
	}
	expects, err := compile(func(r Candidate) []string {
		switch {
		case r.Require == RequireChanged:
			return nil
		case r.Mode == ModeSet: // each is expected
			return r.Triggers
		default:
			return r.Expects
		}
	})
	if err != nil {
		return nil, err
	}
	touched := make([]bool, len(c.units))
	for id, path := range c.paths {
		matches := func(p *pattern.Pattern) bool { _, ok := p.Match(path); return ok }
		if slices.ContainsFunc(triggers, matches) {
			for _, e := range c.events[id] {
				touched[e.unit] = true
			}
		}
		if slices.ContainsFunc(expects, matches) {
			s.names = append(s.names, number(id))
		}
	}
	slices.SortFunc(s.names, func(a, b int32) int { return cmp.Compare(c.paths[a], c.paths[b]) })
	for at, u := range slices.Backward(c.units) {
		if touched[at] {
			s.Units = append(s.Units, ScopeUnit{u.commit, u.adds && u.deletes, number(at)})
		}
	}
	return s, nil
}

func distinctTexts(rules []Candidate, texts func(Candidate) []string) []string {
	var all []string
	for _, r := range rules {
		all = append(all, texts(r)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Files returns the files at the end of a unit that some rule asks the existence of, in byte order. Calls for
// older units after newer ones are fast.
func (s *Scope) Files(u ScopeUnit) []string {
	if s.known == nil || u.at > s.last {
		s.known = make([]int, len(s.names))
		for i, name := range s.names {
			s.known[i] = len(s.corpus.events[name])
		}
	}
	s.last = u.at
	var files []string
	for i, name := range s.names {
		events := s.corpus.events[name]
		for s.known[i] > 0 && events[s.known[i]-1].unit > u.at {
			s.known[i]--
		}
		if s.corpus.existsBetween(name, s.known[i]) {
			files = append(files, s.corpus.paths[name])
		}
	}
	return files
}

// Counted returns the rule with the figures of its outcomes, newest first, and whether the past
// followed it by these as well.
func (r Candidate) Counted(outcomes []Outcome) (Candidate, bool) {
	p := r.past
	held := make(map[int32]bool, len(outcomes))
	r.Before, r.Since, r.Missed, r.Repaired, r.Firings, r.Examples = Tally{}, Tally{}, 0, 0, nil, nil
	recent := true // it held in the two newest units
	for i, o := range outcomes {
		unit := p.at[o.Commit]
		if r.gate != nil && unit < r.gate.place.first {
			break
		}
		held[unit] = o.Held
		t := &r.Before
		if unit >= p.split {
			t = &r.Since
		}
		t.Triggered++
		if o.Held {
			t.Held++
			continue
		}
		recent = recent && i > 1
		r.Missed++
		if len(r.Firings) < fewCases {
			u := p.units[unit]
			r.Firings = append(r.Firings, Case{Commit: u.commit, Subject: u.subject, Time: u.time, File: o.File, Missing: o.Missing})
		}
	}
	if r.gate != nil { // other commits change such files too: nothing shows a repair
		p.gateExamples(&r, held)
	} else {
		r.Repaired = p.repaired(r.form, held)
		p.examples(&r, held)
	}
	all := r.Before.plus(r.Since)
	r.Bound = lowerBound(all.Held, all.Triggered)
	switch {
	case r.stated > 0:
		proven := lowerBound(all.Held+r.stated, all.Triggered+r.stated) >= leastWhole && all.share() >= leastProven
		return r, recent && proven && (r.Since.Triggered == 0 || r.Since.share() >= leastProven) && len(r.Examples) > 0
	case r.reading && all.share() < leastConditioned:
		return r, false
	}
	return r, recent && r.Bound >= leastWhole && r.Since.Held >= leastProving && r.Since.share() >= leastProven && len(r.Examples) > 0
}
