package mcp

import (
	"context"
	"slices"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

func listWorkflows(ctx context.Context, f *phase.Runner, _ given) (any, error) {
	l, err := f.List(ctx)
	if err != nil {
		return nil, err
	}
	return struct {
		Workflows []phase.Workflow `json:"workflows"`
	}{l.Workflows}, nil
}

func listSessions(ctx context.Context, f *phase.Runner, _ given) (any, error) {
	l, err := f.List(ctx)
	if err != nil {
		return nil, err
	}
	return struct {
		Sessions []phase.SessionSummary `json:"sessions"`
		Notices  []string               `json:"notices"`
	}{l.Sessions, l.Notices}, nil
}

func start(ctx context.Context, f *phase.Runner, g given) (any, error) {
	return f.Start(ctx, g.text("workflow"), g.text("target"))
}

func getPhase(ctx context.Context, f *phase.Runner, g given) (any, error) {
	name, err := phaseOf(ctx, f, g)
	if err != nil {
		return nil, err
	}
	return f.Show(ctx, g.text("session_id"), name)
}

func completePhase(ctx context.Context, f *phase.Runner, g given) (any, error) {
	name, err := phaseOf(ctx, f, g)
	if err != nil {
		return nil, err
	}
	return f.Complete(ctx, g.text("session_id"), name, g.object("evidence"))
}

func next(ctx context.Context, f *phase.Runner, g given) (any, error) {
	from := ""
	if _, given := g["phase"]; given {
		var err error
		if from, err = phaseOf(ctx, f, g); err != nil {
			return nil, err
		}
	}
	return f.Next(ctx, g.text("session_id"), phase.NextInput{Claims: g.object("claims"), From: from})
}

func resume(ctx context.Context, f *phase.Runner, g given) (any, error) {
	return f.Continue(ctx, g.text("session_id"))
}

func getState(ctx context.Context, f *phase.Runner, g given) (any, error) {
	s, err := f.Status(ctx, g.text("session_id"))
	if err != nil {
		return nil, err
	}
	return s.Standing, nil
}

func getSession(ctx context.Context, f *phase.Runner, g given) (any, error) {
	return f.Status(ctx, g.text("session_id"))
}

func deleteSession(ctx context.Context, f *phase.Runner, g given) (any, error) {
	id := g.text("session_id")
	if err := f.Delete(ctx, id); err != nil {
		return nil, err
	}
	return &phase.Deleted{Session: id}, nil
}

// phaseOf returns the name of the requested phase, by default the current one. A
// number is a position, unless it is the name of a phase.
func phaseOf(ctx context.Context, f *phase.Runner, g given) (string, error) {
	if name, ok := g["phase"].(string); ok {
		return name, nil
	}
	s, err := f.Status(ctx, g.text("session_id"))
	if err != nil {
		return "", err
	}
	number, ok := g["phase"].(float64)
	if !ok {
		return s.Phase, nil
	}
	l, err := f.List(ctx)
	if err != nil {
		return "", err
	}
	var phases []string
	for _, w := range l.Workflows {
		if w.File == s.State.File || w.Name == s.State.File {
			phases = w.Phases
		}
	}
	name := strconv.FormatFloat(number, 'f', -1, 64)
	switch {
	case slices.Contains(phases, name):
		return name, nil
	case number >= 1 && number <= float64(len(phases)):
		return phases[int(number)-1], nil
	}
	return "", invalid("phase: unknown phase %s%s", name, suggest.OneOf(name, phases))
}
