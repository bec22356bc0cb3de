package respond

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/toolcall"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// guard is the rules about tool calls, in the working tree.
type guard struct {
	*setup.Project

	unusable error // about rules that cannot be used; the others are there
}

// guard reads the rules.
func (w *World) guard(ctx context.Context) (*guard, error) {
	p, err := w.project(ctx)
	if err != nil {
		return nil, err
	}
	g := &guard{Project: p}
	p.Rules = slices.DeleteFunc(slices.Clone(p.Rules), func(r *rule.Rule) bool { return !p.Modes.Of(r.Mode).Tool() })
	g.unusable = errors.Join(p.CompileConditions(ctx), unusable(p))
	return g, nil
}

// toolKey matches the key of the mode in a rule file that cannot be read as one.
var toolKey = lazyregexp.New(`(?m)^\s*["']?` + toolcall.Mode + `["']?\s*:`)

// unusable returns the first problem of the configuration, of a policy, or of what may be a
// tool rule. What is wrong with other rules is for checks of changes.
func unusable(p *setup.Project) error {
	for _, problem := range p.Problems {
		isRule := strings.HasSuffix(problem.File, ".md")
		if text, err := p.Source(problem.File); err != nil || !isRule || toolKey().Match(text) {
			if problem.File == "" { // about a pack
				return errors.New(problem.Message)
			}
			return fmt.Errorf("%s:%d: %s", problem.File, problem.Line, problem.Message)
		}
	}
	return nil
}

// denies reports whether a rule denies calls.
func denies(r *rule.Rule) bool {
	return r.Enabled && r.Params[toolcall.Mode+".effect"] == toolcall.Deny
}

// tool compares a call with the tool rules.
func (w *World) tool(ctx context.Context, h *Hooks, e hook.Event) (hook.Decision, error) {
	g, err := w.guard(ctx)
	if err != nil {
		return allowed, err
	}
	run, err := w.running(ctx)
	if err != nil {
		return allowed, err
	}
	rules, conditions, err := w.toolRules(ctx, g, run)
	if err != nil || len(rules) == 0 {
		return allowed, errors.Join(err, g.unusable)
	}
	engine := sync.OnceValues(func() (*policy.Engine, error) { return policy.NewFor(ctx, g.Bundle, []string{toolcall.Mode}) })
	checker, err := toolcall.NewLazy(rules, engine, conditions)
	if err != nil {
		return allowed, err
	}
	call := toolcall.Call{
		Agent: e.Agent, Tool: e.Call.Name, MCP: policy.MCPFacts{Server: e.Server, Tool: e.Tool}, Now: h.Now().UTC().Format(time.RFC3339), World: w.place(e),
	}
	if slices.ContainsFunc(rules, func(r *rule.Rule) bool { return r.Conditional() }) {
		if call.Vars, err = w.vars(g.Project, run); err != nil {
			return allowed, err
		}
	}
	if run != nil {
		call.Phase = run.Phase
	}
	if err := json.Unmarshal(e.Input, &call.Input); err != nil && len(e.Input) > 0 {
		return allowed, fmt.Errorf("the input of the tool: %w", err)
	}
	d, err := checker.Decide(ctx, call)
	if err != nil {
		return allowed, err
	}
	if g.unusable != nil && d.Effect != toolcall.Deny { // the rule that cannot be used may deny
		return allowed, g.unusable
	}
	return decisionOf(d), nil
}

// late returns the context that a rule has for a call that has ended. It is compared
// again, because journals hold no texts.
func (w *World) late(ctx context.Context, h *Hooks, e hook.Event) (hook.Decision, error) {
	d, err := w.tool(ctx, h, e)
	if err != nil || d.Verdict != hook.Context {
		return allowed, err
	}
	return d, nil
}

// decisionOf returns the neutral form of a decision about a call.
func decisionOf(d toolcall.Decision) hook.Decision {
	verdicts := map[string]hook.Verdict{toolcall.Deny: hook.Deny, toolcall.Ask: hook.Ask, toolcall.Warn: hook.Context}
	out := hook.Decision{Verdict: hook.Allow}
	if len(d.Failed) > 0 {
		out.Notice = errors.Join(d.Failed...).Error()
	}
	verdict, ok := verdicts[d.Effect]
	if !ok || d.Rule == nil {
		return out
	}
	out.Verdict, out.Rule = verdict, d.Rule.ID
	text := d.Reason
	if strings.TrimSpace(d.Rule.Body) != "" { // else the text names the rule
		text = d.Rule.Name + ": " + text
	}
	if verdict == hook.Context {
		out.Context = text
	} else {
		out.Reason = text
	}
	return out
}

// link resolves the symbolic links of a path.
func link(name string) string {
	if resolved, err := filepath.EvalSymlinks(filepath.FromSlash(name)); err == nil {
		return filepath.ToSlash(resolved)
	}
	return name
}
