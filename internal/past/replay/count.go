package replay

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/mask"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/plain/wrap"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// lastUnits is how many units [RuleHistory.Last] counts.
const lastUnits = 10

// counter adds up the outcomes of units, newest first.
type counter struct {
	report   *Report
	index    map[*rule.Rule]int // into report.Rules
	units    map[string]int     // by quarter
	quarters []map[string]*Counts
}

func newCounter(r *Report, rules []*rule.Rule, modes policies.Modes) *counter {
	c := &counter{report: r, index: map[*rule.Rule]int{}, units: map[string]int{}}
	r.Rules = make([]RuleHistory, 0, len(rules))
	for i, of := range rules {
		c.index[of] = i
		c.quarters = append(c.quarters, map[string]*Counts{})
		r.Rules = append(r.Rules, RuleHistory{
			ID: of.ID, Name: of.Name, Mode: of.Mode, Level: of.Level, Quarters: []Quarter{}, Firings: []Firing{},
			reminds: !correspondence.CanHold(of, modes.Of(of.Mode)),
		})
	}
	return c
}

// add counts one unit.
func (c *counter) add(u diff.Unit, outcomes []check.Outcome) {
	commit := c.report.commitOf(u)
	if c.report.Newest == nil {
		c.report.Newest = &commit
	}
	c.report.Oldest = &commit
	c.report.Units++
	name := quarterOf(u.Time)
	c.units[name]++
	for _, o := range outcomes {
		i := c.index[o.Rule]
		of := &c.report.Rules[i]
		q := c.quarters[i][name]
		if q == nil {
			q = &Counts{}
			c.quarters[i][name] = q
		}
		firing := firingOf(commit, o.Findings)
		firing.unit = c.report.Units
		outcome := outcomeOf(o, firing)
		of.count(outcome)
		q.count(outcome)
		if of.Last.Held+of.Last.Fired < lastUnits {
			of.Last.count(outcome)
		}
		if c.report.View.Cases {
			of.Cases = append(of.Cases, Case{u.Commit, u.Time, commit.Subject, outcome, c.report.Units})
		}
		if len(firing.Findings) > 0 {
			of.Firings = append(of.Firings, firing)
		}
		for _, f := range o.Findings {
			if !f.Waived() {
				of.Findings++
			}
		}
		if o.Err != nil && of.Problem == "" {
			of.Problem = o.Err.Error()
		}
	}
}

func (r *Report) commitOf(u diff.Unit) Commit {
	return Commit{ID: u.Commit, URL: r.forge.Commit(u.Commit), Time: u.Time, Subject: mask.Secrets(u.Subject())}
}

// outcomeOf returns what became of a rule.
func outcomeOf(o check.Outcome, f Firing) Outcome {
	switch {
	case o.Err != nil:
		return Unknown
	case o.NotRun:
		return NotRun
	case o.NotApplied:
		return NotApplied
	case len(o.Findings) == 0:
		return Held
	case f.Waived:
		return Waived
	default:
		return Fired
	}
}

// count counts one outcome.
func (c *Counts) count(o Outcome) {
	c.Triggered++
	switch o {
	case Held:
		c.Held++
	case Fired:
		c.Fired++
	case Waived:
		c.Waived++
	case NotRun:
		c.NotRun++
	case Unknown:
		c.Unknown++
	case NotApplied:
		c.NotApplied++
		c.Triggered--
	}
}

func firingOf(commit Commit, findings []finding.Finding) Firing {
	f := Firing{Commit: commit, Waived: len(findings) > 0}
	for _, each := range findings {
		lack := Lack{Path: each.Path, Line: each.Line, Files: notNil(each.TriggerFiles), Expected: notNil(each.Expected), Message: each.Message}
		if each.Waived() {
			lack.Waiver = each.Waiver.Reason
		} else {
			f.Waived = false
		}
		f.Findings = append(f.Findings, lack)
	}
	return f
}

func notNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// finish fills in what follows from the counts.
func (c *counter) finish() {
	for i := range c.report.Rules {
		of := &c.report.Rules[i]
		of.finish(c.report.Units)
		for _, name := range slices.Sorted(maps.Keys(c.units)) {
			q := Quarter{Name: name, Units: c.units[name]}
			if counts := c.quarters[i][name]; counts != nil {
				q.Counts = *counts
			}
			of.Quarters = append(of.Quarters, q)
		}
	}
}

// finish fills in what follows from the counts of a rule in so many units.
func (of *RuleHistory) finish(units int) {
	if rate, ok := of.Rate(); ok && !of.reminds {
		of.Share = &rate
	}
	if units > 0 {
		of.Per100 = 100 * float64(of.Fired) / float64(units)
	}
}

// quarterOf names the quarter of a time: "2026-Q1".
func quarterOf(t time.Time) string {
	return fmt.Sprintf("%04d-Q%d", t.UTC().Year(), (int(t.UTC().Month())+2)/3)
}

// Text describes a finding in one line.
func (l Lack) Text() string {
	files, expected, message := l.words()
	switch {
	case expected != "":
		return files + " → " + expected
	case message != "":
		return files + ": " + message
	default:
		return files
	}
}

// textWords returns the words of Text. A path is one word.
func (l Lack) textWords() []plain.Text {
	files, expected, message := l.words()
	words := plain.Line(files).Split(", ")
	for i := range words[:len(words)-1] {
		words[i] += ","
	}
	switch {
	case expected != "":
		return append(words, "→", plain.Line(expected))
	case message != "":
		words[len(words)-1] += ":"
		return append(words, wrap.Words(plain.Line(message))...)
	}
	return words
}

// Short describes a finding by the first of its files.
func (l Lack) Short() string {
	text := l.Text()
	if len(l.Files) > 1 || len(l.Expected) > 1 {
		short := l
		short.Files, short.Expected = l.Files[:min(len(l.Files), 1)], l.Expected[:min(len(l.Expected), 1)]
		text = short.Text() + report.AndMore(len(l.Files)-len(short.Files)+len(l.Expected)-len(short.Expected))
	}
	return text
}

// words describes a finding: its files, and what they lack, or a message that says more than
// that these files changed.
func (l Lack) words() (files, expected, message string) {
	files, expected, message = few(l.Files), few(l.Expected), strings.TrimSpace(l.Message)
	if l.elsewhere() {
		return fmt.Sprintf("%s:%d", l.Path, l.Line), expected, message
	}
	switch {
	case files == "":
		return message, expected, ""
	case expected != "" || strings.Contains(message, files):
		return files, expected, ""
	default:
		return files, "", message
	}
}

// elsewhere reports whether the finding is in a file that did not trigger the rule, such as one
// that names a deleted file. A rule file represents files that no longer exist.
func (l Lack) elsewhere() bool {
	return l.Path != "" && !slices.Contains(l.Files, l.Path) && !strings.Contains("/"+l.Path, "/"+rule.OwnDirectory+"/")
}

func few(names []string) string {
	short, more := finding.Few(names)
	text := strings.Join(short, ", ")
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
