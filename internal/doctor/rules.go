package doctor

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// ruleFiles tells whether there is anything to judge by.
func (e *examination) ruleFiles(context.Context) error {
	enabled := 0
	for _, r := range e.rules.Rules {
		if r.Enabled {
			enabled++
		}
	}
	switch n := len(e.rules.Problems); {
	case n > 0:
		e.say("rules", Fail, report.Count(n, "problem")+", the first: "+e.rules.Problems[0].Error(), "rulecheck rules validate")
	case enabled == 0:
		e.say("rules", Warn, "none judges anything", "rulecheck init, or write one in "+e.rules.Config.RulesDir)
	default:
		e.say("rules", OK, report.Count(enabled, "rule")+", well-formed", "")
	}
	return nil
}

// user tells of rules that are not the repository's.
func (e *examination) user(context.Context) error {
	n := 0
	for _, r := range e.rules.Rules {
		if r.Tier == rule.UserTier && r.Enabled {
			n++
		}
	}
	switch {
	case e.User == nil:
		e.say("user", OK, "rules of your own do not count here", "")
	case n == 0:
		e.say("user", OK, "no rules of your own in "+e.User.Shown, "")
	default:
		e.say("user", Warn, report.Count(n, "rule")+" of your own in "+e.User.Shown+": neither CI nor a commit is judged by them", "move them to "+e.rules.Config.RulesDir+" where others are to obey them")
	}
	return nil
}

// deletionsRead is of how many commits the deletions are read, newest first.
const deletionsRead = 20_000

// patterns tells of patterns that no file matches, now or ever: most are misspelt.
func (e *examination) patterns(ctx context.Context) error {
	head, err := e.Engine.Head(ctx, diff.Worktree, "")
	if err != nil {
		return e.unjudgeable("patterns", err)
	}
	files, err := e.Engine.Files(ctx, head)
	if err != nil {
		return e.unjudgeable("patterns", err)
	}
	triggers := e.triggers()
	mark(triggers, files)
	where := "no file here"
	if slices.ContainsFunc(triggers, func(t *trigger) bool { return !t.matched }) && e.Program != nil && e.Program.Head != "" {
		deleted, err := e.Program.Run(ctx, "log", "-z", "--format=", "--name-only", "--no-renames", "--diff-filter=D",
			"--max-count="+strconv.Itoa(deletionsRead), "--end-of-options", e.Program.Head)
		if err != nil {
			return err
		}
		mark(triggers, strings.Split(string(deleted), "\x00"))
		where = "no file, now or in the history that is here"
	}
	dead := 0
	for _, t := range triggers {
		if !t.matched {
			dead++
			e.say("rule "+t.rule.ID, Warn, fmt.Sprintf("%s: %q matches %s", t.param, t.pattern, where), "correct it or take it out: "+t.rule.File)
		}
	}
	if dead == 0 && len(triggers) > 0 {
		e.say("patterns", OK, "each matches a file, now or in history", "")
	}
	return nil
}

// trigger is a pattern for which a rule may fire.
type trigger struct {
	rule    *rule.Rule
	param   string
	pattern *pattern.Pattern
	matched bool
}

// triggers are the patterns of rules that may fire. What a change is expected to
// have need not be there.
func (e *examination) triggers() []*trigger {
	var list []*trigger
	for _, r := range e.rules.Rules {
		if !r.Enabled {
			continue
		}
		for _, param := range e.rules.Modes[r.Mode].Params {
			if param.Captures != "" && param.Captures != policies.CapturesSame {
				continue
			}
			for _, p := range r.Patterns[param.Name] {
				list = append(list, &trigger{rule: r, param: param.Name, pattern: p})
			}
		}
	}
	return list
}

// mark marks the triggers that one of names matches.
func mark(triggers []*trigger, names []string) {
	patterns := make([]*pattern.Pattern, len(triggers))
	for i, t := range triggers {
		patterns[i] = t.pattern
	}
	index := pattern.NewIndex(patterns)
	for _, name := range names {
		index.Match(name, func(i int, _ pattern.Captures) { triggers[i].matched = true })
	}
}
