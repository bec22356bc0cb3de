// Package report holds the result of a run, and the words in which all formats
// present it. Its subpackages write it.
//
// A [Report] has findings, problems of files, notices, and what was compared; it is also the
// json format. [Report.Verdict] is the last line of every format for people, and
// [Report.Status] the exit status. Text from outside is not escaped here: each format does it
// with package plain or markdown.
package report

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/mask"
	"github.com/rulecheck/rulecheck/internal/money"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Version is the version of the JSON form of a report.
const Version = 1

// Report is the result of a run. Its JSON form is the json format.
type Report struct {
	Version   int                      `json:"version"` // of the JSON form
	Command   string                   `json:"command"`
	RulesFrom string                   `json:"rules_from"` // worktree, index or a commit
	Baselines []Baseline               `json:"baselines"`
	Changes   map[string][]diff.Change `json:"changes"` // by the baseline's id
	Summary   Summary                  `json:"summary"`
	Findings  []finding.Finding        `json:"findings"` // in the order of finding.Sort
	Commands  []Command                `json:"commands"`
	// Stack has the commits of a stack, oldest first. Findings has what the whole stack has, and what
	// it repairs of single commits.
	Stack []StackCommit `json:"stack,omitempty"`
	// Sandbox is the level of the sandbox in which commands ran; empty: none ran.
	Sandbox  string    `json:"sandbox,omitempty"`
	NotRun   []string  `json:"not_run,omitempty"` // ids of rules that fired and whose command did not run
	Sessions []Session `json:"sessions,omitzero"` // in the order of their starts
	// Diagnostics concern logs that belong to no session.
	Diagnostics []fact.Diagnostic `json:"diagnostics,omitzero"`
	// Units are those of a merged report, in the order of their ids.
	Units   []Unit            `json:"units,omitempty"`
	Notices []string          `json:"notices"`
	Errors  []finding.Problem `json:"errors"`

	// Before is an earlier report that this one is compared with; nil: none is.
	Before *Report `json:"-"`
	// Source has the findings and sessions of a merged report; nil: Findings and Sessions do.
	Source Stream `json:"-"`

	Inside      *Inside       `json:"-"` // what changed inside files; nil: not asked for
	Repository  string        `json:"-"` // the name of its directory; empty: bare
	Remote      string        `json:"-"` // address of the repository's remote, for formats that link to it
	FilesAt     string        `json:"-"` // the commit that has the lines of findings; empty: none is known
	Branch      string        `json:"-"` // checked out; empty: none
	Committed   time.Time     `json:"-"` // when the newest commit that was checked was made; zero: none, or not asked for
	Rules       []Rule        `json:"-"` // every rule that was checked, in load order
	ToolVersion string        `json:"-"`
	FailOn      finding.Level `json:"-"` // findings of this level or a more severe one fail the run
}

// Baseline is a base and the head that was compared with it.
type Baseline struct {
	diff.Base
	Head string `json:"head"` // worktree, index or the commit
}

// Rule is a rule as reports show it. Its JSON form, in the row format, identifies it.
type Rule struct {
	rule.Info

	Title       string   `json:"title"`         // of the mode, in one line
	Description string   `json:"-"`             // of the mode, markdown in one line
	Examples    []string `json:"-"`             // of the mode, rule files
	ListByFiles bool     `json:"list_by_files"` // its findings need no message next to their files and the instructions
	Command     bool     `json:"command"`       // it runs a command, and its findings report the result
	Parts       bool     `json:"-"`             // it is about parts of files, such as keys and symbols, which its messages name
}

// Summary counts what a run did. Every format prints it, even without findings.
type Summary struct {
	Changes      int `json:"changes"`
	Rules        int `json:"rules"`
	Findings     int `json:"findings"` // not waived
	Waived       int `json:"waived"`
	Known        int `json:"known,omitempty"`    // those of the waived that are known findings
	Repaired     int `json:"repaired,omitempty"` // waived because the rest of the stack repairs them
	Skipped      int `json:"skipped"`            // rules that were not checked, on request
	NotEvaluable int `json:"not_evaluable"`
	NotRun       int `json:"commands_not_run,omitempty"`
	// Unread counts changed files that were not read as lines, by reason.
	Unread map[diff.Unread]int `json:"unread_files,omitempty"`
	// The others are filled in by FullSummary. Errors, Warnings and Notes are the findings
	// by level that are not waived.
	Errors   int              `json:"errors"`
	Warnings int              `json:"warnings"`
	Notes    int              `json:"notes"`
	Verdict  string           `json:"verdict"` // passed or failed
	Exit     int              `json:"exit_status"`
	Sessions int              `json:"sessions,omitempty"`
	Tokens   *fact.TokenCount `json:"tokens,omitempty"`
	Cost     *money.Cost      `json:"cost,omitempty"`
}

// MaskSecrets hides the secrets in notices, errors and diagnostics, which quote files, logs and
// what programs print.
func (r *Report) MaskSecrets() {
	for i := range r.Notices {
		r.Notices[i] = mask.Secrets(r.Notices[i])
	}
	for i := range r.Errors {
		r.Errors[i].Message = mask.Secrets(r.Errors[i].Message)
	}
	for i := range r.Diagnostics {
		r.Diagnostics[i].Message = mask.Secrets(r.Diagnostics[i].Message)
	}
	for i := range r.Sessions {
		for j := range r.Sessions[i].Diagnostics {
			d := &r.Sessions[i].Diagnostics[j]
			d.Message = mask.Secrets(d.Message)
		}
	}
}

// CountFindings sets the numbers of findings in the summary.
func (r *Report) CountFindings() {
	s := &r.Summary
	s.Findings, s.Waived, s.Known, s.Repaired = 0, 0, 0, 0
	for _, f := range r.Findings {
		if !f.Waived() {
			s.Findings++
			continue
		}
		s.Waived++
		switch f.Waiver.Source {
		case finding.Known:
			s.Known++
		case finding.Repaired:
			s.Repaired++
		}
	}
}

// CountRules sets the numbers of rules: of those that could not be checked (partly of them had
// a result for some sessions), and of those that are not for this command. A run that was to
// check rules and has no result of any has a problem.
func (r *Report) CountRules(notEvaluable, partly, elsewhere int) {
	r.Summary.Rules -= notEvaluable + elsewhere
	r.Summary.NotEvaluable = notEvaluable
	if r.Summary.Rules == 0 && notEvaluable > 0 && partly == 0 && len(r.Errors) == 0 {
		r.Errors = append(r.Errors, finding.Problem{Code: NotEvaluated, Message: "no rule could be checked; the notices show why"})
	}
}

// Audit is the command that checks sessions only.
const Audit = "audit"

// Command is one run of a rule's command. It has no duration, because the same
// input must give the same bytes.
type Command struct {
	Rule       string   `json:"rule"`
	Argv       []string `json:"argv"`
	Files      []string `json:"files"`     // its arguments
	Exit       int      `json:"exit_code"` // -1: killed or not started
	Failed     string   `json:"failed,omitempty"`
	Changed    []string `json:"changed"`    // those of Files that it changed
	Idempotent bool     `json:"idempotent"` // a second run changed nothing more
	Stdout     string   `json:"stdout"`     // truncated
	Stderr     string   `json:"stderr"`     // truncated
}

// NotEvaluated is the code of an error because of which something could not be
// evaluated. Every other code but finding.CodeUnreadable marks a malformed rule file or
// configuration.
const NotEvaluated = "not_evaluated"

// Status returns the exit status of the run, the highest that applies: 3 something
// could not be evaluated, 2 malformed rules or configuration, 1 findings of level
// failOn (empty: error) or higher that are neither waived nor deferred, 0 clean.
func (r *Report) Status(failOn finding.Level) int {
	status, t := 0, r.tally()
	for level, n := range t.Levels {
		if n > t.Deferred[level] && level.AtLeast(cmp.Or(failOn, finding.Error)) {
			status = 1
		}
	}
	return max(status, StatusOf(r.Errors))
}

// Fails reports whether a finding fails the run.
func (r *Report) Fails(f finding.Finding) bool {
	return !f.Waived() && !f.Deferred && f.Level.AtLeast(cmp.Or(r.FailOn, finding.Error))
}

// unevaluated reports whether a problem leaves something unknown.
func unevaluated(p finding.Problem) bool {
	return p.Code == NotEvaluated || p.Code == finding.CodeUnreadable
}

// StatusOf returns the exit status that problems alone cause.
func StatusOf(problems []finding.Problem) int {
	status := 0
	for _, p := range problems {
		if unevaluated(p) {
			return 3
		}
		status = 2
	}
	return status
}

// String names head and base, and how the base was found.
func (b Baseline) String() string {
	how := b.FoundBy
	switch {
	case b.ID == diff.From && how == "--from":
		how = b.Ref + " (--from)"
	case !strings.Contains(how, b.Ref):
		how = b.Ref + " " + how
	}
	return fmt.Sprintf("%s against %s, %s", ShortCommit(b.Head), ShortCommit(b.Commit), how)
}
