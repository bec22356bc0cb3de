// Package observe runs the observers of a workflow on the events of agents. They set the
// variables of its session.
package observe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/agents/bash"
	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/toolcall"
	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/variables"
	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// Session is an open session of a workflow that events belong to.
type Session struct {
	Project    *setup.Project
	Definition *workflow.Definition
	Run        *store.Run
	Variables  *variables.Store
	World      bash.World // where calls run
}

// Values returns the values of all variables of the session.
func (s Session) Values() (map[string]any, error) {
	state, err := s.Variables.Load(s.Run.ID)
	if err != nil {
		return nil, err
	}
	return state.In(s.visit(), s.Definition.Vars), nil
}

func (s Session) visit() string { return variables.Visit(s.Run.Phase, s.Run.EnteredAt) }

// On runs the observers of an event, in their order: each sees the values that those
// before it set. An event that was delivered twice counts once; start is when the process
// for this one was started. Notices report observers that could not be evaluated: their
// variables keep their values.
func (s Session) On(ctx context.Context, e hook.Event, start, now time.Time) (notices []string, err error) {
	facts := s.facts(e, now)
	observers := slices.DeleteFunc(slices.Clone(s.Definition.Observers), func(o workflow.Observer) bool { return !matches(o, facts) })
	if len(observers) == 0 {
		return nil, nil
	}
	values, behaviors, err := s.compile(ctx, observers)
	if err != nil {
		return nil, err
	}
	r := runner{Session: s, values: values, behaviors: behaviors, facts: facts}
	row := e.Row(now)
	err = s.Variables.Update(ctx, s.Run.ID, variables.Seen{Key: row.Key, At: now.UTC()},
		func(seen []variables.Seen) bool { return again(e, seen, start) },
		func(state *variables.State) (bool, error) { return r.run(ctx, observers, state), nil })
	return r.notices, err
}

// compile compiles what observers need, values and behaviors at the same time.
func (s Session) compile(ctx context.Context, observers []workflow.Observer) (*condition.Set, *policy.Behaviors, error) {
	var names []string
	for _, o := range observers {
		if o.Behavior != "" {
			names = append(names, o.Behavior)
		}
	}
	var group conc.WaitGroup
	defer group.Wait()
	behaviors := func() (*policy.Behaviors, error) { return nil, nil } //nolint:nilnil // no observer has one
	if len(names) > 0 {
		slices.Sort(names)
		behaviors = async.Go(&group, func() (*policy.Behaviors, error) {
			return policy.NewBehaviors(ctx, s.Project.Bundle, slices.Compact(names))
		})
	}
	values, problems, err := workflows.Of(s.Project).ObserverValues(ctx, s.Definition, observers)
	for _, p := range problems {
		err = errors.Join(err, p)
	}
	compiled, wrong := behaviors()
	return values, compiled, errors.Join(err, wrong)
}

// again reports whether an event is among those seen.
func again(e hook.Event, seen []variables.Seen, start time.Time) bool {
	rows := make([]hook.Row, len(seen))
	for i, one := range seen {
		rows[i] = hook.Row{Key: one.Key, At: one.At}
	}
	_, ok := e.Again(rows, start)
	return ok
}

// matches reports whether an observer is about an event.
func matches(o workflow.Observer, f policy.EventFacts) bool {
	is := func(want, got string) bool { return want == "" || want == got }
	named := len(o.Match.Tools)+len(o.Match.Kinds) == 0 ||
		profile.IsNamed(o.Match.Tools, f.ToolName, f.ToolKind) || slices.Contains(o.Match.Kinds, string(f.ToolKind))
	return slices.Contains(o.On, f.Event) && named &&
		is(o.Match.MCPServer, f.MCP.Server) && is(o.Match.MCPTool, f.MCP.Tool)
}

// facts describes an event.
func (s Session) facts(e hook.Event, now time.Time) policy.EventFacts {
	f := policy.EventFacts{
		Agent: e.Agent, Event: Name(e), Subagent: e.Subagent != "", Prompt: e.Prompt, PermissionMode: e.Mode, Source: e.Source, ToolInput: map[string]any{},
		Command: fact.ShellLine{Parsed: true}, Phase: s.Run.Phase, Now: now.UTC().Format(time.RFC3339), With: map[string]any{},
	}
	if e.Kind != hook.BeforeTool && e.Kind != hook.AfterTool {
		return f
	}
	call := toolcall.Call{Tool: e.Call.Name, MCP: policy.MCPFacts{Server: e.Server, Tool: e.Tool}, World: s.World}
	call.World.Dir = filepath.ToSlash(e.Cwd)
	_ = json.Unmarshal(e.Input, &call.Input) // a call without readable arguments has none
	f.ToolName = e.Call.Name
	f.ToolKind, f.ToolInput, f.MCP, f.Command = toolcall.Describe(call)
	if f.ToolInput == nil {
		f.ToolInput = map[string]any{}
	}
	if e.Kind == hook.AfterTool {
		e.Server, e.Tool = f.MCP.Server, f.MCP.Tool
		var status fact.Status
		f.ToolOutput, status = Output(e)
		f.Succeeded, f.Failed = status == fact.OK, status == fact.Error
	}
	return f
}

// runner runs observers on one event.
type runner struct {
	Session

	values    *condition.Set
	behaviors *policy.Behaviors
	facts     policy.EventFacts
	notices   []string
}

// run sets variables, and reports whether any was set to another value.
func (r *runner) run(ctx context.Context, observers []workflow.Observer, state *variables.State) bool {
	changed := false
	for _, o := range observers {
		facts := r.facts
		facts.Vars, facts.With = state.In(r.visit(), r.Definition.Vars), o.With
		for name, value := range r.updates(ctx, o, facts) {
			if initial, declared := r.Definition.Vars[name]; declared && !policies.SameType(initial, value) {
				r.failed(o, fmt.Errorf("vars.%s is %s, and the new value is %s", name, policies.TypeOf(initial), policies.TypeOf(value)))
				continue
			}
			if same(facts.Vars[name], value) {
				continue
			}
			if err := state.Assign(name, value, r.visit(), o.Visit); err != nil {
				r.failed(o, err)
				continue
			}
			changed = true
		}
	}
	slices.Sort(r.notices)
	return changed
}

func (r *runner) failed(o workflow.Observer, err error) {
	r.notices = append(r.notices, fmt.Sprintf("%s:%d: observer %s: %v", r.Definition.File, o.Line, o.Name, err))
}

// updates returns the new values of an observer.
func (r *runner) updates(ctx context.Context, o workflow.Observer, facts policy.EventFacts) map[string]any {
	if o.Behavior != "" {
		updates, err := r.behaviors.Run(ctx, o.Behavior, facts)
		if err != nil {
			r.failed(o, err)
		}
		return updates
	}
	known := policy.Facts(facts)
	updates := map[string]any{}
	for _, a := range o.Set {
		value, err := r.values.Value(ctx, o.ID(a), known)
		if need, unknown := r.values.Unknown(o.ID(a), facts.Vars, nil); unknown {
			err = fmt.Errorf("no value for %s", need)
		}
		if err != nil {
			r.failed(o, err)
			continue
		}
		updates[a.Name] = value
	}
	return updates
}

// same reports whether two values are equal as JSON.
func same(a, b any) bool {
	x, err := json.Marshal(a)
	y, wrong := json.Marshal(b)
	return err == nil && wrong == nil && string(x) == string(y)
}
