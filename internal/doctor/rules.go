package doctor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
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

// patterns reports patterns of files that HEAD lacks, and the working tree too. One that can make
// a rule fire may have matched a file before: rules may be about files that come and go. So may
// an expected one with wildcards.
func (e *examination) patterns(ctx context.Context) error {
	list := e.watched()
	left := func() bool { return slices.ContainsFunc(list, func(w *watched) bool { return !w.matched }) }
	commit := ""
	for _, kind := range []diff.HeadKind{diff.Commit, diff.Worktree} {
		ref := ""
		if kind == diff.Commit {
			ref = "HEAD"
		}
		head, err := e.Engine.Head(ctx, kind, ref)
		if kind == diff.Commit && err != nil {
			continue // there is no commit yet
		}
		var files []string
		if err == nil && left() {
			files, err = e.Engine.Files(ctx, head)
		}
		if err != nil {
			return e.noVerdict("patterns", err)
		}
		mark(list, files)
		commit = cmp.Or(commit, head.Commit)
	}
	where := "no file here"
	var ends map[string]diff.Departure
	if left() && e.Program != nil && commit != "" {
		deleted, err := e.Program.Run(ctx, "log", "-z", "--format=", "--name-only", "--no-renames", "--diff-filter=D",
			"--max-count="+strconv.Itoa(deletionsRead), "--end-of-options", commit)
		if err != nil {
			return err
		}
		mark(slices.DeleteFunc(slices.Clone(list), (*watched).wanted), strings.Split(string(deleted), "\x00"))
		where = "no file, now or in the available history"
		if ends, err = e.Engine.Departures(ctx, commit, paths(list)); err != nil {
			return err
		}
	}
	dead := 0
	e.dead = map[string]bool{}
	for _, w := range list {
		if w.matched || w.oneOfKinds(list) {
			continue
		}
		dead++
		e.dead[w.rule.ID] = e.dead[w.rule.ID] || !w.expected
		text, next := where, "correct or remove it: "+w.rule.File
		if path, literal := w.pattern.FilePath(); literal {
			if end, ok := ends[path]; ok {
				text = "no file: " + finding.Gone{Path: path, To: end.To, Commit: end.Commit}.String()
				if end.To != "" && w.rule.Tier == rule.ProjectTier {
					next = "rulecheck rules tend --write"
				}
			}
		}
		e.report("rule "+w.rule.ID, Warn, fmt.Sprintf("%s: %q matches %s", w.param, w.pattern, text), next)
	}
	if dead == 0 && len(list) > 0 {
		e.report("patterns", OK, "all match a file, now or in history", "")
	}
	return nil
}

// watched is a pattern that should match a file.
type watched struct {
	rule     *rule.Rule
	param    string
	pattern  *pattern.Pattern
	expected bool // by a change, so that it cannot make the rule fire
	matched  bool
}

// oneOfKinds reports whether the pattern names a kind of file in any directory, one of several
// places, or one of several files that a change may contain, next to another that matches: such a
// list names some that the repository may get.
func (w *watched) oneOfKinds(list []*watched) bool {
	text := w.pattern.String()
	_, alternatives := w.rule.Params[w.param].(map[string]any)
	return (alternatives || strings.HasPrefix(text, "**/") || strings.HasPrefix(text, "{")) &&
		slices.ContainsFunc(list, func(o *watched) bool { return o.matched && o.rule == w.rule && o.param == w.param })
}

// wanted reports whether the file must exist now: a change is expected to contain this very one.
func (w *watched) wanted() bool {
	_, literal := w.pattern.FilePath()
	return w.expected && literal
}

// watched returns the patterns of enabled rules. Of rules that come from elsewhere those are left
// out that a change is expected to contain.
func (e *examination) watched() []*watched {
	var list []*watched
	for _, r := range e.rules.Rules {
		if !r.Enabled {
			continue
		}
		for _, param := range e.rules.Modes.Of(r.Mode).Params {
			expected := param.Captures != "" && param.Captures != policies.CapturesSame
			if expected && r.Tier != rule.ProjectTier {
				continue
			}
			for _, p := range r.Patterns[param.Name] {
				list = append(list, &watched{rule: r, param: param.Name, pattern: p, expected: expected})
			}
		}
	}
	return list
}

// paths returns the files that patterns without a match name.
func paths(list []*watched) []string {
	var names []string
	for _, w := range list {
		if path, literal := w.pattern.FilePath(); literal && !w.matched {
			names = append(names, path)
		}
	}
	return names
}

// mark marks the patterns that match one of names.
func mark(list []*watched, names []string) {
	patterns := make([]*pattern.Pattern, len(list))
	for i, w := range list {
		patterns[i] = w.pattern
	}
	index := pattern.NewIndex(patterns)
	for _, name := range names {
		index.Match(name, func(i int, _ pattern.Captures) { list[i].matched = true })
	}
}
