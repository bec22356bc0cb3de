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

// ruleFiles reports problems of rules, or that there are none.
func (e *examination) ruleFiles(context.Context) error {
	enabled := 0
	for _, r := range e.rules.Rules {
		if r.Enabled {
			enabled++
		}
	}
	switch n := len(e.rules.Problems); {
	case n > 0:
		e.report("rules", Fail, report.Count(n, "problem")+", the first: "+e.rules.Problems[0].Error(), "rulecheck rules validate")
	case enabled == 0:
		e.report("rules", Warn, "no rule is enabled", "rulecheck init, or write a rule in "+e.rules.Config.RulesDir)
	default:
		e.report("rules", OK, report.Count(enabled, "rule")+", well-formed", "")
	}
	for _, notice := range e.rules.Notices {
		e.report("rules", Warn, notice, "see docs/rules.md")
	}
	return nil
}

// user reports the user's own rules, which only apply on their machine.
func (e *examination) user(context.Context) error {
	n := 0
	for _, r := range e.rules.Rules {
		if r.Tier == rule.UserTier && r.Enabled {
			n++
		}
	}
	switch {
	case e.User == nil:
		e.report("user", OK, "your own rules do not apply here", "")
	case n == 0:
		e.report("user", OK, "no rules in "+e.User.Shown, "")
	default:
		e.report("user", Warn, report.Count(n, "user rule")+" in "+e.User.Shown+": not applied in CI or by git hooks", "move them to "+e.rules.Config.RulesDir+" to apply them for everyone")
	}
	return nil
}

// deletionsRead limits the number of commits whose deletions are read, newest first.
const deletionsRead = 20_000

// patterns reports patterns that never matched a file; most are misspelled.
func (e *examination) patterns(ctx context.Context) error {
	head, err := e.Engine.Head(ctx, diff.Worktree, "")
	if err != nil {
		return e.noVerdict("patterns", err)
	}
	files, err := e.Engine.Files(ctx, head)
	if err != nil {
		return e.noVerdict("patterns", err)
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
		where = "no file, now or in the available history"
	}
	dead := 0
	for _, t := range triggers {
		if !t.matched {
			dead++
			e.report("rule "+t.rule.ID, Warn, fmt.Sprintf("%s: %q matches %s", t.param, t.pattern, where), "correct or remove it: "+t.rule.File)
		}
	}
	if dead == 0 && len(triggers) > 0 {
		e.report("patterns", OK, "all match a file, now or in history", "")
	}
	return nil
}

// trigger is a pattern that can make a rule fire.
type trigger struct {
	rule    *rule.Rule
	param   string
	pattern *pattern.Pattern
	matched bool
}

// triggers returns the patterns that can make enabled rules fire, but not those of
// files that a change is expected to contain.
func (e *examination) triggers() []*trigger {
	var list []*trigger
	for _, r := range e.rules.Rules {
		if !r.Enabled {
			continue
		}
		for _, param := range e.rules.Modes.Of(r.Mode).Params {
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

// mark marks the triggers that match one of names.
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
