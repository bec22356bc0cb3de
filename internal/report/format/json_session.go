package format

import (
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/session"
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

func diagnosticForJSON(d session.Diagnostic) session.Diagnostic {
	d.File, d.Message = finding.Printable(d.File), finding.Printable(d.Message)
	return d
}

// detailsForJSON returns the printable details of a session finding; nil stays nil.
func detailsForJSON(s *finding.SessionDetails) *finding.SessionDetails {
	if s == nil {
		return nil
	}
	c := *s
	c.ID, c.Agent, c.Phase, c.Pattern = finding.Printable(s.ID), finding.Printable(s.Agent), finding.Printable(s.Phase), finding.Printable(s.Pattern)
	c.Recent = each(s.Recent, func(e session.Event) session.Event {
		e.Tool, e.Text = finding.Printable(e.Tool), finding.Printable(e.Text)
		return e
	})
	return &c
}
