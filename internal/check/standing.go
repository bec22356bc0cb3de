package check

import (
	"context"
	"errors"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/baseline"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// Standing holds the findings in everything that there is, by the rules whose findings may
// be known.
type Standing struct {
	Project  *setup.Project
	Known    []baseline.Entry // before
	Findings []finding.Finding
	Notices  []string

	applied map[string]bool // ids of the rules that applied
}

// Unchecked reports whether nothing was learned about a rule that may have known findings.
func (s *Standing) Unchecked(id string) bool {
	for _, r := range s.Project.Rules {
		if r.ID == id {
			return s.Project.ChecksState(r) && !s.applied[id]
		}
	}
	return false
}

// Everything checks all files of the working tree as if they were new, and all logs, by the
// rules with these ids, or by every rule whose findings may be known. What could not be
// checked is among the problems of the project.
func Everything(ctx context.Context, engine diff.Engine, o Options, rules []string) (*Standing, error) {
	head, err := engine.Head(ctx, diff.Worktree, "")
	if err != nil {
		return nil, err
	}
	o.From = diff.EmptyTreeFor(head.Commit) // without a commit, all is compared with it anyway
	o.Selection = setup.Selection{Only: rules}
	o.Commands.Off = "known findings do not depend on commands"
	result, err := Evaluate(ctx, withoutMessages{engine}, o)
	if wrong, ok := errors.AsType[*setup.SelectionError](err); ok {
		return nil, wrong.OfArguments()
	}
	if err != nil {
		return nil, err
	}
	p := result.Project
	p.Problems = result.Report.Errors
	if !p.Config.Enabled {
		return nil, fmt.Errorf("nothing can be checked: rules.enabled is false in %s", setup.ConfigFile)
	}
	s := &Standing{Project: p, Known: p.Accepted, Notices: p.Notices, applied: map[string]bool{}}
	for _, r := range result.Selected.Rules {
		switch {
		case p.ChecksState(r):
			s.applied[r.ID] = p.Modes.Of(r.Mode).Session() && !r.Conditional()
		case len(rules) > 0:
			return nil, &setup.SelectionError{Message: fmt.Sprintf(
				"rule %q checks changes, and has no known findings; want a rule with \"require: exists\", with need, with limit.file_bytes alone, or about sessions, without a command", r.ID)}
		}
	}
	for _, v := range result.Verdicts {
		if _, ok := s.applied[v.Rule.ID]; ok {
			s.applied[v.Rule.ID] = v.Applies()
		}
	}
	for _, f := range result.Report.Findings {
		if _, ok := s.applied[f.Rule]; ok {
			s.Findings = append(s.Findings, f)
		}
	}
	return s, nil
}

// withoutMessages is an engine without the messages of the whole history: whether they waive a
// finding does not matter.
type withoutMessages struct{ diff.Engine }

func (withoutMessages) Messages(context.Context, diff.Base, diff.Head) ([]diff.Message, error) {
	return nil, nil
}
