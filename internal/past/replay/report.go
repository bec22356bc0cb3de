// Package replay checks the units of a repository's past with the rules of today, and counts
// how often each rule held.
package replay

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/forge"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// The kinds of unit.
const (
	FirstParents = "first-parent" // commits of the main line, each with what it merged
	Commits      = "commit"       // single commits
)

// Report is the result of a replay.
type Report struct {
	Version     int               `json:"version"`
	Command     string            `json:"command"`
	ToolVersion string            `json:"-"`
	View        View              `json:"-"`
	Repository  string            `json:"repository,omitempty"` // name of the forge's, or of the directory
	RulesFrom   string            `json:"rules_from"`
	Unit        string            `json:"unit"`
	Units       int               `json:"units"`
	Oldest      *Commit           `json:"oldest,omitempty"` // unit; nil if there is none
	Newest      *Commit           `json:"newest,omitempty"` //
	Cut         int               `json:"cut"`              // commits without parents in a shallow clone, which are left out
	Large       []Commit          `json:"large"`            // commits with more than MaxFiles changed files, which are left out
	MaxFiles    int               `json:"max_files"`        // 0: no limit
	Unread      []Unread          `json:"unread"`           // units that could not be checked
	FailUnder   float64           `json:"fail_under,omitempty"`
	Rules       []RuleHistory     `json:"rules"`
	Skipped     []string          `json:"skipped,omitempty"` // ids and reasons
	Notices     []string          `json:"notices"`
	Errors      []finding.Problem `json:"errors"`

	forge forge.Repo
}

// View selects what formats for people show. The zero value shows, for each rule, the newest
// three commits in which it fired.
type View struct {
	List bool // each firing, newest first, instead of counts
	// Cases adds to the list the units in which a rule held or was waived, and those in which it
	// did not apply or could not be checked.
	Cases bool
	All   bool // all commits and all findings
	Width int  // the columns of a terminal, at which lines are wrapped; 0: they are not
}

// Commit names a unit.
type Commit struct {
	ID      string    `json:"commit"`
	URL     string    `json:"url,omitempty"` // of its page on a known forge
	Time    time.Time `json:"time"`          // when it was committed
	Subject string    `json:"subject"`
}

// Unread is a unit that could not be checked, by any rule.
type Unread struct {
	Commit

	Reason string `json:"reason"`
}

// Counts are numbers of units: triggered is the sum of the others, without not_applied.
type Counts struct {
	Triggered int `json:"triggered"` // the rule applied
	Held      int `json:"held"`      // no findings
	Fired     int `json:"fired"`     // a finding without a waiver
	Waived    int `json:"waived"`    // findings, all waived
	NotRun    int `json:"not_run"`   // the command of the rule decides, and did not run
	Unknown   int `json:"unknown"`   // the rule could not be checked
	// NotApplied counts units in which files triggered the rule, and nothing that it expects existed.
	NotApplied int `json:"not_applied"`
}

// Unclear is the number of units in which it is not known whether the rule held.
func (c Counts) Unclear() int { return c.NotRun + c.Unknown }

// Rate is the share of units in which a rule held, of those in which it held or fired; ok is
// false if there are none.
func (c Counts) Rate() (rate float64, ok bool) {
	if c.Held+c.Fired == 0 {
		return 0, false
	}
	return float64(c.Held) / float64(c.Held+c.Fired), true
}

// RuleHistory counts how one rule did over the past.
type RuleHistory struct {
	ID    string        `json:"rule"`
	Name  string        `json:"name"`
	Mode  string        `json:"mode"`
	Level finding.Level `json:"level"`
	Counts
	Share    *float64  `json:"rate"`     // see [Counts.Rate]; null if unknown, or if nothing can make the rule hold
	Per100   float64   `json:"per_100"`  // units in which the rule fired, of 100
	Findings int       `json:"findings"` // in all units, without waivers
	Last     Counts    `json:"last_ten"` // of the newest ten units in which the rule held or fired
	Quarters []Quarter `json:"quarters"` // oldest first
	Firings  []Firing  `json:"commits"`  // units with findings, newest first
	Cases    []Case    `json:"cases,omitempty"`
	Problem  string    `json:"problem,omitempty"`

	reminds bool // it cannot hold
}

// Case is a unit that triggers a rule, and what became of the rule there.
type Case struct {
	ID      string    `json:"commit"`
	Time    time.Time `json:"-"`
	Subject string    `json:"-"`
	Outcome Outcome   `json:"outcome"`

	unit int // its number, from the newest
}

// Outcome names what became of a rule in a unit.
type Outcome string

// The outcomes.
const (
	Held       Outcome = "held"
	Fired      Outcome = "fired"
	Waived     Outcome = "waived"
	NotRun     Outcome = "not run"
	Unknown    Outcome = "unknown"
	NotApplied Outcome = "not applied"
)

// Quarter is a quarter of a year.
type Quarter struct {
	Name  string `json:"quarter"` // "2026-Q1"
	Units int    `json:"units"`
	Counts
}

// Firing is a unit in which a rule has findings.
type Firing struct {
	Commit
	Waived   bool   `json:"waived"` // all of them
	Findings []Lack `json:"findings"`

	unit int // its number, from the newest
}

// Lack is one finding: its place, the files that triggered the rule, and those that it
// expected.
type Lack struct {
	Path     string   `json:"path"`
	Line     int      `json:"line"`
	Files    []string `json:"trigger_files"`
	Expected []string `json:"expected"`
	Message  string   `json:"message"`
	Waiver   string   `json:"waiver,omitempty"` // the reason
}

// Below reports whether a rule held less often than the report demands.
func (r *Report) Below(of *RuleHistory) bool { return of.Share != nil && *of.Share < r.FailUnder }

// Status returns the exit status, the highest that applies: 3 something could not be
// checked, 2 malformed rules or configuration, 1 a rule held too rarely, 0 otherwise.
func (r *Report) Status() int {
	status := report.StatusOf(r.Errors)
	if r.Units == 0 && (r.Cut > 0 || len(r.Large) > 0) || len(r.Unread) > 0 {
		return 3
	}
	for i := range r.Rules {
		switch of := &r.Rules[i]; {
		case of.Unknown > 0, r.FailUnder > 0 && of.NotRun > 0:
			return 3
		case r.Below(of):
			status = max(status, 1)
		}
	}
	return status
}

// skippedTexts describes the rules that are not replayed, except those that were not asked for.
func skippedTexts(list []setup.Skipped) []string {
	texts := make([]string, 0, len(list))
	for _, s := range list {
		if s.Reason != setup.ReasonOnly {
			texts = append(texts, fmt.Sprintf("%s (%s)", s.ID, s.Reason))
		}
	}
	return texts
}

// name sets the name of the repository and the pages of its remote.
func (r *Report) name(ctx context.Context, repo *git.Repo) {
	dir := repo.Root
	if dir == "" {
		dir = strings.TrimSuffix(repo.CommonDir, "/.git")
	}
	r.forge = forge.Of(repo.RemoteURL(ctx))
	r.Repository = cmp.Or(r.forge.Name, strings.TrimSuffix(path.Base(strings.ReplaceAll(dir, `\`, "/")), ".git"))
}
