package check

import (
	"context"
	"io/fs"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// RuleSet is what the working tree has to judge by.
type RuleSet struct {
	Dir      string       // where the rules are
	Rules    []*rule.Rule // those that load
	Problems []rule.Problem
	tree     fs.FS
}

// ReadRules reads configuration and rules of the working tree without judging
// anything.
func ReadRules(ctx context.Context, git diff.Engine) (*RuleSet, error) {
	bundle, err := policies.Load()
	if err != nil {
		return nil, err
	}
	head, err := git.Head(ctx, diff.Worktree, "")
	if err != nil {
		return nil, err
	}
	s := setting{modes: bundle.Modes}
	if err := s.readConfig(ctx, git, head); err != nil {
		return nil, err
	}
	if err := s.readRules(ctx, git, head); err != nil {
		return nil, err
	}
	return &RuleSet{Dir: s.config.RulesDir, Rules: s.all, Problems: s.problems, tree: s.tree}, nil
}

// Source is the content of a file that a problem is about.
func (s *RuleSet) Source(file string) ([]byte, error) { return fs.ReadFile(s.tree, file) }
