package workflow

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// The codes of lint problems of phases.
const (
	CodeUnreachable = "unreachable_phase"
	CodeDeadEnd     = "dead_end"
	CodeNoContent   = "no_content"
	CodeUnusedGuide = "unused_guide"
	CodeNeverLive   = "rules_not_live"
)

// Lint returns likely mistakes in a workflow that loads: phases that are
// unreachable or do not lead to [Done], gates that differ from their documents or
// have weak checks, deprecated forms.
func (d *Definition) Lint() []finding.Problem {
	found := slices.Clone(d.notes)
	report := func(p *Phase, code, format string, args ...any) {
		found = append(found, finding.Problem{File: d.File, Line: p.Line, Column: 1, Code: code, Message: fmt.Sprintf(format, args...)})
	}
	reached := d.reached(d.Start)
	for _, p := range d.Phases {
		switch {
		case !reached[p.Name]:
			report(p, CodeUnreachable, "the phase %q is unreachable: no transition leads to it from %q, where the workflow begins", p.Name, d.Start)
		case !d.reached(p.Name)[Done]:
			report(p, CodeDeadEnd, "the phase %q never ends: no sequence of transitions leads to %q", p.Name, Done)
		}
		if len(p.Rules) > 0 && p.leavesAtOnce() {
			report(p, CodeNeverLive, `the rules of the phase %q never interrupt: every "workflow next" leaves it; want a gate, an exit condition or a transition with a condition`, p.Name)
		}
		if p.Prompt == "" {
			report(p, CodeNoContent, `the phase %q has no content; want "prompt" or "doc"`, p.Name)
		}
	}
	finding.SortProblems(found)
	return found
}

// leavesAtOnce reports whether each step leaves the phase, so that none evaluates its rules.
func (p *Phase) leavesAtOnce() bool {
	return p.Gate == nil && p.ExitWhen == nil && len(p.ExitConditions) == 0 && len(p.Transitions) > 0 && p.Transitions[0].Always && p.Transitions[0].To != p.Name
}

// reached returns the phases that are reachable from a phase, and itself.
func (d *Definition) reached(from string) map[string]bool {
	reached := map[string]bool{}
	for next := []string{from}; len(next) > 0; {
		name := next[0]
		next = next[1:]
		p, ok := d.Phase(name)
		if !ok || reached[name] {
			continue
		}
		reached[name] = true
		for _, t := range p.Transitions {
			next = append(next, t.To)
		}
	}
	return reached
}

// UnusedGuides returns a problem for each guide that no workflow uses.
func UnusedGuides(fsys fs.FS, workflows []*Definition) []finding.Problem {
	used := map[string]bool{}
	for _, d := range workflows {
		for _, p := range append(slices.Clone(d.Phases), d.done) {
			for _, file := range p.Sources {
				used[file] = true
			}
		}
	}
	var found []finding.Problem
	for _, name := range guides(fsys) {
		if file := path.Join(rule.GuidesDir, name+guideExtension); !used[file] {
			found = append(found, finding.Problem{File: file, Line: 1, Column: 1, Code: CodeUnusedGuide, Message: "no workflow uses this guide; want {{" + name + "}} in a prompt"})
		}
	}
	return found
}

// sortedNames returns the keys of a map in byte order.
func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
