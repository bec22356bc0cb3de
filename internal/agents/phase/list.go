package phase

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// List holds the workflows and the sessions of a repository.
type List struct {
	Workflows []Workflow       `json:"workflows"`
	Sessions  []SessionSummary `json:"sessions"`
	Notices   []string         `json:"notices"` // on sessions that cannot be read
}

// Workflow is a workflow that can be started.
type Workflow struct {
	Name     string   `json:"name"`
	File     string   `json:"file"`
	Phases   []string `json:"phases"`
	Problems int      `json:"problems"` // if there are any, it cannot be started
}

// SessionSummary is one session in a list.
type SessionSummary struct {
	ID       string       `json:"session_id"`
	Workflow string       `json:"workflow"`
	Target   string       `json:"target,omitempty"`
	Status   store.Status `json:"status"`
	Phase    string       `json:"current_phase"`
	Started  time.Time    `json:"started"`
	Updated  time.Time    `json:"updated"`
	// Altered reports that requirements changed while the session was open.
	Altered bool `json:"requirements_changed,omitempty"`
	// Refused counts the refused attempts to leave a phase.
	Refused int `json:"refused_attempts,omitempty"`
}

// Pruned answers prune.
type Pruned struct {
	Deleted []SessionSummary `json:"deleted"`
	Notices []string         `json:"notices"`
}

// Source is the file of a workflow.
type Source struct {
	File string `json:"file"`
	Text string `json:"source"`
}

// Source returns the file of a workflow, whether it has problems or not.
func (n *Runner) Source(name string) (*Source, error) {
	set, err := n.project()
	if err != nil {
		return nil, err
	}
	file, text, err := workflows.Of(set).WorkflowSource(name)
	return &Source{file, string(text)}, err
}

// summaryOf returns one session of a list.
func summaryOf(s *store.Run) SessionSummary {
	summary := SessionSummary{
		ID: s.ID, Workflow: s.Workflow, Target: s.Target, Status: s.Status, Phase: s.Phase, Started: s.CreatedAt, Updated: s.UpdatedAt,
		Altered: len(s.Changes) > 0,
	}
	for _, count := range s.Refusals {
		summary.Refused += count
	}
	return summary
}

// List returns the workflows by name, and the sessions, the oldest first.
func (n *Runner) List(ctx context.Context) (*List, error) {
	l := &List{Workflows: []Workflow{}, Sessions: []SessionSummary{}, Notices: []string{}}
	set, err := n.project()
	if err != nil {
		return nil, err
	}
	for _, name := range workflows.Of(set).Names() {
		d, problems, _, err := workflows.Of(set).Workflow(name)
		if err != nil {
			return nil, err
		}
		w := Workflow{Name: name, Phases: []string{}, Problems: len(problems)}
		if d != nil {
			wrong, err := workflows.Of(set).ProblemsOf(ctx, d)
			if err != nil {
				return nil, err
			}
			w.File, w.Phases, w.Problems = d.File, d.Names(), len(problems)+len(wrong)
		}
		l.Workflows = append(l.Workflows, w)
	}
	sessions, err := n.store.List(ctx)
	for _, s := range sessions {
		l.Sessions = append(l.Sessions, summaryOf(&s))
	}
	if err != nil {
		l.Notices = append(l.Notices, strings.Split(err.Error(), "\n")...)
	}
	return l, ctx.Err()
}

// Lint holds the problems and notes on workflow files.
type Lint struct {
	Problems []finding.Problem // with any, the workflow does not run
	Notes    []finding.Problem // the workflow runs, but probably not as intended
}

// Lint checks one workflow, or all of the project if the name is empty.
func (n *Runner) Lint(ctx context.Context, name string) (*Lint, error) {
	set, err := n.project()
	if err != nil {
		return nil, err
	}
	names := []string{name}
	if name == "" {
		names = workflows.Of(set).Names()
	}
	l := &Lint{Problems: slices.Clone(set.Problems)}
	var loaded []*workflow.Definition
	for _, name := range names {
		d, problems, _, err := workflows.Of(set).Workflow(name)
		if err != nil {
			return nil, err
		}
		l.Problems = append(l.Problems, problems...)
		if d == nil {
			continue
		}
		problems, err = workflows.Of(set).ProblemsOf(ctx, d)
		if err != nil {
			return nil, err
		}
		l.Problems = append(l.Problems, problems...)
		l.Notes = append(l.Notes, d.Lint()...)
		loaded = append(loaded, d)
	}
	if name == "" {
		l.Notes = append(l.Notes, workflow.UnusedGuides(set.Tree, loaded)...)
	}
	return l, nil
}
