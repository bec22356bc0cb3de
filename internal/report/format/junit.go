package format

import (
	"encoding/xml"
	"io"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// The elements that Jenkins, GitLab and others read of JUnit's reports, for which there is
// no standard: https://github.com/testmoapp/junitxml lists what programs agree on.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		junitCounts
		Suites []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		junitCounts
		Cases  []junitCase `xml:"testcase"`
		Output plain.Text  `xml:"system-out,omitempty"`
	}
	junitCounts struct {
		Name     plain.Text `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Skipped  int        `xml:"skipped,attr"`
	}
	junitCase struct {
		Name    plain.Text    `xml:"name,attr"`
		Class   plain.Text    `xml:"classname,attr"`
		File    plain.Text    `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitProblem `xml:"failure"`
		Error   *junitProblem `xml:"error"`
		Skipped *junitProblem `xml:"skipped"`
		Output  plain.Text    `xml:"system-out,omitempty"`
	}
	junitProblem struct {
		Message plain.Text `xml:"message,attr"`
		Type    plain.Text `xml:"type,attr,omitempty"`
		Text    plain.Text `xml:",chardata"`
	}
)

// writeJUnit writes each rule as a class with one test for each finding, or one that passed
// if there is none. A finding that does not fail the run is a test that passed, with its
// message as output; one with a waiver is skipped. Problems are tests with errors.
func writeJUnit(w io.Writer, r *report.Report, _ Options) error {
	suite := junitSuite{junitCounts: junitCounts{Name: "rulecheck"}, Output: plain.Line(r.Verdict())}
	for _, p := range r.Errors {
		at := plain.Line(report.Position(p.File, p.Line, p.Column))
		suite.add(junitCase{
			Class: "rulecheck", Name: at, File: plain.Line(p.File), Line: p.Line,
			Error: &junitProblem{Message: plain.Line(p.Message), Type: plain.Line(p.Code)},
		})
	}
	found := map[string]bool{}
	for f := range r.EachFinding() {
		found[f.Rule] = true
		suite.add(junitFinding(r, f))
	}
	for _, rule := range r.Rules {
		if !found[rule.ID] {
			suite.add(junitCase{Class: plain.Line(rule.ID), Name: plain.Line(rule.Name)})
		}
	}
	return plain.WriteXML(w, junitSuites{junitCounts: suite.junitCounts, Suites: []junitSuite{suite}})
}

func junitFinding(r *report.Report, f finding.Finding) junitCase {
	message := plain.Line(report.Message(f))
	c := junitCase{
		Class: plain.Line(f.Rule), Name: plain.Line(report.Position(f.Path, f.Line)) + ": " + message,
		File: plain.Line(f.Path), Line: f.Line,
	}
	problem := &junitProblem{Message: message, Type: plain.Line(string(f.Level)), Text: plain.Block(f.Body)}
	switch {
	case f.Waived():
		c.Skipped = &junitProblem{Message: plain.Line(report.WaiverText(f.Waiver))}
	case r.Fails(f):
		c.Failure = problem
	default:
		c.Output = problem.Type + ": " + message
	}
	return c
}

// add adds a test and counts it.
func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}
