package respond

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/gate"
	"github.com/rulecheck/rulecheck/internal/agents/hook/queue"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/waiver"
)

// stop checks the working tree, the session and the phase of a workflow, and decides whether
// the agent may stop. A stop that is only observed has no effect on later ones.
func (w *World) stop(ctx context.Context, h *Hooks, o check.Options, e hook.Event, calls int) (hook.Decision, error) {
	result, err := check.Evaluate(ctx, w.engine, o)
	if err != nil {
		return hook.Decision{}, err
	}
	checked, err := gate.Inspect(result, queue.Worktree(w.engine.Root()))
	if err != nil {
		return hook.Decision{}, err
	}
	unchecked := w.addLive(ctx, h, result, o, e, checked)
	var unread error
	if e.Answer == "" && e.Transcript != "" {
		e.Answer, unread = gate.LastAnswer(e.Transcript)
	}
	request := queue.Stop{
		Session: e.Agent + ":" + e.Session, Findings: checked.Findings, Evaluated: checked.Evaluated, Answer: e.Answer, Promises: waiver.Promises, Now: o.Now,
		Moment: queue.Moment{Continued: e.Continued, ToolCalls: calls, Background: e.Background > 0}, Observe: h.Observe,
	}
	d, notices, err := queue.New(w.engine.GitDir()).Stop(ctx, request)
	if err != nil {
		return hook.Decision{}, err
	}
	notices = append(notices, w.changes(ctx)...)
	reason, err := checked.Reason(d)
	if err != nil {
		return hook.Decision{}, err
	}
	for _, rule := range checked.Unchecked {
		notices = append(notices, rule+`; when the session has ended, run "rulecheck audit"`)
	}
	missing := strings.Join(checked.Unchecked, "; ")
	var promised []string
	for _, f := range d.Passed {
		if !slices.Contains(promised, f.Rule) {
			promised = append(promised, f.Rule)
		}
	}
	if reason != "" {
		if unread != nil {
			notices = append(notices, "promises could not be read in the agent's log: "+unread.Error())
		}
		if unchecked != nil {
			notices = append(notices, unchecked.Error())
		}
		return hook.Decision{Verdict: hook.Block, Rule: d.Block[0].Rule, Reason: reason, Notice: strings.Join(notices, "\n"), Promised: promised, Unchecked: missing}, nil
	}
	if all := result.Report.Errors; len(all) > 0 {
		return hook.Decision{}, fmt.Errorf("%s: %w; run: rulecheck", report.Count(len(all), "error"), &all[0])
	}
	if unchecked != nil {
		return hook.Decision{}, unchecked
	}
	if open := gate.OpenText(d.Open); open != "" {
		notices = append([]string{open}, notices...)
	}
	decision := hook.Decision{Verdict: hook.Allow, Notice: strings.Join(notices, "\n"), Promised: promised, Unchecked: missing}
	notes, err := checked.Notes(d)
	if notes != "" {
		decision.Verdict, decision.Context = hook.Context, notes
	}
	return decision, err
}

// findings returns the names of the rules whose findings are open, as a context for a new
// session.
func findings(ctx context.Context, gitDir string) (hook.Decision, error) {
	entries, _, err := queue.New(gitDir).Entries(ctx)
	if err != nil {
		return hook.Decision{}, errors.Join(errors.New("the open findings cannot be read"), err)
	}
	var text strings.Builder
	for _, entry := range entries {
		if entry.Status == queue.Queued || entry.Status == queue.Failed {
			text.WriteString("\n- " + entry.RuleName)
		}
	}
	if text.Len() == 0 {
		return hook.Decision{Verdict: hook.Allow}, nil
	}
	return hook.Decision{Verdict: hook.Context, Context: "Findings of rulecheck that are open in this repository; run: rulecheck" + text.String()}, nil
}
