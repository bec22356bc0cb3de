package respond

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/bash"
	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/observe"
	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/variables"
	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// track runs the observers of the workflow that is running, which set its variables.
func (w *World) track(ctx context.Context, h *Hooks, e hook.Event) ([]string, error) {
	if observe.Name(e) == "" {
		return nil, nil
	}
	run, p, err := w.runningIn(ctx)
	if run == nil || err != nil {
		return nil, err
	}
	d, err := w.definition(p, run)
	if err != nil || !d.Observes(observe.Name(e)) {
		return nil, err
	}
	s := observe.Session{Project: p, Definition: d, Run: run, Variables: variables.New(w.engine.GitDir()), World: w.place(e)}
	return s.On(ctx, e, h.Start, h.Now())
}

// runningIn returns the run of the workflow that is running, with its project; nil if none
// is.
func (w *World) runningIn(ctx context.Context) (*store.Run, *setup.Project, error) {
	run, err := w.running(ctx)
	if run == nil || err != nil {
		return nil, nil, err
	}
	p, err := w.project(ctx)
	return run, p, err
}

// place is where the calls of an event run.
func (w *World) place(e hook.Event) bash.World {
	return bash.World{Root: filepath.ToSlash(w.engine.Root()), Dir: filepath.ToSlash(e.Cwd), Home: filepath.ToSlash(w.Home), Link: link, Shared: shared}
}

// definition loads the workflow of a run once, which must have no problems: any of them may
// hide a tool rule or an observer.
func (w *World) definition(p *setup.Project, run *store.Run) (*workflow.Definition, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if d := w.definitions[run.File]; d != nil {
		return d, nil
	}
	d, problems, _, err := workflows.Of(p).Workflow(run.File)
	if err != nil {
		return nil, err
	}
	for _, problem := range problems {
		return nil, fmt.Errorf("workflow %s: %s:%d: %s", run.Workflow, problem.File, problem.Line, problem.Message)
	}
	if w.definitions == nil {
		w.definitions = map[string]*workflow.Definition{}
	}
	w.definitions[run.File] = d
	return d, nil
}

// vars returns the values of variables that conditions of rules read. Only conditions of rule files
// may read variables of other workflows.
func (w *World) vars(p *setup.Project, run *store.Run) (map[string]any, error) {
	if run == nil {
		_, initial := workflows.Of(p).In(nil, p.Rules)
		return initial, nil
	}
	d, err := w.definition(p, run)
	if err != nil {
		return nil, err
	}
	_, initial := workflows.Of(p).In(d, p.Rules)
	set, err := w.set(d, run)
	maps.Copy(initial, set)
	return initial, err
}

// set returns the variables of a session that were set.
func (w *World) set(d *workflow.Definition, run *store.Run) (map[string]any, error) {
	state, err := variables.New(w.engine.GitDir()).Load(run.ID)
	if err != nil {
		return nil, err
	}
	set := state.Set(variables.Visit(run.Phase, run.EnteredAt))
	maps.DeleteFunc(set, func(name string, _ any) bool { _, declared := d.Vars[name]; return !declared })
	return set, nil
}

// sessionVars returns the variables of the workflow that is running, for conditions of rules
// about changes; none if no workflow is, or if it cannot be loaded, which tool rules report.
func (w *World) sessionVars(ctx context.Context) (map[string]any, error) {
	run, p, err := w.runningIn(ctx)
	if run == nil || err != nil {
		return nil, err
	}
	d, err := w.definition(p, run)
	if err != nil {
		return nil, nil //nolint:nilnil,nilerr // see above
	}
	set, err := w.set(d, run)
	if err != nil {
		return nil, err
	}
	vars := maps.Clone(d.Vars)
	if vars == nil {
		vars = map[string]any{}
	}
	maps.Copy(vars, set)
	return vars, nil
}

// track runs observers, unless the event has none. What cannot be evaluated is a notice.
func (h Hooks) track(ctx context.Context, e hook.Event, d *hook.Decision) error {
	if h.Track == nil {
		return nil
	}
	notices, err := h.Track(ctx, e)
	if err != nil {
		notices = append(notices, "the variables of the workflow were not set: "+err.Error())
	}
	if d.Notice != "" {
		notices = append([]string{d.Notice}, notices...)
	}
	d.Notice = strings.Join(notices, "\n")
	return err
}
