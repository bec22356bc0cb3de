package audit

import (
	"fmt"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// unknownWorkflows notes the workflows that a session's log names and that do not exist. No
// rule in the phases of a workflow is evaluated on it; where the name looks misspelt, one
// should have been.
func (a *Auditor) unknownWorkflows(s *session.Session, known []string) {
	if !slices.ContainsFunc(a.rules, func(r Rule) bool { return r.Workflow != "" }) {
		return
	}
	var seen []string
	for _, p := range s.Phases {
		if p.Workflow == "" || slices.Contains(known, p.Workflow) || slices.Contains(seen, p.Workflow) {
			continue
		}
		seen = append(seen, p.Workflow)
		reason := fmt.Sprintf("the log names the workflow %q%s", p.Workflow, suggest.OneOf(p.Workflow, known))
		if suggest.Nearest(p.Workflow, known) == "" {
			if notice := p.File + ": " + reason; !slices.Contains(a.notices, notice) {
				a.notices = append(a.notices, notice)
			}
			continue
		}
		for _, r := range a.rules {
			if r.Workflow != "" && a.concerns(r, s) {
				a.gaps.add(gap{r.ID, reason, perSession}, p.Place)
			}
		}
	}
}

// beyond notes the phases of a session whose workflow has rules about tool calls, which only
// hooks check.
func (a *Auditor) beyond(s *session.Session, phases map[string][]string) {
	for _, p := range s.Phases {
		if !slices.Contains(phases[p.Workflow], p.Name) {
			continue
		}
		about := fmt.Errorf("workflow %s: its tool rules in the phase %q are checked by hooks, not by audits; to audit them, make them rule files with \"phase\"", p.Workflow, p.Name)
		if text := about.Error(); !slices.ContainsFunc(a.hooksOnly, func(other error) bool { return other.Error() == text }) {
			a.hooksOnly = append(a.hooksOnly, about)
		}
	}
}

// withoutJournal notes the rules limited to phases that could not be checked on a session
// because a workflow whose journal cannot be read may have led it.
func (a *Auditor) withoutJournal(s *session.Session) {
	for _, r := range a.rules {
		if len(r.Phases) > 0 && a.concerns(r, s) {
			a.gaps.add(gap{r.ID, "the journal of a workflow cannot be read", perSession}, fact.Place{File: s.Sources[0].File, Line: 1})
		}
	}
}
