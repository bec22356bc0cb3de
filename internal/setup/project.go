// Package setup reads the configuration, policies and rules of a repository at one
// head and makes them ready to use.
package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/rulecheck/rulecheck/internal/baseline"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pack"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// ConfigFile is the path of the configuration in the repository.
const ConfigFile = ".rulecheck/config.yml"

// Dir is the directory of configuration, policies and, by default, rules.
var Dir = path.Dir(ConfigFile)

// Project is the configuration, policies and rules of a repository at one head.
type Project struct {
	Head        diff.Head // where it was read
	Tree        fs.FS     // the files that were read of the repository
	Config      rule.Config
	Bundle      *policies.Bundle
	Modes       policies.Modes // of the bundle
	OwnPolicies bool           // there are policies besides the built-in ones
	Rules       []*rule.Rule   // every rule that loads, in byte order of their files
	Broken      []string       // ids of the rules that do not load
	Conditions  *condition.Set // of the rules about changes; nil if none has one
	Problems    []finding.Problem
	Notices     []string
	Known       *baseline.Set    // findings that are known; nil: none
	Accepted    []baseline.Entry // those in the file, of rules that can have them or not
	// SessionConditions are the conditions of rules about sessions; nil if none has one.
	SessionConditions *condition.Set
	// ToolConditions are the conditions of rules about tool calls; nil if none has one.
	ToolConditions *condition.Set
	// Vars are the initial values of variables of sessions, if conditions may read them.
	Vars map[string]any

	// NestedFiles lists the tracked files at and below each [Dir] below the root; nil: the
	// engine is asked.
	NestedFiles func() ([]string, error)

	engine    diff.Engine
	agents    Agents
	nested    []string         // the directories other than the root with rules
	whole     fs.FS            // Tree, and every other file of head when it is opened
	packs     []rule.Pack      // of git repositories
	organized bool             // the run has a pack of an organization
	managed   bool             // see Manage
	user      *rule.UserDir    // nil: the user has none
	ruleDirs  []rule.Directory // of the rules, highest tier first
	loaded    rule.Loaded      // from ruleDirs
}

// Open reads the configuration at head. Policies and rules are read by
// [Project.ReadPolicies] and [Project.ReadRules]. Without agents, no rule may name one and
// there are no workflows.
func Open(ctx context.Context, engine diff.Engine, head diff.Head, agents Agents) (*Project, error) {
	tree, err := engine.Tree(ctx, head, append(foreign(), Dir)...)
	if err != nil {
		return nil, err
	}
	if agents == nil {
		agents = noAgents{}
	}
	p := &Project{Head: head, Tree: tree, engine: engine, agents: agents}
	p.Config, p.Problems = rule.LoadConfig(tree, ConfigFile)
	p.openPacks(ctx)
	p.lookAlikes()
	return p, nil
}

// OpenTarget reads the configuration at the tip of the branch that a change is for, and
// returns how that was found. The default branch is the one that the configuration of the
// default branch itself names: a change must not choose where its rules are read.
func OpenTarget(ctx context.Context, engine diff.Engine, r diff.BaseRequest, agents Agents) (*Project, diff.Base, error) {
	r.ID, r.DefaultBranch = diff.Target, ""
	p, base, err := openAt(ctx, engine, r, agents)
	if err != nil || p.Config.DefaultBranch == "" {
		return p, base, err
	}
	r.DefaultBranch = p.Config.DefaultBranch
	return openAt(ctx, engine, r, agents)
}

// openAt reads the configuration at a base.
func openAt(ctx context.Context, engine diff.Engine, r diff.BaseRequest, agents Agents) (*Project, diff.Base, error) {
	base, err := engine.Resolve(ctx, r)
	if err != nil {
		return nil, base, err
	}
	p, err := Open(ctx, engine, diff.Head{Kind: diff.Commit, Ref: base.Ref, Commit: base.Commit}, agents)
	return p, base, err
}

// ReadPolicies adds the project's policies to the built-in ones.
func (p *Project) ReadPolicies(builtin *policies.Bundle) {
	p.Bundle, p.Modes = builtin, builtin.Modes
	for _, each := range p.packs { // before the project's, which cannot take their names
		p.addPolicies(each.FS, path.Join(each.Dir, pack.PoliciesDir))
	}
	p.addPolicies(p.Tree, policies.ProjectDir)
}

// addPolicies adds the policies of a directory; a missing one has none.
func (p *Project) addPolicies(files fs.FS, dir string) {
	if _, err := fs.Stat(files, dir); errors.Is(err, fs.ErrNotExist) {
		return
	}
	var problems []finding.Problem
	p.OwnPolicies = true
	p.Bundle, problems = p.Bundle.With(files, dir, rule.CommonKeys())
	p.Modes = p.Bundle.Modes
	p.Problems = append(p.Problems, problems...)
}

// ReadRules reads the rules of all tiers and of all directories, and adds the
// configuration's excludes to each. A user of nil has no rules.
func (p *Project) ReadRules(ctx context.Context, user *rule.UserDir) error {
	nested, err := p.nestedDirectories(ctx)
	if err != nil {
		return err
	}
	return p.readRules(ctx, user, nested)
}

// ReadRootRules reads the rules of all tiers without those of directories, which are about
// changes only.
func (p *Project) ReadRootRules(ctx context.Context, user *rule.UserDir) error {
	return p.readRules(ctx, user, nil)
}

func (p *Project) readRules(ctx context.Context, user *rule.UserDir, nested []rule.Directory) (err error) {
	if !p.Config.Enabled {
		p.Notices = append(p.Notices, "nothing was checked: rules.enabled is false in "+ConfigFile)
		return nil
	}
	if !strings.HasPrefix(p.Config.RulesDir, Dir+"/") {
		if p.Tree, err = p.engine.Tree(ctx, p.Head, Dir, p.Config.RulesDir); err != nil {
			return err
		}
	}
	p.whole = p.completeTree(ctx)
	tiers := slices.Insert(rule.Tiers(p.Config, p.Tree, user), 1, nested...)
	bundled := len(tiers) - len(p.Config.Extends)
	first := p.packDirectories(rule.OrganizationTier)
	if p.managed {
		first = append(first, rule.Guards())
	}
	p.user, p.ruleDirs = user, slices.Concat(first, tiers[:bundled], p.packDirectories(rule.PackTier), tiers[bundled:])
	p.load()
	return nil
}

// load reads the rules of the directories, and adds the configuration's excludes to each.
func (p *Project) load() {
	p.loaded = rule.LoadTiers(p.ruleDirs, p.Modes)
	p.checkAgents()
	for _, r := range p.loaded.Rules {
		if len(p.Config.Exclude) > 0 && r.Tier != rule.OrganizationTier {
			r.Patterns[rule.Exclude] = append(r.Patterns[rule.Exclude], p.Config.Exclude...)
		}
	}
	p.Rules, p.Broken = slices.Clone(p.loaded.Rules), p.loaded.Broken // workflows name the loaded ones
	p.Problems = append(p.Problems, p.loaded.Problems...)
}

// CheckVersion fails where the configuration asks for a newer program than version.
// A build without a version counts as new enough.
func (p *Project) CheckVersion(version string) error {
	wanted := "v" + p.Config.MinVersion
	if p.Config.MinVersion == "" || !semver.IsValid(version) || semver.Compare(version, wanted) >= 0 {
		return nil
	}
	return fmt.Errorf("%s: min_version: this is rulecheck %s; want %s or newer", ConfigFile, version, wanted)
}

// Source returns the content of a file that a problem names.
func (p *Project) Source(file string) ([]byte, error) {
	if content, err := rule.Content(p.ruleDirs, file); err == nil {
		return content, nil
	}
	return regular.ReadFS(p.Tree, file, regular.Text)
}

// Root returns the top of the working tree, or "" in a bare repository.
func (p *Project) Root() string { return p.engine.Root() }
