package policies

import (
	"fmt"
	"slices"
)

// Fact is something a mode must ask for, in custom.facts, to see it.
type Fact struct {
	Name     string // the field of the input, or of each change
	Title    string // what it is, for people
	OfChange bool   // a field of each change, wherever the mode sees changes
	Session  bool   // of a session, which a mode that judges changes has not
}

// The facts that somebody names in Go.
const (
	FactChanges         = "changes"
	FactMatches         = "matches"
	FactCorrespondences = "correspondences"
	FactNow             = "now"
	FactSession         = "session"
	FactVisit           = "visit"
	FactMetrics         = "metrics"
)

// facts are those a mode may ask for. What every policy has, such as input.rule, is
// not among them. A fact of changes is found by its name in the fields of
// diff.Detail; any other is a field of policy.Input.
var facts = []Fact{
	{Name: FactChanges, Title: "every changed file"},
	{Name: FactMatches, Title: "by parameter, the changed files that its patterns match, with captures and `change`"},
	{Name: FactCorrespondences, Title: "the groups of files that answer for each other"},
	{Name: FactNow, Title: "the time of the run, as RFC 3339 writes it"},
	{Name: FactSession, Session: true, Title: "whose log is judged: `{id, agent, cwd, git_branch}`"},
	{Name: FactVisit, Session: true, Title: "the stay in a phase that is judged: `{index, phase, workflow, start, end, open}`"},
	{Name: FactMetrics, Session: true, Title: "what `custom.counts` asks for, of the visit: `{count, subjects, …}`"},
	{Name: "added_lines", OfChange: true, Title: "the lines a change adds: `[{line, text}]`, numbered as at head"},
	{Name: "removed_lines", OfChange: true, Title: "the lines a change removes: `[{line, text}]`, numbered as at the base"},
	{Name: "binary", OfChange: true, Title: "whether the file is binary, before or after the change: there is a NUL among its first 8,000 bytes"},
	{Name: "lfs", OfChange: true, Title: "whether the file at head is kept by Git LFS"},
	{Name: "size", OfChange: true, Title: "bytes at head; absent where there is no file"},
	{Name: "content", OfChange: true, Title: "the text `{head, base}`; absent where there is no file, where it is binary, and above 1 MiB"},
}

// FactTable lists every fact a mode may ask for.
func FactTable() []Fact { return slices.Clone(facts) }

// Facts are the names of all facts.
func Facts() []string { return factNames(func(Fact) bool { return true }) }

// SessionFacts are the names of those of a session.
func SessionFacts() []string { return factNames(Fact.ofSession) }

// ChangeFacts are the names of those that are fields of each change.
func ChangeFacts() []string { return factNames(Fact.ofChange) }

func (f Fact) ofSession() bool { return f.Session }

func (f Fact) ofChange() bool { return f.OfChange }

func factNames(which func(Fact) bool) []string {
	var names []string
	for _, f := range facts {
		if which(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

// isFact reports whether a name is that of a fact of some kind.
func isFact(name string, which func(Fact) bool) bool {
	return slices.ContainsFunc(facts, func(f Fact) bool { return f.Name == name && which(f) })
}

// factsOf reads custom.facts.
func factsOf(v any) ([]string, error) {
	asked, err := texts(v)
	if err != nil {
		return nil, err
	}
	for _, fact := range asked {
		if !isFact(fact, func(Fact) bool { return true }) {
			return nil, &wordError{"unknown fact", fact, Facts()}
		}
		if isFact(fact, Fact.ofChange) && !slices.Contains(asked, FactMatches) && !slices.Contains(asked, FactChanges) {
			return nil, &wordError{"nothing has the fact", fact, []string{FactMatches, FactChanges}}
		}
	}
	asked = slices.Compact(slices.Sorted(slices.Values(asked)))
	return asked, sameKind(asked)
}

// sameKind refuses facts of a session beside those of a change: nothing has both.
func sameKind(asked []string) error {
	ofSession := func(fact string) bool { return isFact(fact, Fact.ofSession) }
	i := slices.IndexFunc(asked, ofSession)
	j := slices.IndexFunc(asked, func(fact string) bool { return !ofSession(fact) })
	if i >= 0 && j >= 0 {
		return fmt.Errorf("%q is a fact of sessions, and %q is not; want either kind", asked[i], asked[j])
	}
	return nil
}
