package respond

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// running returns the run of a workflow that is open; of several, the one that moved last.
// It is nil if none is.
func (w *World) running(ctx context.Context) (*store.Run, error) {
	runs, err := store.New(w.engine.GitDir()).List(ctx)
	if err != nil {
		return nil, err
	}
	var last *store.Run
	for i := range runs {
		if r := &runs[i]; r.Status == store.Open && (last == nil || r.UpdatedAt.After(last.UpdatedAt)) {
			last = r
		}
	}
	return last, nil
}

// toolRules returns the rules of rule files and of the phase that a workflow is in, with
// their conditions.
func (w *World) toolRules(ctx context.Context, g *guard, run *store.Run) ([]*rule.Rule, func() (*condition.Set, error), error) {
	if run == nil {
		rules, conditions := workflows.Of(g.Project).ToolRules(ctx, nil, "")
		return rules, conditions, nil
	}
	d, err := w.definition(g.Project, run)
	if err != nil {
		return nil, nil, err
	}
	rules, conditions := workflows.Of(g.Project).ToolRules(ctx, d, run.Phase)
	return rules, conditions, nil
}

// begin returns what a new session has to know: the phase that a workflow is in, and the
// findings that are open.
func (w *World) begin(ctx context.Context, h *Hooks) (hook.Decision, error) {
	if _, err := w.project(ctx); err != nil { // it is remembered for the session
		return allowed, err
	}
	d, err := findings(ctx, h.GitDir)
	if err != nil {
		return d, err
	}
	run, err := w.running(ctx)
	if run == nil || err != nil {
		return d, err
	}
	runner, err := phase.Open(ctx, w.engine, phase.Options{User: w.User, Version: h.Version, GitDir: h.GitDir, Now: h.Now})
	if err != nil {
		return d, err
	}
	reply, err := runner.Show(ctx, run.ID, run.Phase)
	if err != nil {
		return d, err
	}
	if reply.Shown == nil {
		return d, errors.New("the phase " + run.Phase + " has no content")
	}
	text := fmt.Sprintf("The workflow %s is in the phase %s:\n\n%s", run.Workflow, run.Phase, reply.Text)
	return hook.Decision{Verdict: hook.Context, Context: strings.TrimSpace(text + "\n\n" + d.Context)}, nil
}
