// Package report holds the result of a run, and the words in which all formats
// present it. Its subpackages write it.
package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/session"
)

// Report is a run's whole answer. Its JSON form is the json format.
type Report struct {
	Version   int                      `json:"version"` // of this form: 1
	Command   string                   `json:"command"`
	RulesFrom string                   `json:"rules_from"` // worktree, index or a commit
	Baselines []Baseline               `json:"baselines"`
	Changes   map[string][]diff.Change `json:"changes"` // by the baseline's id
	Summary   Summary                  `json:"summary"`
	Findings  []finding.Finding        `json:"findings"` // in the order of finding.Sort
	Commands  []Command                `json:"commands"`
	Sessions  []Session                `json:"sessions,omitzero"` // in the order of their starts
	// Diagnostics speak of logs that belong to no session.
	Diagnostics []session.Diagnostic `json:"diagnostics,omitzero"`
	Notices     []string             `json:"notices"`
	Errors      []finding.Problem    `json:"errors"`

	Rules       []Rule        `json:"-"` // every rule that was judged, in load order
	ToolVersion string        `json:"-"`
	FailOn      finding.Level `json:"-"` // the least grave level that fails the run
}

// Baseline is a base that was used, with the head it was compared to.
type Baseline struct {
	diff.Base
	Head string `json:"head"` // worktree, index or the commit
}

// Rule is a rule as reports show it.
type Rule struct {
	rule.Info

	Title       string // of the mode, in one line
	ListByFiles bool   // its findings need no message next to their files and the instructions
	Command     bool   // it runs a command, whose outcome its findings report
}

// Summary counts. It is printed by every format, also when all is well.
type Summary struct {
	Changes      int `json:"changes"`
	Rules        int `json:"rules"`
	Findings     int `json:"findings"` // not waived
	Waived       int `json:"waived"`
	Skipped      int `json:"skipped"` // rules that were not judged, by choice
	NotEvaluable int `json:"not_evaluable"`
	// What sessions add is summed up when the report is written.
	Sessions int                 `json:"sessions,omitempty"`
	Tokens   *session.TokenCount `json:"tokens,omitempty"`
}

// Audit is the command that judges sessions alone.
const Audit = "audit"

// Command is one run of a program that a rule prescribes. Time is left out: the
// same input gives the same bytes.
type Command struct {
	Rule       string   `json:"rule"`
	Argv       []string `json:"argv"`
	Files      []string `json:"files"`     // that it was given
	Exit       int      `json:"exit_code"` // -1 where it was killed or did not start
	Failed     string   `json:"failed,omitempty"`
	Changed    []string `json:"changed"`    // of the files
	Idempotent bool     `json:"idempotent"` // a second run on the result changed nothing more
	Stdout     string   `json:"stdout"`     // cut to a limit
	Stderr     string   `json:"stderr"`     // cut to a limit
}

// NotEvaluated is the code of an error that kept something from being judged.
// Every other code says that a rule file or the configuration is malformed.
const NotEvaluated = "not_evaluated"

// Status is the exit status the report stands for, the highest that applies: 3
// something could not be judged, 2 malformed rules or configuration, 1 findings
// at failOn (empty: error) or graver that are neither waived nor deferred, 0 clean.
func (r *Report) Status(failOn finding.Level) int {
	status := 0
	for _, f := range r.Findings {
		if !f.Waived() && !f.Deferred && f.Level.AtLeast(cmp.Or(failOn, finding.Error)) {
			status = 1
		}
	}
	for _, e := range r.Errors {
		if e.Code == NotEvaluated {
			return 3
		}
		status = 2
	}
	return status
}

// SummaryLine returns the last line of every format for people. It names the
// origin of the rules if that is not the head being checked.
func (r *Report) SummaryLine() string {
	var judged []string
	if r.Command != Audit {
		judged = append(judged, Count(r.Summary.Changes, "change"))
	}
	if r.Command == Audit || len(r.Sessions) > 0 {
		judged = append(judged, Count(len(r.Sessions), "session"))
	}
	s := r.Summary
	rules := Count(s.Rules, "rule")
	heads := r.Baselines
	if r.Command == Audit {
		heads = []Baseline{{Head: "worktree"}}
	}
	if !slices.ContainsFunc(heads, func(b Baseline) bool { return b.Head == r.RulesFrom }) {
		rules += " (from " + ShortCommit(r.RulesFrom) + ")"
	}
	return fmt.Sprintf("%s, %s, %s, %d waived, %d skipped, %d not evaluable",
		strings.Join(judged, ", "), rules, Count(s.Findings, "finding"), s.Waived, s.Skipped, s.NotEvaluable)
}

// String says what was compared with what, and how the base was found.
func (b Baseline) String() string {
	how := b.FoundBy
	if !strings.Contains(how, b.Ref) {
		how = b.Ref + " " + how
	}
	return fmt.Sprintf("%s against %s, %s", ShortCommit(b.Head), ShortCommit(b.Commit), how)
}
