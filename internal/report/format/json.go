package format

import (
	"io"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// writeJSON writes the findings and sessions of a merged report one by one.
func writeJSON(w io.Writer, r *report.Report, _ Options) error {
	if r.Source == nil {
		return plain.WriteJSON(w, forJSON(r))
	}
	c := *r
	if c.Diagnostics == nil && r.SessionCount() > 0 {
		c.Diagnostics = []fact.Diagnostic{}
	}
	return plain.WriteJSONLists(w, forJSON(&c),
		plain.ListOf(1, "findings", r.EachFinding(), findingForJSON), plain.ListOf(1, "sessions", r.EachSession(), sessionForJSON))
}

// forJSON returns a copy in which no list is nil, so that readers need not handle null.
func forJSON(r *report.Report) *report.Report {
	c := *r
	c.Baselines = list(r.Baselines)
	c.Changes = map[string][]diff.Change{}
	for id := range r.Changes {
		c.Changes[id] = list(r.Changes[id])
	}
	c.Summary = r.FullSummary()
	c.Findings = each(r.Findings, findingForJSON)
	c.Stack = stackForJSON(r.Stack)
	if r.Sessions != nil || r.Diagnostics != nil || r.Command == report.Audit {
		c.Sessions = each(r.Sessions, sessionForJSON)
		c.Diagnostics = list(r.Diagnostics)
	}
	c.Commands = each(r.Commands, func(c report.Command) report.Command {
		c.Argv, c.Files, c.Changed = list(c.Argv), list(c.Files), list(c.Changed)
		return c
	})
	c.Notices = list(r.Notices)
	c.Errors = list(r.Errors)
	return &c
}

func findingForJSON(f finding.Finding) finding.Finding {
	f.TriggerFiles, f.Expected, f.Related = list(f.TriggerFiles), list(f.Expected), list(f.Related)
	if f.Session != nil {
		details := *f.Session
		details.Recent = list(details.Recent)
		f.Session = &details
	}
	return f
}

func stackForJSON(commits []report.StackCommit) []report.StackCommit {
	return each(commits, func(c report.StackCommit) report.StackCommit {
		c.Findings = each(c.Findings, findingForJSON)
		return c
	})
}

func sessionForJSON(s report.Session) report.Session {
	s.Logs, s.Visits, s.Diagnostics = list(s.Logs), list(s.Visits), list(s.Diagnostics)
	return s
}

// list returns a list that is not nil.
func list[T any](of []T) []T {
	if of == nil {
		return []T{}
	}
	return of
}

// each applies f to every element. The result is never nil.
func each[T any](list []T, f func(T) T) []T {
	mapped := make([]T, 0, len(list))
	for _, element := range list {
		mapped = append(mapped, f(element))
	}
	return mapped
}
