package audit

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

// journaled returns the phases that the workflows of a working tree were in, in order of
// time. The error joins those of the workflows whose journal cannot be read.
func journaled(ctx context.Context, gitDir string) ([]session.Phase, error) {
	if _, err := os.Stat(gitDir); gitDir == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	s := store.New(gitDir)
	runs, err := s.List(ctx)
	errs := []error{err}
	var phases []session.Phase
	for _, run := range runs {
		records, err := s.History(ctx, run.ID)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		phases = append(phases, phasesOf(run, records)...)
	}
	slices.SortStableFunc(phases, func(a, b session.Phase) int { return a.Start.Compare(b.Start) })
	return phases, errors.Join(errs...)
}

// ledTree is a working tree with the phases that its workflows were in.
type ledTree struct {
	root    string
	phases  []session.Phase
	damaged bool // a journal cannot be read
}

// journaledIn is [journaled] for all working trees of a repository, by their roots. Sessions
// outside of them are as in the tree of the engine.
func journaledIn(ctx context.Context, engine diff.Engine, others []gitfile.WorkTree) (map[string]ledTree, error) {
	trees := map[string]ledTree{}
	var errs []error
	for _, t := range append([]gitfile.WorkTree{{Root: engine.Root(), GitDir: engine.GitDir()}}, others...) {
		phases, err := journaled(ctx, t.GitDir)
		errs = append(errs, err)
		trees[t.Root] = ledTree{t.Root, phases, err != nil}
	}
	trees[""] = trees[engine.Root()]
	return trees, errors.Join(errs...)
}

// phasesOf returns the phases that a workflow entered.
func phasesOf(run store.Run, records []store.Record) []session.Phase {
	var phases []session.Phase
	for _, r := range records {
		for _, e := range r.Events {
			if n := len(phases); n > 0 && (e.To != "" || e.Kind == store.EventAborted) {
				phases[n-1].End = r.At
			}
			if e.To != "" {
				phases = append(phases, session.Phase{
					Name: e.To, Start: r.At, Source: "workflow", Workflow: run.Workflow, WorkflowID: run.ID, Terminal: e.To == workflow.Done,
				})
			}
		}
	}
	return phases
}

// during returns the phases that a session of this repository took part in, by its working
// directory and its time. A log that records phases itself knows better, unless they are
// those of the same runs: a journal has every step.
func during(phases []session.Phase, s *session.Session, root string) []session.Phase {
	if !isLedHere(s, root) && (len(s.Phases) == 0 || !journals(phases, s.Phases)) {
		return s.Phases
	}
	return slices.DeleteFunc(slices.Clone(phases), func(p session.Phase) bool {
		return p.Start.After(s.End) || !p.End.IsZero() && p.End.Before(s.Start)
	})
}

// journals reports whether phases include the runs that a log names.
func journals(phases, logged []session.Phase) bool {
	return !slices.ContainsFunc(logged, func(l session.Phase) bool {
		return l.WorkflowID == "" || !slices.ContainsFunc(phases, func(p session.Phase) bool { return p.WorkflowID == l.WorkflowID })
	})
}

// isLedHere reports whether the workflows of a working tree may have led a session: it was
// there, and its log records no phases.
func isLedHere(s *session.Session, root string) bool {
	return len(s.Phases) == 0 && !s.Start.IsZero() && s.Cwd != "" && isBelow(s.Cwd, root)
}
