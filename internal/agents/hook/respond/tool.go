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
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
	"github.com/rulecheck/rulecheck/internal/agents/toolcall"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// guard is the rules about tool calls, in the working tree.
type guard struct {
	*setup.Project

	unusable error    // about rules that cannot be used; the others are there
	files    []string // that have them
}

// guard reads the rules.
func (w *World) guard(ctx context.Context) (*guard, error) {
	p, err := w.project(ctx)
	if err != nil {
		return nil, err
	}
	g := &guard{Project: p}
	p.Rules = slices.DeleteFunc(slices.Clone(p.Rules), func(r *rule.Rule) bool { return !p.Modes.Of(r.Mode).Tool() })
	compiled := p.CompileConditions(ctx)
	g.files, g.unusable = unusable(p)
	g.unusable = errors.Join(compiled, g.unusable)
	return g, nil
}

// toolKey matches the key of the mode in a rule file that cannot be read as one.
var toolKey = lazyregexp.New(`(?m)^\s*["']?` + toolcall.Mode + `["']?\s*:`)

// unusable returns the problems of the configuration, of policies, or of what may be tool
// rules, and the files that have them. What is wrong with other rules is for checks of changes.
func unusable(p *setup.Project) (files []string, err error) {
	var problems []error
	for _, problem := range p.Problems {
		isRule := strings.HasSuffix(problem.File, ".md")
		if text, err := p.Source(problem.File); err != nil || !isRule || toolKey().Match(text) {
			if problem.File == "" { // about a pack
				problems = append(problems, errors.New(problem.Message))
				continue
			}
			files = append(files, problem.File)
			problems = append(problems, problem)
		}
	}
	return files, errors.Join(problems...)
}

// repairs reports whether a call reads or edits only files that cannot be used, or shows what is
// wrong with them: an agent that wrote a rule must be able to correct it.
func (w *World) repairs(e hook.Event, files []string) bool {
	if e.Call.Kind == fact.Command {
		return strings.TrimSpace(e.Call.Command) == "rulecheck rules validate"
	}
	if e.Call.Kind != fact.Read && e.Call.Kind != fact.FileEdit || len(e.Call.Paths) == 0 {
		return false
	}
	return !slices.ContainsFunc(e.Call.Paths, func(name string) bool {
		if !filepath.IsAbs(name) {
			name = filepath.Join(w.engine.Root(), name)
		}
		within, err := filepath.Rel(w.engine.Root(), filepath.FromSlash(link(filepath.ToSlash(name))))
		return err != nil || !slices.Contains(files, filepath.ToSlash(within))
	})
}

// denies reports whether a rule denies calls.
func denies(r *rule.Rule) bool {
	return r.Enabled && r.Params[toolcall.Mode+".effect"] == toolcall.Deny
}

// tool compares a call with the tool rules.
func (w *World) tool(ctx context.Context, h *Hooks, e hook.Event) (hook.Decision, error) {
	q, err := w.question(ctx, h.Now(), e)
	if err != nil {
		return allowed, err
	}
	if q.checker == nil {
		return allowed, q.unusable
	}
	d, err := q.checker.Decide(ctx, q.call)
	if err != nil {
		return allowed, err
	}
	if q.unusable != nil && d.Effect != toolcall.Deny { // the rule that cannot be used may deny
		return allowed, q.unusable
	}
	return decisionOf(d), nil
}

// question is a call and the rules that decide on it.
type question struct {
	call     toolcall.Call
	checker  *toolcall.Checker // nil: there are no rules
	unusable error             // about rules that cannot be used and may be about the call
}

// question prepares the comparison of a call with the tool rules.
func (w *World) question(ctx context.Context, now time.Time, e hook.Event) (q question, err error) {
	g, err := w.guard(ctx)
	if err != nil {
		return q, err
	}
	run, err := w.running(ctx)
	if err != nil {
		return q, err
	}
	rules, conditions, err := w.toolRules(ctx, g, run)
	if q.unusable = g.unusable; q.unusable != nil && w.repairs(e, g.files) {
		q.unusable = nil
	}
	if err != nil {
		return q, errors.Join(err, q.unusable)
	}
	if len(rules) == 0 {
		return q, nil
	}
	engine := sync.OnceValues(func() (*policy.Engine, error) { return policy.NewFor(ctx, g.Bundle, []string{toolcall.Mode}) })
	q.call = toolcall.Call{
		Agent: e.Agent, Opaque: w.opaque(g, e), Tool: e.Call.Name, MCP: policy.MCPFacts{Server: e.Server, Tool: e.Tool}, Now: now.UTC().Format(time.RFC3339), World: w.place(e),
	}
	if slices.ContainsFunc(rules, func(r *rule.Rule) bool { return r.Conditional() }) {
		if q.call.Vars, err = w.vars(g.Project, run); err != nil {
			return q, err
		}
	}
	if run != nil {
		q.call.Phase = run.Phase
		d, err := w.definition(g.Project, run)
		if err != nil {
			return q, err
		}
		q.call.Workflow = fact.Workflow{Name: d.Stem(), Phase: run.Phase, Later: d.Later(run.Phase, run.Completed)}
	}
	if err := json.Unmarshal(e.Input, &q.call.Input); err != nil && len(e.Input) > 0 {
		return q, fmt.Errorf("the input of the tool: %w", err)
	}
	q.checker, err = toolcall.NewLazy(rules, engine, conditions)
	return q, err
}

// opaque returns the effect on calls that cannot be read in full: an agent that cannot ask would
// refuse calls that no user can confirm.
func (w *World) opaque(g *guard, e hook.Event) string {
	if d, ok := dialect.Named(e.Agent); ok && g.Config.Opaque == "" && !d.Asks(e.Name) {
		return toolcall.Warn
	}
	return g.Config.Opaque
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
	if strings.TrimSpace(d.Rule.Body) != "" && !d.Unread { // else the text names the rule
		text = d.Rule.Name + ": " + text
	}
	if verdict == hook.Context {
		out.Context = text
	} else {
		out.Reason = text
	}
	return out
}
