// Package check evaluates the rules about changes: it compares head with the bases that
// the rules name, asks the policies, runs the commands of rules that fire, and reports
// findings in their place, waived or not.
//
// [Evaluate] is the whole check, and calls its steps in the order of their meaning: open, the
// changes, decide, commands, sessions, place. [Decider.Decide] is the middle of it: it makes
// the facts of each rule on one changeset and asks its policy. [Run] returns the report alone.
package check

import (
	"context"
	"time"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/staging"
	"github.com/rulecheck/rulecheck/internal/waiver"
)

// Options select what is checked. The zero value checks the working tree against the bases
// that its rules name.
type Options struct {
	Staged bool   // check the index instead of the working tree; see Committing
	To     string // check this commit instead
	Since  string // one base for every rule: the merge base with this ref
	From   string // one base for every rule: this commit
	// Prompt is the snapshot that rules about the last prompt compare with; empty: the newest.
	Prompt string
	// Paths limits what is reported, and the files that commands run on, to these files and
	// directories of the repository; empty: everything. "." is the root.
	Paths []string
	// Committing is true while git makes a commit. Otherwise an index without staged files
	// is not what is to be checked, and Staged has no effect: a hook that CI runs on all
	// files must not pass by checking nothing.
	Committing bool
	// CI is the event that started a run on a CI system; nil elsewhere.
	CI *diff.CI

	// Event describes a run on GitHub to policies.
	Event policy.GitHubEvent

	// RulesFrom is where rules, policies and configuration are read: head if it is
	// empty, the base for RulesFromBase, the working tree for RulesFromWorktree, else this
	// commit.
	RulesFrom string
	// Foreign explains why the code may be someone else's; empty: there is no sign of that.
	Foreign string
	// User is the user's own configuration directory; nil if a verdict must depend on
	// the repository alone.
	User *rule.UserDir

	// Draft has rules that are checked instead of those of the repository; nil: these are.
	Draft *setup.Draft

	Selection setup.Selection
	// Concerns leaves out those of the selected rules for which it is false; nil: none is.
	Concerns func(*rule.Rule) bool
	Waivers  waiver.Options
	Commands Commands
	FailOn   finding.Level // empty: the configuration's

	// Agents reads the workflows and the sessions of agents for the check.
	Agents     Agents
	NoSessions bool // check no sessions
	// Logs reads the logs of sessions even if no rule is about sessions, because the report shows
	// what the hooks of agents decided.
	Logs bool

	// Vars are values of variables of the session that the check is a part of; those that
	// it lacks have their initial values.
	Vars map[string]any

	// Progress is called with what the check is doing, "" while commands run; may be nil.
	Progress func(doing string)

	// SilentRules has the report say which rules match no file. It may need a list of all files,
	// which a hook before a commit does not wait for.
	SilentRules bool

	Now        time.Time // for policies that ask for it
	LineHashes bool      // fill finding.LineHash, for formats that need it
	Inside     bool      // fill Report.Inside, for formats that need it
	Date       bool      // fill Report.Committed, for formats that need it
	Version    string    // of this program: v1.2.3, or anything else for a build without one
}

// Run checks a change. Problems of single rules are in the report; an error means that
// nothing was checked.
func Run(ctx context.Context, engine diff.Engine, o Options) (*report.Report, error) {
	result, err := Complete(ctx, engine, o)
	if err != nil {
		return nil, err
	}
	return result.Report, nil
}

// Complete checks a change like [Run] and returns the verdicts as well.
func Complete(ctx context.Context, engine diff.Engine, o Options) (*Result, error) {
	if o.Commands.Repo != nil {
		if err := staging.Pending(o.Commands.Repo); err != nil {
			return nil, err
		}
	}
	result, err := Evaluate(ctx, engine, o)
	if err != nil {
		return nil, err
	}
	if p := o.uncheckedBy(result); p != nil {
		result.Report.Errors = append(result.Report.Errors, *p)
	}
	return result, nil
}

// uncheckedBy returns the problem that no rule was checked, unless the user asked for that or it
// is reported already.
func (o Options) uncheckedBy(r *Result) *finding.Problem {
	s := r.Report.Summary
	switch {
	case s.Rules+s.NotEvaluable > 0, len(r.Selected.Skipped) > 0, len(r.Report.Errors) > 0:
		return nil
	case !r.Project.Config.Enabled, o.RulesFrom == RulesFromBase, o.Draft != nil:
		return nil
	}
	return r.Project.NoRuleApplies()
}

// Result is the report of a check with the verdicts it is based on.
type Result struct {
	Report   *report.Report
	Project  *setup.Project
	Selected setup.Selected
	Verdicts []Verdict // in the order of the bases, then of the rules
}

// Evaluate is [Complete] for questions about rules: it is no problem if none applies.
func Evaluate(ctx context.Context, engine diff.Engine, o Options) (*Result, error) {
	var background conc.WaitGroup
	defer background.Wait() // background work may still remove temporary files
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends git processes whose answer is no longer needed

	o.doing("reading the rules")
	r, err := open(ctx, remember(ctx, engine), o, &background)
	if err != nil {
		return nil, err
	}
	return r.evaluate(ctx)
}

// evaluate checks the change with the rules that are read.
func (r *run) evaluate(ctx context.Context) (*Result, error) {
	r.doing("reading the change")
	changes, err := r.changes(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.checkPaths(ctx, changes); err != nil {
		return nil, err
	}
	r.doing("checking the rules")
	silent := r.silent(ctx, changes)
	decided, err := r.decide(ctx, changes)
	if err != nil {
		return nil, err
	}
	r.doing("")
	commands, err := r.runCommands(ctx, changes)
	if err != nil {
		return nil, err
	}
	r.doing("checking the logs of agents")
	sessions, err := r.auditSessions(ctx, changes)
	if err != nil {
		return nil, err
	}
	r.doing("placing the findings")
	if err := r.inspect(changes); err != nil {
		return nil, err
	}
	placed, err := r.place(ctx, changes, commands.findings, sessions.Findings)
	if err != nil {
		return nil, err
	}
	if placed.notices, err = noticeOf(silent, placed.notices); err != nil {
		return nil, err
	}
	result := r.result(changes, decided, commands, sessions, placed)
	if r.Inside {
		if result.Report.Inside, err = r.inside(ctx, changes); err != nil {
			return nil, err
		}
	}
	if r.Date && r.head.Commit != "" {
		result.Report.Committed, err = r.engine.Committed(ctx, r.head.Commit)
	}
	return result, err
}

func (o Options) doing(what string) {
	if o.Progress != nil {
		o.Progress(what)
	}
}

func (o Options) headKind() diff.HeadKind {
	switch {
	case o.To != "":
		return diff.Commit
	case o.Staged:
		return diff.Index
	default:
		return diff.Worktree
	}
}

// distrustsChange reports whether the rules come from elsewhere, so that the author of the
// change does not choose them. The working tree is the user's own.
func (o Options) distrustsChange() bool { return o.RulesFrom != "" && o.RulesFrom != RulesFromWorktree }

func (o Options) overridesBase() bool { return o.Since != "" || o.From != "" }

// baseID returns the id of the base for rules with this compare_to.
func (o Options) baseID(compareTo string) string {
	switch {
	case o.Since != "":
		return diff.Since
	case o.From != "":
		return diff.From
	default:
		return compareTo
	}
}
