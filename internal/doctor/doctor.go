// Package doctor diagnoses the setup of rulecheck in a repository: git, bases,
// rules, hooks and the sandbox.
package doctor

import (
	"context"
	"errors"

	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/trust"
)

// Status is the severity of a finding.
type Status string

// Every Status.
const (
	OK   Status = "ok"
	Warn Status = "warn" // it works, but perhaps not as expected
	Fail Status = "fail" // a run would check less than it should, or nothing
)

// Finding is the result of one check.
type Finding struct {
	Subject string `json:"what"` // git, base, hooks, …
	Status  Status `json:"status"`
	Message string `json:"says"`
	Next    string `json:"next,omitempty"` // the next step; empty only if Status is OK
}

// Options describe the repository to examine.
type Options struct {
	Engine  diff.Engine
	Program *git.Repo     // opened by the git program; nil if there is none
	CI      *diff.CI      // the event of a run on a CI system; nil elsewhere
	InCI    bool          // in any CI
	User    *rule.UserDir // the user's rules; nil if they do not apply
	Trusted trust.Store   // of settings for commands
	Home    string        // of the user; empty: unknown
	Temp    string        // directory for temporary files; empty: that of the system
}

// Examine runs all checks. It fails if one of them could not run.
func Examine(ctx context.Context, o Options) ([]Finding, error) {
	set, err := setup.Read(ctx, o.Engine, o.User, workflows.Agents{})
	if err != nil {
		return nil, err
	}
	e := &examination{Options: o, rules: set}
	for _, look := range []func(context.Context) error{
		e.git, e.hidden, e.history, e.bases, e.ruleFiles, e.tools, e.patterns, e.past, e.user, e.hooks, e.pending, e.sandbox, e.settings,
	} {
		if err := look(ctx); err != nil {
			return nil, err
		}
	}
	return e.findings, nil
}

// Failed reports whether one of findings is a failure.
func Failed(findings []Finding) bool {
	for _, f := range findings {
		if f.Status == Fail {
			return true
		}
	}
	return false
}

// examination collects the findings.
type examination struct {
	Options
	rules    *setup.Project
	findings []Finding
	dead     map[string]bool // ids of rules with a pattern that could make them fire and matches nothing
}

func (e *examination) report(subject string, status Status, message, next string) {
	e.findings = append(e.findings, Finding{Subject: subject, Status: status, Message: message, Next: next})
}

// noVerdict reports that a run cannot evaluate something here. It returns any other
// error.
func (e *examination) noVerdict(subject string, err error) error {
	noVerdict := (*diff.NoVerdictError)(nil)
	if !errors.As(err, &noVerdict) {
		return err
	}
	next := string(noVerdict.Fix)
	if next == "" {
		next = "compare with a commit that you name: rulecheck --since REF"
	}
	e.report(subject, Fail, noVerdict.Reason, next)
	return nil
}
