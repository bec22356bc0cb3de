package ruletest

import (
	"context"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/bash"
	"github.com/rulecheck/rulecheck/internal/agents/toolcall"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/rule/example"
)

// exampleWorld is where the calls of examples run: their outcome depends on nothing else.
var exampleWorld = bash.World{Root: "/home/user/repository", Home: "/home/user"}

// runCalls decides the calls of an example by one rule, and returns how they differ from
// what is wanted.
func (o *Outcome) runCalls(ctx context.Context, r *rule.Rule, x example.Example, compiled func() (*policy.Engine, error)) ([]string, error) {
	engine, err := compiled()
	if err != nil {
		return nil, err
	}
	enabled := *r
	enabled.Enabled = true // examples of rules that are switched off hold too
	checker, err := toolcall.New([]*rule.Rule{&enabled}, engine, o.Project.ToolConditions.WithGit(condition.GitState(false, exampleBranch, 0)))
	if err != nil {
		return nil, err
	}
	var details []string
	for _, c := range x.Calls {
		call := toolcall.Call{Tool: c.Tool, World: exampleWorld, Vars: o.Project.Vars, Now: exampleTime.Format(time.RFC3339)}
		if c.Tool == "" {
			call.Tool, call.Input = "Bash", map[string]any{"command": c.Text}
		} else {
			call.Input = map[string]any{"file_path": c.Text}
		}
		if len(r.Agents) > 0 {
			call.Agent = r.Agents[0]
		}
		if len(r.Phases) > 0 {
			call.Phase = r.Phases[0]
		}
		d, err := checker.Decide(ctx, call)
		if err != nil {
			return nil, err
		}
		if d.Effect != x.Effect {
			details = append(details, "- "+x.Effect+": "+c.String(), "+ "+d.Effect)
		}
		for _, failed := range d.Failed {
			details = append(details, "+ "+failed.Error())
		}
	}
	return details, nil
}
