package mine

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/pattern"
)

// Limits of gates.
const (
	leastGroup   = 30  // units that change a group of triggers
	leastPlaced  = 20  // units that change a group of places
	mostPlaced   = 0.6 // share of all units that do
	leastMembers = 5   // files of a group that a wildcard describes
	leastWritten = 0.6 // share of the changes of entries that write new ones
	mostGroups   = 200 // groups of each kind
	leastLift    = 2   // how much oftener a place changes with a trigger than without
	mostDepth    = 3   // directories in the pattern of a trigger
)

// group is files that a pattern with wildcards, or without, matches.
type group struct {
	pattern string
	names   []int32
	units   bitset
	by      []bitset // units with each of the statuses
	first   int32    // unit
	tests   []string // patterns of tests among the files, which are left out
}

// testPatterns are patterns of tests.
var testPatterns = []string{"**/*_test.*", "**/*.test.*", "**/*.spec.*", "**/test_*", "**/{test,tests,testdata,__tests__,spec,e2e}/**"}

// tests returns, by name, the patterns of tests that match it, as bits.
func (p *past) tests(groups []group) map[int32]int {
	var patterns []*pattern.Pattern
	for _, text := range testPatterns {
		if test, err := pattern.Compile(text); err == nil {
			patterns = append(patterns, test)
		}
	}
	tests := map[int32]int{}
	for _, g := range groups {
		for _, name := range g.names {
			if _, known := tests[name]; known {
				continue
			}
			of := 0
			for i, test := range patterns {
				if _, ok := test.Match(p.paths[name]); ok {
					of |= 1 << i
				}
			}
			tests[name] = of
		}
	}
	return tests
}

// excludeTests leaves the tests out of a group of triggers: they need no counterpart.
func (p *past) excludeTests(g *group, tests map[int32]int) {
	if testPath().MatchString(strings.ReplaceAll(g.pattern, "*", "x")) {
		return
	}
	used := 0
	g.names = slices.DeleteFunc(g.names, func(name int32) bool { used |= tests[name]; return tests[name] != 0 })
	for i, text := range testPatterns {
		if used&(1<<i) != 0 {
			g.tests = append(g.tests, text)
		}
	}
	if g.tests != nil {
		g.units = p.triggering(g, &group{}, nil)
	}
}

// gate is a rule of a whole commit: with a file of one group changes one of another. Few hold
// without a condition: a changelog entry with each change of code, unless it is a chore.
type gate struct {
	trigger, place *group
	overlap        bool // they have a file in common
}

// statuses are the sets of statuses that gates are tried with.
var statuses = [][]string{nil, {"added"}, {"modified"}, {"added", "modified"}}

// gates returns the candidates for commits as a whole that hold under a condition.
func (p *past) gates(traits []trait) []Candidate {
	triggers, places := p.groups(alike(triggerPatterns), leastGroup, 1), p.groups(placePatterns(), leastPlaced, mostPlaced)
	tests := p.tests(triggers)
	for i := range triggers {
		p.excludeTests(&triggers[i], tests)
	}
	overlaps := p.overlaps(triggers, places)
	indexes := make([]int, len(triggers))
	for i := range indexes {
		indexes[i] = i
	}
	found := slices.Concat(iter.Map(indexes, func(ti *int) []Candidate {
		t := &triggers[*ti]
		for _, status := range statuses {
			t.by = append(t.by, p.triggering(t, &group{}, status))
		}
		var found []Candidate
		for pi := range places {
			place := &places[pi]
			overlap := overlaps[[2]int{*ti, pi}]
			if !p.related(t, place) || overlap && strings.HasPrefix(place.pattern, t.pattern) {
				continue
			}
			if r, ok := p.gated(gate{t, place, overlap}, traits); ok {
				found = append(found, r)
			}
		}
		return found
	})...)
	slices.SortStableFunc(found, func(a, b Candidate) int {
		return cmp.Or(len(b.units)-len(a.units), cmp.Compare(a.Triggers[0], b.Triggers[0]), cmp.Compare(a.Expects[0], b.Expects[0]))
	})
	return fresh(found)
}

// related reports whether places change much oftener with triggers than without, but not
// nearly always.
func (p *past) related(t, place *group) bool {
	with := p.early(t.units, place.units, place.units, false)
	since := t.units.without(t.units.below(place.first))
	of := p.early(since, since, since, false)
	all := p.early(place.units, place.units, place.units, false)
	share := float64(with.Held) / float64(max(of.Held, 1))
	others := float64(all.Held-with.Held) / float64(max(int(p.split-place.first)-of.Held, 1))
	return with.Held >= leastCondition && share >= leastModerate/2 && place.first < p.split && share >= leastLift*others
}

// gated returns the rule of a gate with a condition under which it holds.
func (p *past) gated(g gate, traits []trait) (Candidate, bool) {
	variants := make([]variant, len(statuses))
	for i, status := range statuses {
		triggered := g.trigger.by[i]
		if g.overlap {
			triggered = p.triggering(g.trigger, g.place, status)
		}
		triggered = triggered.without(triggered.below(g.place.first))
		variants[i] = variant{status, triggered, triggered.and(g.place.units)}
	}
	c, ok := p.condition(traits, variants)
	if !ok || g.backwards() || p.elsewhere(c, g, traits) {
		return Candidate{}, false
	}
	r := Candidate{
		Mode: ModePair, Triggers: []string{g.trigger.pattern}, Expects: []string{g.place.pattern}, Require: RequireChanged,
		Condition: c.Condition, past: p, gate: &g, Bound: c.bound(), Unconditioned: p.earlyShare(variants[0]),
	}
	if g.place.first > 0 {
		r.Begun = &p.units[g.place.first].time
	}
	held := p.outcomesIn(c.units, g.place.units)
	r.Ignore, r.Exclude = ignored(r.Triggers, r.Expects), g.trigger.tests
	r.take(held)
	p.gateExamples(&r, held)
	r.Label = p.label(r)
	return r, r.Label != Lock && len(r.Examples) > 0
}

// backwards reports whether a gate asks for a source of a test or of generated code.
func (g gate) backwards() bool {
	from, to := g.trigger.pattern, g.place.pattern
	return testPath().MatchString(from) && !testPath().MatchString(to) || isManifest(from) || isManifest(to) || generatedPath().MatchString(from)
}

// elsewhere reports whether the place changes nearly as often where the condition is true and
// no trigger changed: then the trigger is no sign.
func (p *past) elsewhere(c conditioned, g gate, traits []trait) bool {
	others := newBitset(len(p.units))
	for i := g.place.first; i < p.split; i++ {
		others.set(i)
	}
	others = others.without(g.trigger.units)
	for _, t := range traits {
		if c.When == t.text {
			others = others.and(t.units)
		}
		if slices.Contains(strings.Split(c.Unless, " or "), t.text) {
			others = others.without(t.units)
		}
	}
	return others.share(g.place.units).share() > mostBase
}

// gateExamples adds two units in which a gate held.
func (p *past) gateExamples(r *Candidate, held map[int32]bool) {
	first := func(names []int32, unit int32, statuses []string) (string, kind) {
		best, of := "", modified
		for _, name := range names {
			if e, ok := p.changedIn(name, unit); ok && p.hasStatus(e.kind, statuses) && (best == "" || p.paths[name] < best) {
				best, of = p.paths[name], e.kind
			}
		}
		return best, of
	}
	for unit := number(len(p.units)) - 1; unit >= 0 && len(r.Examples) < 2; unit-- {
		if !held[unit] || len(p.units[unit].names) > mostGenerating {
			continue
		}
		file, of := first(r.gate.trigger.names, unit, r.Status)
		with, how := first(r.gate.place.names, unit, nil)
		if file == "" || with == "" || file == with || of == gone || how == gone || !plain(file) || !plain(with) {
			continue
		}
		u := p.units[unit]
		r.Examples = append(r.Examples, Case{Commit: u.commit, Subject: u.subject, Time: u.time, File: file, New: of == created, With: []string{with}})
	}
}

func (*past) hasStatus(k kind, statuses []string) bool {
	return len(statuses) == 0 || slices.Contains(statuses, [...]string{modified: "modified", created: "added", appeared: "renamed", gone: "deleted"}[k])
}

// triggering returns the units in which a name of a group, and not of a place, changed with one of
// the statuses.
func (p *past) triggering(trigger, place *group, status []string) bitset {
	units := newBitset(len(p.units))
	for _, name := range trigger.names {
		if _, placed := slices.BinarySearch(place.names, name); placed {
			continue
		}
		for _, e := range p.events[name] {
			if p.hasStatus(e.kind, status) && !p.units[e.unit].ignored {
				units.set(e.unit)
			}
		}
	}
	return units
}

// groups returns the groups of files that change in enough units, and in at most a share of all.
func (p *past) groups(patterns func(file string) []string, least int, most float64) []group {
	names := map[string][]int32{}
	for id, file := range p.paths {
		if len(p.events[id]) == 0 || !p.usable[id] {
			continue
		}
		for _, text := range patterns(file) {
			if text != file || len(p.events[id]) >= least && p.end[id] {
				names[text] = append(names[text], number(id))
			}
		}
	}
	var groups []group
	for text, of := range names {
		literal := !strings.Contains(text, "*")
		if !literal && most < 1 && !p.entries(of) && !testPath().MatchString(strings.ReplaceAll(path.Base(text), "*", "x")) {
			continue // a change of some file of many shows nothing
		}
		if !literal && len(of) < leastMembers {
			continue
		}
		g := group{pattern: text, names: of, units: newBitset(len(p.units))}
		for _, name := range of {
			for _, e := range p.events[name] {
				if !p.units[e.unit].ignored {
					g.units.set(e.unit)
				}
			}
		}
		g.first = g.units.first()
		if n := g.units.count(); n >= least && float64(n) <= most*float64(len(p.units)) {
			groups = append(groups, g)
		}
	}
	slices.SortFunc(groups, func(a, b group) int {
		return cmp.Or(b.units.count()-a.units.count(), cmp.Compare(len(a.pattern), len(b.pattern)), cmp.Compare(a.pattern, b.pattern))
	})
	return groups[:min(len(groups), mostGroups)]
}

// entries reports whether files are mostly written once, as the entries of a changelog are.
func (p *past) entries(names []int32) bool {
	all, written := 0, 0
	for _, name := range names {
		for _, e := range p.events[name] {
			if e.kind != gone {
				all++
			}
			if e.kind == created {
				written++
			}
		}
	}
	return float64(written) >= leastWritten*float64(all)
}

// overlaps returns the pairs of groups that have a file in common.
func (p *past) overlaps(triggers, places []group) map[[2]int]bool {
	of := map[int32][]int{} // places by name
	for i, g := range places {
		for _, name := range g.names {
			of[name] = append(of[name], i)
		}
	}
	pairs := map[[2]int]bool{}
	for i, g := range triggers {
		for _, name := range g.names {
			for _, place := range of[name] {
				pairs[[2]int{i, place}] = true
			}
		}
	}
	return pairs
}

// triggerPatterns returns the patterns of triggers that match a file: its kind anywhere, and
// everything, or its kind, below each of its first directories.
func triggerPatterns(file string) []string {
	ext := path.Ext(file)
	var patterns []string
	if ext != "" && ext != path.Base(file) {
		patterns = append(patterns, "**/*"+ext)
	}
	dirs := strings.Split(path.Dir(file), "/")
	for i := 1; i <= min(len(dirs), mostDepth) && dirs[0] != "."; i++ {
		dir := strings.Join(dirs[:i], "/")
		patterns = append(patterns, dir+"/**")
		if ext != "" {
			patterns = append(patterns, dir+"/**/*"+ext)
		}
	}
	return patterns
}

// placePatterns returns a function that returns the patterns of places that match a file: itself,
// its kind in its directory, everything below each of its first directories, and tests.
func placePatterns() func(file string) []string {
	around := alike(func(file string) (patterns []string) {
		dir, ext := path.Dir(file), path.Ext(file)
		if dir == "." {
			return nil
		}
		if ext != "" {
			patterns = append(patterns, dir+"/*"+ext)
		}
		dirs := strings.Split(dir, "/")
		for i := 1; i <= min(len(dirs), mostDepth); i++ {
			patterns = append(patterns, strings.Join(dirs[:i], "/")+"/**")
		}
		return patterns
	})
	ofTests := map[string]bool{} // whether a pattern is
	return func(file string) []string {
		patterns := append([]string{file}, around(file)...)
		for _, shape := range shapes(file) {
			text := "**/" + shape.pre + "*" + shape.post
			of, known := ofTests[text]
			if !known {
				of = testPath().MatchString(strings.ReplaceAll(text, "*", "x"))
				ofTests[text] = of
			}
			if of {
				patterns = append(patterns, text)
			}
		}
		return patterns
	}
}

// alike returns a function that returns the patterns of a file, which are those of all files in
// its directory with its extension.
func alike(patterns func(file string) []string) func(file string) []string {
	type kin struct{ dir, ext string }
	known := map[kin][]string{}
	return func(file string) []string {
		dir, base := split(file)
		ext := path.Ext(base)
		if ext == base { // of a hidden file, this is its name
			return patterns(file)
		}
		of, seen := known[kin{dir, ext}]
		if !seen {
			of = patterns(file)
			known[kin{dir, ext}] = of
		}
		return of
	}
}
