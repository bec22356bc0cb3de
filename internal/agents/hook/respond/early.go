package respond

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/gate"
	"github.com/rulecheck/rulecheck/internal/agents/hook/queue"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

const (
	maxReported = 100 // findings that a session remembers
	maxExpected = 3   // files that a line names
	maxLines    = 5

	endGrace = 300 * time.Millisecond // to end what the deadline has cancelled
)

// early reports to an agent that has edited files which partners are expected too, once for
// each finding. It helps the agent and decides nothing: what cannot be checked, or not in time,
// is left to the stop.
func (w *World) early(ctx context.Context, h *Hooks, e hook.Event, base *hook.Base, reported []string) (hook.Decision, []string) {
	if e.Call.Kind != fact.FileEdit || e.Call.Status == fact.Error {
		return allowed, reported
	}
	edited := w.within(e.Call.Paths)
	if len(edited) == 0 {
		return allowed, reported
	}
	ctx, cancel := context.WithTimeout(ctx, h.EarlyTime)
	defer cancel()
	p, err := w.project(ctx)
	if err != nil || !w.mayLack(p, edited) {
		return allowed, reported
	}
	var background conc.WaitGroup // never waited for: an answer in time counts more
	done := make(chan *check.Result, 1)
	background.Go(func() {
		result, err := w.partners(ctx, h, p, edited, base)
		if err != nil || len(result.Report.Errors) > 0 {
			result = nil
		}
		done <- result
	})
	select {
	case result := <-done:
		if result != nil {
			return lacking(result, edited, reported)
		}
		return allowed, reported
	case <-ctx.Done():
	}
	select { // what was started must end before this process does
	case <-done:
	case <-time.After(endGrace):
	}
	return allowed, reported
}

// within returns those of some paths that are in the working tree, relative to its top.
func (w *World) within(paths []string) []string {
	var inside []string
	for _, name := range paths {
		if !filepath.IsAbs(name) {
			name = filepath.Join(w.engine.Root(), name)
		}
		// The file itself may be a link, which git tracks as one.
		dir := filepath.FromSlash(link(filepath.ToSlash(filepath.Dir(name))))
		at, err := filepath.Rel(w.engine.Root(), filepath.Join(dir, filepath.Base(name)))
		if err == nil && filepath.IsLocal(at) {
			inside = append(inside, filepath.ToSlash(at))
		}
	}
	return inside
}

// expectsPartners reports whether a rule can be about an edit that needs others: changed files
// need others, and no command makes them.
func expectsPartners(r *rule.Rule) bool {
	return (r.Mode == modeSet || r.Mode == modePair) && r.Enabled && r.Action == nil && r.Level != finding.Note
}

// The modes in which changed files need others.
const (
	modeSet  = "set"
	modePair = "pair"
)

// matchesAny reports whether a pattern that can trigger a rule matches one of some files.
func matchesAny(r *rule.Rule, paths []string) bool {
	for param, patterns := range r.Patterns {
		if param == rule.Exclude || param == rule.Safety {
			continue
		}
		for _, p := range patterns {
			if slices.ContainsFunc(paths, func(name string) bool { _, ok := p.Match(name); return ok }) {
				return true
			}
		}
	}
	return false
}

// mayLack reports whether rules are about the edited files: those of the root, or of a directory
// above one of them, which are not read yet.
func (w *World) mayLack(p *setup.Project, edited []string) bool {
	if slices.ContainsFunc(p.Rules, func(r *rule.Rule) bool { return expectsPartners(r) && matchesAny(r, edited) }) {
		return true
	}
	return slices.ContainsFunc(edited, func(name string) bool {
		for dir := filepath.Dir(filepath.FromSlash(name)); dir != "."; dir = filepath.Dir(dir) {
			if _, err := os.Lstat(filepath.Join(w.engine.Root(), dir, setup.Dir)); err == nil {
				return true
			}
		}
		return false
	})
}

// partners checks the working tree by the rules that are about the edited files.
func (w *World) partners(ctx context.Context, h *Hooks, p *setup.Project, edited []string, base *hook.Base) (*check.Result, error) {
	o, err := w.Options(w.repo)
	if err != nil {
		return nil, err
	}
	if base != nil {
		o.Prompt = base.Snapshot
	}
	if o.Vars, err = w.sessionVars(ctx); err != nil {
		return nil, err
	}
	o.Now, o.Commands = h.Now(), check.Commands{Off: "an edit runs no commands"}
	engine, embedded := w.engine, w.repo == nil
	asksProgram := func(r *rule.Rule) bool { // which alone knows the state at a prompt
		return embedded && r.CompareTo == rule.ComparePrompt && expectsPartners(r) && matchesAny(r, edited)
	}
	if slices.ContainsFunc(p.Rules, asksProgram) {
		if engine, err = w.withProgram(ctx); err != nil {
			return nil, err
		}
		embedded = false
	}
	// Rules of directories are not known before; those about prompts are left to the stop.
	o.Concerns = func(r *rule.Rule) bool { return expectsPartners(r) && matchesAny(r, edited) && !asksProgram(r) }
	return check.Evaluate(ctx, engine, o)
}

// withProgram returns the engine that asks the git program, with what the session remembers.
func (w *World) withProgram(ctx context.Context) (diff.Engine, error) {
	engine, err := w.openProgram(ctx)
	if err != nil {
		return nil, err
	}
	if r, ok := w.engine.(remembering); ok {
		r.Engine = engine
		return r, nil
	}
	return engine, nil
}

// lacking returns a line for each finding that the edited files caused and that was not reported.
func lacking(result *check.Result, edited, reported []string) (hook.Decision, []string) {
	var lines []string
	first := ""
	for _, f := range gate.Early(result) {
		caused := slices.ContainsFunc(f.TriggerFiles, func(name string) bool { return slices.Contains(edited, name) })
		if !caused || len(f.Expected) == 0 || f.Level == finding.Note || slices.Contains(reported, f.Hash) {
			continue
		}
		reported = append(reported, f.Hash)
		if first == "" {
			first = f.Rule
		}
		lines = append(lines, expectation(f))
	}
	reported = reported[max(0, len(reported)-maxReported):]
	if len(lines) == 0 {
		return allowed, reported
	}
	if len(lines) > maxLines {
		lines = append(lines[:maxLines], fmt.Sprintf("and %d more", len(lines)-maxLines))
	}
	return hook.Decision{Verdict: hook.Context, Rule: first, Context: strings.Join(lines, "\n")}, reported
}

// expectation says which files are expected.
func expectation(f queue.Finding) string {
	var names []string
	for _, name := range f.Expected[:min(len(f.Expected), maxExpected)] {
		names = append(names, finding.Visible(name))
	}
	if more := len(f.Expected) - maxExpected; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	text, verb := names[0], "is"
	if last := len(names) - 1; last > 0 {
		text, verb = strings.Join(names[:last], ", ")+" and "+names[last], "are"
	}
	return fmt.Sprintf("%s %s expected too (rule %s)", text, verb, f.Name)
}
