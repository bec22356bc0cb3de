package correspondence

import (
	"cmp"
	"runtime"
	"slices"
	"strings"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// Facts are the facts of one rule about a changeset.
type Facts struct {
	Changes         []diff.Change      // all of them, or those in the rule's directory; shared, unless details were put into them
	Matches         map[string][]Match // by parameter; with safety, if the rule has it
	Correspondences []Correspondence   // in byte order of their captures
	// Parts holds the place at head of the first changed part in each file that triggers the
	// rule by one, by name.
	Parts map[string]part.Place
	// Ignored has the names of files that do not trigger the rule because only parts of them
	// changed that it ignores.
	Ignored map[string]bool
}

// Triggered reports whether a changed file makes a rule of the mode apply, whether or not
// the rule holds.
func (f Facts) Triggered(mode policies.Mode) bool {
	if slices.Contains(mode.Facts, policies.FactMentions) {
		return slices.ContainsFunc(f.Changes, func(c diff.Change) bool { return c.Gone(c.Names()[0]) })
	}
	matched := false
	for i := range mode.Params {
		p := &mode.Params[i]
		matches, ok := f.Matches[p.Name]
		if !ok || !canTrigger(*p) {
			continue
		}
		matched = true
		for j := range matches {
			if len(p.Statuses) == 0 || slices.Contains(p.Statuses, string(matches[j].Change.Status)) {
				return true
			}
		}
	}
	switch {
	case matched:
		return false
	case slices.Contains(mode.Facts, policies.FactCorrespondences):
		return len(f.Correspondences) > 0
	default:
		return mode.Needs(policies.NeedCommits) || mode.Needs(policies.NeedChanges) && len(f.Changes) > 0
	}
}

// ExpectNothing reports whether each expected file of each correspondence is missing and did
// not change: a rule that asks only for files that exist then has nothing to check.
func (f Facts) ExpectNothing() bool {
	expected := 0
	for _, c := range f.Correspondences {
		for _, m := range c.Members {
			switch {
			case m.Trigger:
			case m.Exists, m.Changed:
				return false
			default:
				expected++
			}
		}
	}
	return expected > 0
}

// CanHold reports whether anything in a change can make a rule hold that applies to it: what
// the rule expects, its safety, or the contents and commits that it is about. Other rules of
// built-in modes are reminders.
func CanHold(r *rule.Rule, mode policies.Mode) bool {
	expects := slices.ContainsFunc(mode.Params, func(p policies.Param) bool { return isExpected(p) && len(r.Patterns[p.Name]) > 0 })
	ofContent := r.Lines != nil || mode.Needs(policies.NeedContent) || mode.Needs(policies.NeedFiles) || mode.Needs(policies.NeedCommits)
	return expects || len(r.Patterns[rule.Safety]) > 0 || mode.Project || ofContent
}

// Silenced reports whether the change matches the rule's safety.
func (f Facts) Silenced() bool { return len(f.Matches[rule.Safety]) > 0 }

// Paths returns the names that concern the rule, in byte order; none if the change matches
// its safety.
func (f Facts) Paths() []string {
	if f.Silenced() {
		return nil
	}
	var paths []string
	for _, matches := range f.Matches {
		for i := range matches {
			paths = append(paths, matches[i].Path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// Facts returns the facts of each rule, in the order of the rules; those of rules that are not
// active, by their index, are empty. Files that a rule excludes are left out of its matches,
// never of its safety, and are no triggers of a correspondence.
//
// files, every file at head in byte order, is only read for rules that ask whether a file
// exists; it may be nil where none does.
func (m *Matched) Facts(files []string, active func(int) bool) []Facts {
	changed, present := pattern.NewPaths(pathsOf(m.names)), pattern.NewPaths(files)
	facts := make([]Facts, len(m.rules))
	iter.Iterator[*rule.Rule]{MaxGoroutines: processorsFor(len(m.names))}.ForEachIdx(m.rules, func(i int, at **rule.Rule) {
		if !active(i) {
			return
		}
		r := *at
		mode := m.modes.Of(r.Mode)
		facts[i].Changes = diff.Below(m.changes, r.Below)
		if !m.concerns(i) && !m.always(i) {
			return // as most rules for most commits of a long past
		}
		f := m.builder(i)
		f.changed = changed
		facts[i].Ignored = m.ignoredNames(i)
		if r.AsksExistence() {
			f.files, f.present, f.documents = files, present, m.documents
		}
		facts[i].Matches = f.matches(mode)
		facts[i].Parts = f.partPlaces(mode)
		if slices.Contains(mode.Facts, policies.FactCorrespondences) {
			facts[i].Correspondences = f.correspondences(mode)
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
