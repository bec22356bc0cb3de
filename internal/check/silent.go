package check

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// silent starts to look for rules of the project that match no file, and returns what waits for
// the notice about them; empty if every rule matches a file. The list of all files is asked for only if a rule
// matches no changed name.
func (r *run) silent(ctx context.Context, changes []*change) func() (string, error) {
	if !r.SilentRules || r.costsTime() {
		return func() (string, error) { return "", nil }
	}
	var names []string
	for _, c := range changes {
		for name := range c.Names() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	rules := slices.DeleteFunc(slices.Clone(r.selected.Rules), func(of *rule.Rule) bool { return !r.meantForFiles(of) })
	rules = r.unmatched(rules, names)
	if len(rules) == 0 {
		return func() (string, error) { return "", nil }
	}
	return async.Go(r.background, func() (string, error) {
		files, err := r.listed(ctx)
		if errors.As(err, new(*diff.NoVerdictError)) {
			return "", nil // it is advice, and the change could be compared
		}
		return aboutSilent(r.unmatched(rules, files)), err
	})
}

// manyFiles is the size of an index from which all files are not listed for advice alone: it has
// some 40,000 entries.
const manyFiles = 4 << 20

// costsTime reports whether the files of head are many, and would be listed for nothing else.
func (r *run) costsTime() bool {
	if r.decider.Files != nil {
		return false
	}
	index, err := os.Stat(filepath.Join(r.engine.GitDir(), "index"))
	return err == nil && index.Size() > manyFiles
}

// noticeOf adds the notice that a question was for, if there is one.
func noticeOf(asked func() (string, error), notices []string) ([]string, error) {
	notice, err := asked()
	if notice != "" {
		notices = append(notices, notice)
	}
	return notices, err
}

func aboutSilent(rules []*rule.Rule) string {
	if len(rules) == 0 {
		return ""
	}
	ids := make([]string, len(rules))
	for i, of := range rules {
		ids[i] = of.ID
	}
	verb := " match"
	if len(rules) == 1 {
		verb = " matches"
	}
	return report.Count(len(rules), "rule") + verb + " no file in this repository: " + finding.ShortPathList(ids) + "; see: rulecheck doctor"
}

// meantForFiles reports whether the files of a rule should be there: it is one of the
// repository, and not only about new files.
func (r *run) meantForFiles(of *rule.Rule) bool {
	if of.Tier != rule.ProjectTier || r.aboutSessions(of) {
		return false
	}
	for _, p := range r.project.Modes.Of(of.Mode).Params {
		if slices.Contains(p.Statuses, string(diff.Added)) {
			return false
		}
	}
	return !slices.Equal(of.Statuses, []string{string(diff.Added)})
}

// unmatched returns those rules that have patterns of files that trigger them, none of which
// matches one of the names, which are in byte order.
func (r *run) unmatched(rules []*rule.Rule, names []string) []*rule.Rule {
	paths := pattern.NewPaths(names)
	var left []*rule.Rule
	for _, of := range rules {
		var triggers []*pattern.Pattern
		for _, p := range r.project.Modes.Of(of.Mode).Params {
			if p.Captures == "" || p.Captures == policies.CapturesSame {
				triggers = append(triggers, of.Patterns[p.Name]...)
			}
		}
		matches := func(p *pattern.Pattern) bool {
			for range paths.Match(p) {
				return true
			}
			return false
		}
		if len(triggers) > 0 && !slices.ContainsFunc(triggers, matches) {
			left = append(left, of)
		}
	}
	return left
}

// listed returns the files of head as far as they are not among the changed names: to list a
// commit is cheaper than to list an index.
func (r *run) listed(ctx context.Context) ([]string, error) {
	switch {
	case r.decider.Files != nil:
		return r.decider.Files()
	case r.head.Commit == "":
		return r.engine.Files(ctx, r.head) // there is no commit yet
	default:
		return r.engine.Files(ctx, diff.Head{Kind: diff.Commit, Commit: r.head.Commit})
	}
}
