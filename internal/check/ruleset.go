package check

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// RuleSet is what the working tree has to judge by.
type RuleSet struct {
	Dir      string       // where the project's rules are
	Rules    []*rule.Rule // those that load
	Modes    map[string]policies.Mode
	Problems []finding.Problem
	setting  setting
}

// ReadRules reads configuration, policies and rules of the working tree without
// judging anything. The user's own are read where there is a directory of theirs.
func ReadRules(ctx context.Context, git diff.Engine, user *rule.UserDir) (*RuleSet, error) {
	own, err := policies.Load()
	if err != nil {
		return nil, err
	}
	head, err := git.Head(ctx, diff.Worktree, "")
	if err != nil {
		return nil, err
	}
	var s setting
	if err := s.readConfig(ctx, git, head); err != nil {
		return nil, err
	}
	project := s.readPolicies(own)
	if err := s.readRules(ctx, git, user); err != nil {
		return nil, err
	}
	if _, err := s.compileConditions(ctx); err != nil {
		return nil, err
	}
	if project {
		engine, err := policy.New(ctx, s.bundle)
		if err != nil {
			return nil, err
		}
		s.problems = append(s.problems, engine.Problems()...)
	}
	return ruleSetOf(s), nil
}

func ruleSetOf(s setting) *RuleSet {
	return &RuleSet{Dir: s.config.RulesDir, Rules: s.all, Modes: s.modes, Problems: s.problems, setting: s}
}

// Source is the content of a file that a problem is about.
func (s *RuleSet) Source(file string) ([]byte, error) { return s.setting.source(file) }
