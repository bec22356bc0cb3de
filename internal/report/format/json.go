package format

import (
	"encoding/json"
	"io"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

func writeJSON(w io.Writer, r *report.Report, _ Options) error {
	return encodeJSON(w, forJSON(r))
}

// encodeJSON writes v indented and without escaping HTML characters.
func encodeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// forJSON returns a copy in which every text is valid UTF-8, because encoding/json
// would replace invalid bytes by U+FFFD, and no list is nil, so that readers need
// not handle null.
func forJSON(r *report.Report) *report.Report {
	c := *r
	c.RulesFrom = finding.Printable(r.RulesFrom)
	c.Baselines = each(r.Baselines, baselineForJSON)
	c.Changes = map[string][]diff.Change{}
	for id := range r.Changes {
		c.Changes[id] = each(r.Changes[id], func(change diff.Change) diff.Change {
			change.Path, change.OldPath = finding.Printable(change.Path), finding.Printable(change.OldPath)
			return change
		})
	}
	c.Summary = r.FullSummary()
	c.Findings = each(r.Findings, findingForJSON)
	if r.Sessions != nil || r.Diagnostics != nil || r.Command == report.Audit {
		c.Sessions = each(r.Sessions, sessionForJSON)
		c.Diagnostics = each(r.Diagnostics, diagnosticForJSON)
	}
	c.Commands = each(r.Commands, commandForJSON)
	c.Notices = each(r.Notices, finding.Printable)
	c.Errors = each(r.Errors, func(p finding.Problem) finding.Problem {
		p.File, p.Message = finding.Printable(p.File), finding.Printable(p.Message)
		return p
	})
	return &c
}

func baselineForJSON(b report.Baseline) report.Baseline {
	b.Ref, b.FoundBy, b.Head = finding.Printable(b.Ref), finding.Printable(b.FoundBy), finding.Printable(b.Head)
	return b
}

func commandForJSON(c report.Command) report.Command {
	c.Argv, c.Files, c.Changed = each(c.Argv, finding.Printable), each(c.Files, finding.Printable), each(c.Changed, finding.Printable)
	c.Failed, c.Stdout, c.Stderr = finding.Printable(c.Failed), finding.Printable(c.Stdout), finding.Printable(c.Stderr)
	return c
}

func findingForJSON(f finding.Finding) finding.Finding {
	f.Rule, f.Name = finding.Printable(f.Rule), finding.Printable(f.Name)
	f.Path, f.Message = finding.Printable(f.Path), finding.Printable(f.Message)
	f.TriggerFiles = each(f.TriggerFiles, finding.Printable)
	f.Expected = each(f.Expected, finding.Printable)
	f.Related = each(f.Related, func(l finding.Location) finding.Location {
		l.Path = finding.Printable(l.Path)
		return l
	})
	if f.Waiver != nil {
		waiver := *f.Waiver
		waiver.Reason, waiver.NotHonoured = finding.Printable(waiver.Reason), finding.Printable(waiver.NotHonoured)
		f.Waiver = &waiver
	}
	f.Session, f.Body = detailsForJSON(f.Session), finding.Printable(f.Body)
	return f
}

// each applies f to every element. The result is never nil.
func each[T any](list []T, f func(T) T) []T {
	mapped := make([]T, 0, len(list))
	for _, element := range list {
		mapped = append(mapped, f(element))
	}
	return mapped
}
