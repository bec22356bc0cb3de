package format

import (
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

func sessionForJSON(s report.Session) report.Session {
	s.ID, s.Agent, s.Branch = finding.Printable(s.ID), finding.Printable(s.Agent), finding.Printable(s.Branch)
	s.Logs = each(s.Logs, finding.Printable)
	s.Visits = each(s.Visits, func(v report.Visit) report.Visit {
		v.Phase, v.Workflow = finding.Printable(v.Phase), finding.Printable(v.Workflow)
		return v
	})
	s.Diagnostics = each(s.Diagnostics, diagnosticForJSON)
	return s
}

func diagnosticForJSON(d report.Diagnostic) report.Diagnostic {
	d.File, d.Message = finding.Printable(d.File), finding.Printable(d.Message)
	return d
}

// metricsForJSON is what a finding of a session adds to others; nil stays nil.
func metricsForJSON(s *finding.Session) *finding.Session {
	if s == nil {
		return nil
	}
	c := *s
	c.ID, c.Agent, c.Phase = finding.Printable(s.ID), finding.Printable(s.Agent), finding.Printable(s.Phase)
	c.Diagnostic, c.Suggestion, c.Pattern = finding.Printable(s.Diagnostic), finding.Printable(s.Suggestion), finding.Printable(s.Pattern)
	c.Recent = each(s.Recent, func(e finding.Event) finding.Event {
		e.Tool, e.Text = finding.Printable(e.Tool), finding.Printable(e.Text)
		return e
	})
	return &c
}
