package respond

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// liveSession is a session and the session rules that apply to it now.
type liveSession struct {
	project *setup.Project
	rules   []audit.Rule
	run     *store.Run // of a workflow; nil: none is open
	now     time.Time

	session session.Session
	visit   session.Visit
	branch  string // that is checked out, if conditions of rules may read it
	// unchecked are the rules that could not be checked because the session is too long, each
	// with the reason.
	unchecked []string
}

// project reads the rules of the working tree once. The caller may change what it gets.
func (w *World) project(ctx context.Context) (*setup.Project, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.loaded == nil {
		p, err := w.recall(ctx, w.now())
		if err != nil {
			return nil, err
		}
		w.loaded = p
	}
	own := *w.loaded
	own.Rules, own.Problems = slices.Clone(own.Rules), slices.Clone(own.Problems)
	return &own, nil
}

func (w *World) readProject(ctx context.Context, engine diff.Engine) (*setup.Project, error) {
	p, err := setup.Open(ctx, engine, diff.Head{Kind: diff.Worktree}, workflows.Agents{})
	if err != nil {
		return nil, err
	}
	if w.Managed {
		p.Manage()
	}
	builtin, err := policies.Load()
	if err != nil {
		return nil, err
	}
	p.ReadPolicies(builtin)
	return p, p.ReadRootRules(ctx, w.User)
}

// live returns the session rules of rule files and of the phase that a workflow is in. Their
// problems are for checks of changes.
func (w *World) live(ctx context.Context, h *Hooks, p *setup.Project, selection setup.Selection) (*liveSession, error) {
	l := &liveSession{project: p, now: h.Now()}
	var err error
	if l.run, err = w.running(ctx); err != nil {
		return nil, err
	}
	rules := slices.DeleteFunc(slices.Clone(p.Rules), func(r *rule.Rule) bool { return r.Workflow != "" })
	if l.run != nil && p.Config.Enabled {
		d, _, _, err := workflows.Of(p).Workflow(l.run.File)
		if err != nil {
			return nil, err
		}
		if d != nil {
			rules = append(rules, workflows.Of(p).PhaseRules(d)...)
		}
	}
	rules = slices.DeleteFunc(rules, func(r *rule.Rule) bool {
		return !p.Modes.Of(r.Mode).Session() || !r.Enabled || slices.Contains(selection.SkipIfAny, r.ID)
	})
	conditions, err := p.SessionConditionsOf(ctx, rules)
	if err != nil {
		return nil, err
	}
	conditional := false
	for _, r := range rules {
		of := audit.NewRule(r, p.Modes.Of(r.Mode)).When(conditions, nil)
		needsMore := r.Conditional() && !conditions.OfSessionAlone(r.ID) // such as a change
		if needsMore || of.Afterwards() {
			continue
		}
		l.rules = append(l.rules, of)
		conditional = conditional || r.Conditional()
	}
	if conditional {
		head, err := w.engine.Head(ctx, diff.Worktree, "")
		if err != nil {
			return nil, err
		}
		l.branch = head.Branch
	}
	return l, nil
}

// read reads what the rules need of the session, by its journal and a row to come, which may
// be nil.
func (l *liveSession) read(ctx context.Context, gitDir string, e hook.Event, next *hook.Row) error {
	phase := l.phase()
	since := l.now
	for _, r := range l.rules {
		if at := r.Since(phase.Start, l.now); at.Before(since) {
			since = at
		}
	}
	past, err := hook.ReadPast(gitDir, e.Agent, e.Session, since)
	if err != nil {
		return err
	}
	text := past.Rows
	if next != nil {
		line, err := json.Marshal(next)
		if err != nil {
			return err
		}
		text = slices.Concat(bytes.TrimRight(text, "\n"), []byte{'\n'}, line)
	}
	in := agentlog.Input{Path: past.File, Reader: bytes.NewReader(bytes.TrimLeft(text, "\n"))}
	sessions, _, err := agentlog.Load(ctx, []agentlog.Input{in}, agentlog.Options{Jobs: 1})
	if err != nil {
		return err
	}
	l.session = session.Merge(sessions)
	if !past.Start.IsZero() && (l.session.Start.IsZero() || past.Start.Before(l.session.Start)) {
		l.session.Start = past.Start
	}
	if l.session.Start.IsZero() {
		l.session.Start = l.now
	}
	l.session.ID, l.session.Agent = cmp.Or(l.session.ID, e.Session), cmp.Or(l.session.Agent, e.Agent)
	l.session.GitBranch = l.branch
	if past.Cut {
		l.session.Diagnostics = append(l.session.Diagnostics, fact.Diagnostic{
			Place: fact.Place{File: past.File}, Code: fact.TooLong, Count: 1, Loss: true, Message: tooLong,
		})
	}
	if l.run == nil {
		l.session.End = l.now
		if visits := l.session.Visits(); len(visits) > 0 {
			l.visit = visits[0]
		}
		return nil
	}
	l.visit = l.session.OpenVisit(0, phase, l.now)
	return nil
}

// phase returns the phase of the workflow; the zero phase without one.
func (l *liveSession) phase() session.Phase {
	if l.run == nil {
		return session.Phase{}
	}
	return session.Phase{Name: l.run.Phase, Start: l.run.EnteredAt, Source: "workflow", Workflow: l.run.Workflow, WorkflowID: l.run.ID}
}

// findings evaluates the rules, except those for which skip is true.
func (l *liveSession) findings(ctx context.Context, root string, skip func(audit.Rule) bool) ([]finding.Finding, error) {
	engine := sync.OnceValues(func() (*policy.Engine, error) {
		return policy.NewFor(ctx, l.project.Bundle, audit.Modes(l.rules))
	})
	auditor := audit.New(root, l.rules)
	found, err := auditor.LiveAll(ctx, engine, &l.session, l.visit, l.now, skip)
	for _, reason := range auditor.NotEvaluable() {
		if strings.Contains(reason, tooLong) {
			l.unchecked = append(l.unchecked, reason)
		}
	}
	return found, err
}

// tooLong is the reason for which rules could not be checked in a session whose journal is
// larger than is read while the agent works.
const tooLong = "the session has more events than are read while it runs"
