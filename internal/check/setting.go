package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// ConfigFile is the configuration's place in the repository.
const ConfigFile = ".rulecheck/config.yml"

// setting is what the judge goes by.
type setting struct {
	from     diff.Head // where it was read
	config   rule.Config
	bundle   *policies.Bundle
	modes    map[string]policies.Mode // of the bundle
	sources  []rule.Source            // of the rules, highest tier first
	user     *rule.UserDir            // nil: the user has none
	loaded   rule.Loaded              // from the sources
	all      []*rule.Rule             // every rule that loads, in byte order of their files
	broken   []string                 // ids of those that do not
	chosen   []*rule.Rule             // those to judge
	skipped  []skip
	problems []finding.Problem
	notices  []string
	tree     fs.FS // what has been read of the repository
}

// home is where configuration, policies and, unless it says otherwise, rules are.
var home = path.Dir(ConfigFile)

// readConfig reads the configuration at from.
func (s *setting) readConfig(ctx context.Context, git diff.Engine, from diff.Head) (err error) {
	s.from = from
	if s.tree, err = git.Tree(ctx, from, home); err != nil {
		return err
	}
	s.config, s.problems = rule.LoadConfig(s.tree, ConfigFile)
	return nil
}

// readPolicies adds the project's policies to those of the program, and reports
// whether there are any.
func (s *setting) readPolicies(own *policies.Bundle) bool {
	s.bundle, s.modes = own, own.Modes
	if _, err := fs.Stat(s.tree, policies.ProjectDir); errors.Is(err, fs.ErrNotExist) {
		return false
	}
	var problems []finding.Problem
	s.bundle, problems = own.With(s.tree, policies.ProjectDir)
	s.modes = s.bundle.Modes
	s.problems = append(s.problems, problems...)
	return true
}

// readRules reads the rules and gives each the configuration's excludes.
func (s *setting) readRules(ctx context.Context, git diff.Engine, user *rule.UserDir) (err error) {
	if !s.config.Enabled {
		s.notices = append(s.notices, "nothing was judged: rules.enabled is false in "+ConfigFile)
		return nil
	}
	if !strings.HasPrefix(s.config.RulesDir, home+"/") {
		if s.tree, err = git.Tree(ctx, s.from, home, s.config.RulesDir); err != nil {
			return err
		}
	}
	s.sources = rule.Tiers(s.config, s.tree, user)
	loaded := rule.LoadTiers(s.sources, s.modes)
	s.user, s.loaded = user, loaded
	if len(loaded.Rules) == 0 && len(loaded.Problems) == 0 {
		s.notices = append(s.notices, fmt.Sprintf("nothing was judged: no rules in %s; run: rulecheck init", s.config.RulesDir))
	}
	for _, r := range loaded.Rules {
		if len(s.config.Exclude) > 0 {
			r.Patterns["exclude"] = append(r.Patterns["exclude"], s.config.Exclude...)
		}
	}
	s.all, s.broken = loaded.Rules, loaded.Broken
	s.problems = append(s.problems, loaded.Problems...)
	return nil
}

// admits refuses to judge by rules that were written for a newer program. A
// build without a version is trusted to be new.
func (s *setting) admits(version string) error {
	wanted := "v" + s.config.MinVersion
	if s.config.MinVersion == "" || !semver.IsValid(version) || semver.Compare(version, wanted) >= 0 {
		return nil
	}
	return fmt.Errorf("%s: min_version: this is rulecheck %s; want %s or newer", ConfigFile, version, wanted)
}

// source is the content of a file that a problem is about.
func (s *setting) source(file string) ([]byte, error) {
	if content, err := rule.Content(s.sources, file); err == nil {
		return content, nil
	}
	return fs.ReadFile(s.tree, file)
}
