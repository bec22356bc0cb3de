package policies

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Counts declares what a mode counts in a visit. In METADATA it is custom.counts, with the
// fields in lower case; all but of name parameters of the mode. A parameter that a rule
// does not set does not limit the count. custom.counts may be a list: a rule is then evaluated
// once for each whose limit it sets.
type Counts struct {
	Of       string // one of the constants below
	Matching string // a regex that commands or paths match; without one, the largest group of equal ones is counted
	Until    string // a regex that the commands match that are tests; edits since the last one count
	Within   string // an integer: the window in seconds
	Parts    string // strings: which parts of the tokens
	Denied   string // a boolean, of failures: true counts calls that were denied instead
	Least    string // an integer, of rates: how many commands there must be
	Limit    string // an integer: what the policy compares with, for reports
	Over     string // of tokens and costs: what they are added up over, or a parameter that has it; empty: a visit
}

// What tokens may be added up over, but for a visit. Days are those of UTC, and have the tokens
// of all sessions.
const (
	OverSession = "session"
	OverDay     = "day"
	OverUser    = "user"
	OverBranch  = "branch"
)

// What may be counted.
const (
	CountCommands = "commands"
	CountEdits    = "edits"
	CountSeconds  = "seconds"
	CountTokens   = "tokens"
	CountFailures = "failures"
	CountReads    = "reads"
	CountUntested = "untested_edits"
	CountCost     = "cost"
	CountRate     = "failure_rate"   // the share of commands that failed, in millionths
	CountShare    = "subagent_share" // the share of tokens that subagents used, in millionths
)

func countable() []string {
	return []string{CountCommands, CountEdits, CountSeconds, CountTokens, CountFailures, CountReads, CountUntested, CountCost, CountRate, CountShare}
}

// ofCalls reports whether tool calls are counted.
func (c Counts) ofCalls() bool { return c.Of != CountSeconds && !c.ofTokens() }

// ofTokens reports whether the use of tokens is counted, or what is made of it.
func (c Counts) ofTokens() bool {
	return c.Of == CountTokens || c.Of == CountCost || c.Of == CountShare
}

func (c Counts) limitType() ParamType {
	switch c.Of {
	case CountCost:
		return Amount
	case CountRate, CountShare:
		return Fraction
	}
	return Integer
}

// overParam returns the parameter with which a rule selects what is added up over; empty: none.
func (c Counts) overParam() string {
	if strings.Contains(c.Over, ".") {
		return c.Over
	}
	return ""
}

func countsOf(v any) ([]Counts, error) {
	list, several := v.([]any)
	if !several {
		list = []any{v}
	}
	var all []Counts
	for _, entry := range list {
		c, err := countOf(entry)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func countOf(v any) (c Counts, err error) {
	declared, err := as[map[string]any](v, "a mapping")
	if err != nil {
		return c, err
	}
	err = read("counts", declared, map[string]func(any) error{
		"of":       func(v any) (err error) { c.Of, err = text(v); return err },
		"matching": func(v any) (err error) { c.Matching, err = text(v); return err },
		"until":    func(v any) (err error) { c.Until, err = text(v); return err },
		"within":   func(v any) (err error) { c.Within, err = text(v); return err },
		"parts":    func(v any) (err error) { c.Parts, err = text(v); return err },
		"denied":   func(v any) (err error) { c.Denied, err = text(v); return err },
		"least":    func(v any) (err error) { c.Least, err = text(v); return err },
		"limit":    func(v any) (err error) { c.Limit, err = text(v); return err },
		"over":     func(v any) (err error) { c.Over, err = text(v); return err },
	})
	if err == nil && !slices.Contains(countable(), c.Of) {
		err = &wordError{"of: unknown word", c.Of, countable()}
	}
	if wide := []string{OverSession, OverDay, OverUser, OverBranch}; err == nil && c.Over != "" && !strings.Contains(c.Over, ".") && !slices.Contains(wide, c.Over) {
		err = &wordError{"over: unknown word", c.Over, wide}
	}
	return c, err
}

// checkCounts rejects counts without input.metrics, and those that name no parameter of
// the right type.
func (m Mode) checkCounts() error {
	asked := slices.Contains(m.Facts, FactMetrics)
	switch {
	case m.Counts == nil && asked:
		return fmt.Errorf("custom.counts is missing; want what %q counts", FactMetrics)
	case m.Counts != nil && !asked:
		return fmt.Errorf("custom.counts has no effect; want %q in custom.facts", FactMetrics)
	}
	for _, c := range m.Counts {
		if several := len(m.Counts) > 1; several && (c.Over == "" || c.Limit == "") {
			return fmt.Errorf("custom.counts: %s have no over or no limit; want both of each of several counts", c.Of)
		}
		if err := m.checkCount(c); err != nil {
			return err
		}
	}
	return nil
}

func (m Mode) checkCount(c Counts) error {
	switch {
	case c.Parts != "" && c.Of != CountTokens && c.Of != CountShare:
		return fmt.Errorf("custom.counts.parts: %s have none; want it only for %q and %q", c.Of, CountTokens, CountShare)
	case c.Over != "" && !c.ofTokens():
		return fmt.Errorf("custom.counts.over: %s are counted in visits; want it only for %q, %q and %q", c.Of, CountTokens, CountCost, CountShare)
	case c.Of == CountShare && c.Over != OverSession:
		return fmt.Errorf("custom.counts.over: want %q for %q", OverSession, CountShare)
	case c.Matching != "" && !c.ofCalls():
		return fmt.Errorf("custom.counts.matching: %s match nothing", c.Of)
	case (c.Until != "") != (c.Of == CountUntested):
		return fmt.Errorf("custom.counts.until: want it for %q, and only for it", CountUntested)
	case c.Denied != "" && c.Of != CountFailures:
		return fmt.Errorf("custom.counts.denied: want it only for %q", CountFailures)
	case (c.Least != "") != (c.Of == CountRate):
		return fmt.Errorf("custom.counts.least: want it for %q, and only for it", CountRate)
	case c.Within != "" && (!c.ofCalls() || c.Of == CountRate):
		return fmt.Errorf("custom.counts.within: %s are counted over the whole visit", c.Of)
	}
	return errors.Join(
		m.checkParam("matching", c.Matching, Regex),
		m.checkParam("until", c.Until, Regex),
		m.checkParam("within", c.Within, Integer),
		m.checkParam("parts", c.Parts, Strings),
		m.checkParam("denied", c.Denied, Boolean),
		m.checkParam("least", c.Least, Integer),
		m.checkParam("limit", c.Limit, c.limitType()),
		m.checkParam("over", c.overParam(), String),
	)
}

func (m Mode) checkParam(field, name string, want ParamType) error {
	if name == "" || slices.ContainsFunc(m.Params, func(p Param) bool { return p.Name == name && p.Type == want }) {
		return nil
	}
	return fmt.Errorf("custom.counts.%s: no parameter %q of type %q", field, name, want)
}
