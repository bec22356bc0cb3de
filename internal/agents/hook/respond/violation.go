package respond

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/gate"
	"github.com/rulecheck/rulecheck/internal/agents/hook/queue"
	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/finding"
)

// subject returns what identifies a violation: the text of its rule, and the visit.
func (l *liveSession) subject(id string) (text, base string) {
	i := slices.IndexFunc(l.rules, func(r audit.Rule) bool { return r.ID == id })
	r := l.rules[i].Rule
	whole, err := json.Marshal([]any{r.Info, l.visit.Start})
	if err != nil {
		whole = fmt.Append(nil, r.Info, l.visit.Start)
	}
	return string(whole), "session:" + l.session.ID
}

// afterTool returns the violations of session rules that the agent does not know of. A rule
// that fires, stops firing and fires again violates twice.
func (w *World) afterTool(ctx context.Context, h *Hooks, e hook.Event, known []string) (hook.Decision, []string, error) {
	p, err := w.project(ctx)
	if err != nil {
		return allowed, known, err
	}
	o, err := w.Options(w.repo)
	if err != nil {
		return allowed, known, err
	}
	l, err := w.live(ctx, h, p, o.Selection)
	if err != nil || len(l.rules) == 0 {
		return allowed, nil, err
	}
	row := e.Row(l.now)
	if row.Input != nil { // as it will be in the journal
		in := row.Input.Bounded()
		row.Input = &in
	}
	if err := l.read(ctx, h.GitDir, e, &row); err != nil {
		return allowed, known, err
	}
	root := w.engine.Root()
	fired := map[string]bool{} // by the digests of rules
	for _, digest := range known {
		fired[digest] = true
	}
	digest := func(id string) string {
		text, base := l.subject(id)
		return hook.Digest(id + "\x00" + text + "\x00" + base)[:16]
	}
	found, err := l.findings(ctx, root, func(r audit.Rule) bool { return r.Unmoved(&e.Call, root) && !fired[digest(r.ID)] })
	var firing, texts []string
	first := ""
	for _, f := range found {
		d := digest(f.Rule)
		if firing = append(firing, d); fired[d] {
			continue
		}
		if first == "" {
			first = f.Rule
		}
		texts = append(texts, strings.TrimSpace(finding.Visible(f.Name)+": "+finding.Visible(f.Message)+"\n\n"+f.Body))
	}
	if len(texts) == 0 {
		return allowed, firing, err
	}
	return hook.Decision{Verdict: hook.Context, Rule: first, Context: strings.Join(texts, "\n\n")}, firing, err
}

// addLive adds the violations of session rules, and what the phase of a workflow still
// requires, to what a stop is decided by.
func (w *World) addLive(ctx context.Context, h *Hooks, result *check.Result, o check.Options, e hook.Event, checked *gate.Checked) error {
	l, err := w.live(ctx, h, result.Project, o.Selection)
	if err != nil {
		return err
	}
	if len(l.rules) > 0 {
		if err := l.read(ctx, h.GitDir, e, nil); err != nil {
			return err
		}
		found, err := l.findings(ctx, w.engine.Root(), func(audit.Rule) bool { return false })
		for _, f := range found {
			text, base := l.subject(f.Rule)
			checked.Add(f, text, base)
		}
		checked.Unchecked = l.unchecked
		for _, r := range l.rules {
			checked.Evaluated[finding.Visible(r.Name)] = true
		}
		if err != nil {
			return err
		}
	}
	if l.run == nil {
		return nil
	}
	return w.addPending(ctx, h, l.run.ID, e, checked)
}

// addPending adds what the current phase of a run requires.
func (w *World) addPending(ctx context.Context, h *Hooks, run string, e hook.Event, checked *gate.Checked) error {
	runner, err := phase.Open(ctx, w.engine, phase.Options{User: w.User, Version: h.Version, GitDir: h.GitDir, Now: h.Now})
	if err != nil {
		return err
	}
	pending, err := runner.Pending(ctx, run)
	if pending == nil || err != nil {
		return err
	}
	f := finding.Finding{
		Rule: pending.Run.Workflow + "." + pending.Run.Phase + ".gate", Name: "Gate of " + pending.Run.Phase, Mode: "gate", Level: finding.Error,
		Path: pending.File, Line: max(1, pending.Line), Message: fmt.Sprintf("the workflow %s is still in the phase %s", pending.Run.Workflow, pending.Run.Phase),
		Body: pending.Text(),
	}
	checked.Add(f, f.Body, fmt.Sprintf("%s%s:%d:%s:%s", queue.GateBase, pending.Run.ID, pending.Visit, e.Agent, e.Session))
	return nil
}
