package check

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// ConfigFile is the configuration's place in the repository.
const ConfigFile = ".rulecheck/config.yml"

// setting is what the judge goes by, read from the head being judged.
type setting struct {
	config   rule.Config
	modes    map[string]policies.Mode
	all      []*rule.Rule // every rule that loads, in byte order of their files
	chosen   []*rule.Rule // those to judge
	skipped  []skip
	problems []rule.Problem
	notices  []string
	tree     fs.FS // what has been read of head
}

// home is where configuration and, unless it says otherwise, rules are.
var home = path.Dir(ConfigFile)

func (s *setting) readConfig(ctx context.Context, git diff.Engine, head diff.Head) (err error) {
	if s.tree, err = git.Tree(ctx, head, home); err != nil {
		return err
	}
	s.config, s.problems = rule.LoadConfig(s.tree, ConfigFile)
	return nil
}

// readRules reads the rules at head and gives each the configuration's excludes.
func (s *setting) readRules(ctx context.Context, git diff.Engine, head diff.Head) (err error) {
	if !s.config.Enabled {
		s.notices = append(s.notices, "nothing was judged: rules.enabled is false in "+ConfigFile)
		return nil
	}
	if !strings.HasPrefix(s.config.RulesDir, home+"/") {
		if s.tree, err = git.Tree(ctx, head, home, s.config.RulesDir); err != nil {
			return err
		}
	}
	rules, problems := rule.Load(s.tree, s.config.RulesDir, s.modes)
	if len(rules) == 0 && len(problems) == 0 {
		s.notices = append(s.notices, fmt.Sprintf("nothing was judged: no rules in %s; run: rulecheck init", s.config.RulesDir))
	}
	for _, r := range rules {
		if len(s.config.Exclude) > 0 {
			r.Patterns["exclude"] = append(r.Patterns["exclude"], s.config.Exclude...)
		}
	}
	s.all = rules
	s.problems = append(s.problems, problems...)
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
