// Package doctor says what rulecheck finds where it runs: whether it could judge a
// change here, by which base, by which rules, and who would make it.
package doctor

import (
	"context"
	"errors"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// Status is how grave a finding of the doctor is.
type Status string

// Every Status.
const (
	OK   Status = "ok"
	Warn Status = "warn" // it works, but not as one may think
	Fail Status = "fail" // a run would judge less than it should, or nothing
)

// Finding is one thing that was looked at.
type Finding struct {
	What   string `json:"what"` // git, base, hooks, …
	Status Status `json:"status"`
	Says   string `json:"says"`
	Next   string `json:"next,omitempty"` // what to do; never empty unless it is OK
}

// Options say what is looked at.
type Options struct {
	Engine  diff.Engine
	Program *git.Repo     // as the git program has it; nil where there is none
	CI      *diff.CI      // what a run on GitHub was started for; nil anywhere else
	InCI    bool          // of whatever kind
	User    *rule.UserDir // the user's own rules; nil where they do not count
}

// Examine looks at everything. The error is what kept it from looking.
func Examine(ctx context.Context, o Options) ([]Finding, error) {
	set, err := setup.Read(ctx, o.Engine, o.User)
	if err != nil {
		return nil, err
	}
	e := &examination{Options: o, rules: set}
	for _, look := range []func(context.Context) error{
		e.git, e.history, e.bases, e.ruleFiles, e.patterns, e.user, e.hooks, e.pending, e.sandbox,
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

// examination is one under way.
type examination struct {
	Options
	rules    *setup.Project
	findings []Finding
}

func (e *examination) say(what string, status Status, says, next string) {
	e.findings = append(e.findings, Finding{What: what, Status: status, Says: says, Next: next})
}

// unjudgeable tells of what cannot be judged here; any other error is one of the
// doctor's own.
func (e *examination) unjudgeable(what string, err error) error {
	u := (*diff.UnjudgeableError)(nil)
	if !errors.As(err, &u) {
		return err
	}
	next := u.Mend
	if next == "" {
		next = "compare with a commit that you name: rulecheck --since REF"
	}
	e.say(what, Fail, u.Reason, next)
	return nil
}
