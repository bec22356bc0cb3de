package audit

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/bash"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/agents/toolcall"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/mask"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// maxDecided limits the decisions that are kept for equal calls.
const maxDecided = 4096

// maxEvents limits the calls that a finding lists.
const maxEvents = 5

// calls compares the calls in logs with the rules about tool calls, which decide in their
// order as they do before a call.
type calls struct {
	rules   []Rule
	checker *toolcall.Checker
	decided map[string]toolcall.Decision
}

// prepare compiles the rules at the first session.
func (c *calls) prepare(engine *policy.Engine) error {
	if c.checker != nil {
		return nil
	}
	list := make([]*rule.Rule, len(c.rules))
	for i, r := range c.rules {
		list[i] = r.Rule
	}
	noConditions := func() (*condition.Set, error) { return nil, nil } //nolint:nilnil // rules with a condition are left out
	var err error
	c.checker, err = toolcall.NewLazy(list, func() (*policy.Engine, error) { return engine, nil }, noConditions)
	c.decided = map[string]toolcall.Decision{}
	return err
}

// decide returns what would have happened to a call.
func (c *calls) decide(ctx context.Context, call *session.ToolCall, agent, phase string, w bash.World) (toolcall.Decision, error) {
	key := strings.Join(append([]string{agent, phase, w.Root, w.Dir, call.Name, string(call.Kind), call.Command}, call.Paths...), "\x00")
	if d, ok := c.decided[key]; ok {
		return d, nil
	}
	input := map[string]any{}
	if call.Command != "" {
		input["command"] = call.Command
	}
	if len(call.Paths) > 0 {
		files := make([]any, len(call.Paths))
		for i, path := range call.Paths {
			files[i] = path
		}
		input["files"] = files
	}
	d, err := c.checker.Decide(ctx, toolcall.Call{Agent: agent, Tool: call.Name, Input: input, Phase: phase, World: w})
	if err != nil {
		return d, err
	}
	if len(c.decided) >= maxDecided {
		clear(c.decided)
	}
	c.decided[key] = d
	return d, nil
}

// denied finds the calls of a session that were made although a rule denies them. It adds
// the findings of each visit to counts.
func (a *Auditor) denied(ctx context.Context, engine *policy.Engine, s *session.Session, visits []session.Visit, counts map[int]int) error {
	if len(a.calls.rules) == 0 {
		return nil
	}
	if err := a.calls.prepare(engine); err != nil {
		return err
	}
	w := bash.World{Root: filepath.ToSlash(a.rootOf(s)), Dir: filepath.ToSlash(s.Cwd)}
	if w.Root == "" {
		w.Root = filepath.ToSlash(a.root)
	}
	if len(s.Phases) == 0 { // a call needs no time then
		whole := session.Visit{Start: s.Start, End: s.End, Open: true, Calls: s.Calls}
		return a.deniedIn(ctx, s, whole, w, counts)
	}
	for _, v := range append([]session.Visit{outside(s, visits)}, visits...) {
		if err := a.deniedIn(ctx, s, v, w, counts); err != nil {
			return err
		}
	}
	return nil
}

func (a *Auditor) deniedIn(ctx context.Context, s *session.Session, v session.Visit, w bash.World, counts map[int]int) error {
	phase := ""
	if v.Phase != nil {
		phase = v.Phase.Name
	}
	found := map[string][]*session.ToolCall{}
	for i := range v.Calls {
		call := &v.Calls[i]
		if call.Old || !wasMade(call) {
			continue
		}
		d, err := a.calls.decide(ctx, call, s.Agent, phase, w)
		switch {
		case err != nil:
			return err
		case d.Rule == nil || d.Effect != toolcall.Deny:
		case len(d.Failed) > 0:
			a.failures[d.Rule.ID] = fmt.Errorf("session %s: %w", s.ID, d.Failed[0])
		default:
			found[d.Rule.ID] = append(found[d.Rule.ID], call)
		}
	}
	for _, r := range a.calls.rules {
		switch list := found[r.ID]; {
		case len(list) > 0:
			f := a.deniedFinding(r, s, v, list)
			a.findings = append(a.findings, f)
			counts[v.Index]++
			a.conclude(r, v, session.Record{}, report.Fired, "").FirstAt = f.Session.FirstAt
		case !r.mayDeny() || !a.concerns(r, s) || a.failures[r.ID] != nil || len(r.Phases) > 0 && len(s.Phases) > 0 && !slices.Contains(r.Phases, phase):
		default:
			outcome, reason := report.Held, unseen(r, s, v)
			if reason != "" {
				outcome = report.Unknown
				a.gaps.add(gap{r.ID, reason, perVisit}, startOf(s, v))
			}
			a.conclude(r, v, session.Record{}, outcome, reason)
		}
	}
	return nil
}

// wasMade reports whether a call may have had an effect.
func wasMade(c *session.ToolCall) bool {
	return c.Status != fact.Rejected && c.Status != fact.Running && (c.Kind != fact.FileEdit || c.Status != fact.Error)
}

// mayDeny reports whether a rule about tool calls denies any.
func (r Rule) mayDeny() bool {
	return r.Params[toolcall.Mode+".effect"] == toolcall.Deny || r.Params[toolcall.Mode+".opaque"] == toolcall.Deny
}

// unseen explains why calls that a rule denies may be missing from a visit; empty: none are.
func unseen(r Rule, s *session.Session, v session.Visit) string {
	_, paths := r.Params[toolcall.Mode+".paths"]
	_, command := r.Params[toolcall.Mode+".command_pattern"]
	_, not := r.Params[toolcall.Mode+".command_not_pattern"]
	switch {
	case len(r.Agents) > 0 && s.Agent == "":
		return "the log does not say which agent it is of"
	case len(r.Phases) > 0 && len(s.Phases) == 0:
		return noPhases
	case len(r.Phases) > 0 && len(s.Calls) > 0 && s.Calls[0].At.IsZero():
		return "calls without a readable time"
	}
	for _, d := range s.Diagnostics {
		hidden := d.Code == fact.Opaque || d.Code == fact.UnknownTool
		timeOrTokens := d.Code == fact.NoTime || d.Code == fact.ClockOutlier || d.Code == fact.WrongTokens || d.Code == fact.Overflow
		if d.Loss && !timeOrTokens && (!hidden || paths || command || not) {
			return d.Message
		}
	}
	for _, c := range v.Calls {
		switch {
		case !wasMade(&c):
		case c.Kind == fact.Command && c.Command == "" && (paths || command || not):
			return "the log does not record the text of some commands"
		case paths && len(c.Paths) == 0 && (c.Kind == fact.FileEdit || c.Kind == fact.MCP && toolcall.Writes(c.Name)):
			return "the log does not record the files of some calls"
		}
	}
	return ""
}

// deniedFinding makes a finding of the calls of a visit that a rule denies.
func (a *Auditor) deniedFinding(r Rule, s *session.Session, v session.Visit, list []*session.ToolCall) finding.Finding {
	m := fact.Metrics{Count: int64(len(list)), At: list[len(list)-1].At, Start: v.Start, End: v.End}
	for _, c := range list[max(0, len(list)-maxEvents):] {
		m.Events = append(m.Events, fact.Event{At: c.At, Tool: c.Name, Text: textOf(c)})
	}
	message := fmt.Sprintf("%s made that the rule denies: %s", report.Count(len(list), "call"), textOf(list[0]))
	f := sessionFinding(r, s, v, m, policy.Violation{Message: message})
	f.Session.FirstAt = list[0].At
	if pattern, ok := r.Params[toolcall.Mode+".command_pattern"].(string); ok {
		f.Session.Pattern = pattern
	}
	a.place(&f, r, s, list[0].Place)
	return f
}

// textOf describes a call in one line: its command, or the tool and its files.
func textOf(c *session.ToolCall) string { return mask.Excerpt(lineOf(c)) }

// lineOf returns what [textOf] masks.
func lineOf(c *session.ToolCall) string {
	if c.Kind == fact.Command {
		return c.Command
	}
	return strings.TrimSpace(c.Name + " " + strings.Join(c.Paths, " "))
}
