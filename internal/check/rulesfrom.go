package check

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// RulesFromBase is the value of Options.RulesFrom by which the base has the rules.
const RulesFromBase = "base"

// readProject reads what a change is checked by: at head, or at the commit that the
// options name, so that the author of a change does not choose the rules. The default
// branch is the one that the configuration read first names.
func readProject(ctx context.Context, git diff.Engine, b *bases, builtin *policies.Bundle) (*setup.Project, error) {
	o := b.options
	id := o.baseID(diff.MergeBase)
	from, err := b.rulesHead(ctx, id)
	if err != nil {
		return nil, err
	}
	p, err := setup.Open(ctx, git, from)
	if err != nil {
		return nil, err
	}
	if p.Config.DefaultBranch != "" && !o.overridesBase() {
		b.restart(ctx, id, p.Config.DefaultBranch)
		again, err := b.rulesHead(ctx, id)
		if err != nil {
			return nil, err
		}
		if again != from {
			if p, err = setup.Open(ctx, git, again); err != nil {
				return nil, err
			}
		}
	}
	if o.RulesFrom != "" {
		noteAbsence(p)
	}
	p.ReadPolicies(builtin)
	return p, p.ReadRules(ctx, o.User)
}

// rulesHead returns the head at which rules, policies and configuration are read.
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

// noteAbsence adds a notice if there is no configuration where the rules come from.
func noteAbsence(p *setup.Project) {
	if entries, err := fs.ReadDir(p.Tree, setup.Dir); err != nil || len(entries) == 0 {
		p.Notices = append(p.Notices, fmt.Sprintf(
			"NOTHING IS JUDGED BY RULES OF THIS REPOSITORY: %s has no %s, and the rules of the change do not count", p.Head.Commit, setup.Dir))
	}
}
