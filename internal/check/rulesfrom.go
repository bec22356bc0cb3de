package check

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/policies"
)

// RulesFromBase is the value of Options.RulesFrom by which the base has the rules.
const RulesFromBase = "base"

// read reads what the judge goes by: at head, or where the options say. Who
// proposes a change then has no say in how it is judged. The default branch that
// a configuration names is that of the one read first; where the rules come from
// its base, they are what that base has.
func (s *setting) read(ctx context.Context, git diff.Engine, b *bases, own *policies.Bundle) (project bool, err error) {
	o := b.options
	id := o.baseID(diff.MergeBase)
	from, err := b.rulesHead(ctx, id)
	if err != nil {
		return false, err
	}
	if err := s.readConfig(ctx, git, from); err != nil {
		return false, err
	}
	if s.config.DefaultBranch != "" && !o.overridesBase() {
		b.restart(ctx, id, s.config.DefaultBranch)
		again, err := b.rulesHead(ctx, id)
		if err != nil {
			return false, err
		}
		if again != from {
			if err := s.readConfig(ctx, git, again); err != nil {
				return false, err
			}
		}
	}
	if o.RulesFrom != "" {
		s.noteAbsence()
	}
	project = s.readPolicies(own)
	return project, s.readRules(ctx, git, o.User)
}

// rulesHead is where rules, policies and configuration are read.
func (b *bases) rulesHead(ctx context.Context, id string) (diff.Head, error) {
	switch b.options.RulesFrom {
	case "":
		return b.head, nil
	case RulesFromBase:
		base, err := b.found[id]()
		return diff.Head{Kind: diff.Commit, Ref: base.Ref, Commit: base.Commit}, err
	default:
		return b.git.Head(ctx, diff.Commit, b.options.RulesFrom)
	}
}

// noteAbsence says aloud that there is nothing to judge by where one was told to
// look.
func (s *setting) noteAbsence() {
	if entries, err := fs.ReadDir(s.tree, home); err != nil || len(entries) == 0 {
		s.notices = append(s.notices, fmt.Sprintf(
			"NOTHING IS JUDGED BY RULES OF THIS REPOSITORY: %s has no %s, and the rules of the change do not count", s.from.Commit, home))
	}
}
