package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// defaultRulesDir is the directory of rules unless the configuration names another.
var defaultRulesDir = path.Join(Dir, "rules")

// codeNoRules marks a repository without rules.
const codeNoRules = "no_rules"

// MissingRules returns the problem that the project has no rules where they were read, or
// nil. If there are some in the working tree or in the commit of HEAD, something that
// should be checked was not; rules of other tiers do not make up for that.
func (p *Project) MissingRules(ctx context.Context) (*finding.Problem, error) {
	if !p.LacksRules() {
		return nil, nil
	}
	elsewhere, err := p.rulesElsewhere(ctx)
	switch {
	case err != nil:
		return nil, err
	case elsewhere != "":
		return p.noRules(elsewhere), nil
	case p.Config.RulesDir != defaultRulesDir:
		return &finding.Problem{
			File: ConfigFile, Line: 1, Column: 1, Code: codeNoRules,
			Message: fmt.Sprintf(`"rules.rules_dir" is %q, which has no rules; want the directory of the rules`, p.Config.RulesDir),
		}, nil
	case len(p.Rules)+len(p.Broken)+len(p.loaded.Problems) > 0:
		return nil, nil
	default:
		next := "run: rulecheck init"
		if exists(p.Tree, ConfigFile) { // init would refuse
			next = "write one, name a pack in \"extends\", or run: rulecheck suggest"
		}
		return &finding.Problem{Code: codeNoRules, Message: fmt.Sprintf("nothing was checked: no rules in %s; %s", p.Config.RulesDir, next)}, nil
	}
}

// OnlyPhaseRules reports whether all rules are those of workflow phases, which look at
// sessions and at no change.
func (p *Project) OnlyPhaseRules() bool {
	return len(p.Broken) == 0 && !slices.ContainsFunc(p.Rules, func(r *rule.Rule) bool { return r.Workflow == "" })
}

// RemovedRules returns the problem that a change removes all rule files.
func (p *Project) RemovedRules() *finding.Problem {
	rest := "those in the phases of workflows look at sessions only; run: rulecheck init"
	if p.HasNested() {
		rest = "those of other directories do not replace them; keep one, or add --rules-from base"
	}
	return &finding.Problem{Code: codeNoRules, Message: fmt.Sprintf("the change was not checked: it removes all rules in %s, and %s", p.Config.RulesDir, rest)}
}

// NoRuleApplies returns the problem that none of the rules is about changes or sessions.
func (p *Project) NoRuleApplies() *finding.Problem {
	return &finding.Problem{Code: codeNoRules, Message: fmt.Sprintf(
		"nothing was checked: no rule in %s is about changes or sessions; those about tool calls apply in the hooks of agents", p.Config.RulesDir)}
}

// LacksRules reports whether the root has no rules where they were read. Those of other
// directories do not replace them.
func (p *Project) LacksRules() bool {
	return p.Config.Enabled && absent(p.Tree, p.Config.RulesDir)
}

// HasNested reports whether directories other than the root have rules.
func (p *Project) HasNested() bool { return len(p.nested) > 0 }

// RulesAt returns the problem that the project has no rules while the target of the change
// has some; nil if that has none either.
func (p *Project) RulesAt(ctx context.Context, target *Project, found diff.Base) (*finding.Problem, error) {
	tree, err := p.engine.Tree(ctx, target.Head, target.Config.RulesDir)
	if err != nil || absent(tree, target.Config.RulesDir) {
		return nil, err
	}
	return p.noRules("there are some at the " + found.FoundBy + "; add --rules-from base"), nil
}

func (p *Project) noRules(elsewhere string) *finding.Problem {
	return &finding.Problem{Code: report.NotEvaluated, Message: fmt.Sprintf("no rules in %s %s; %s", p.Config.RulesDir, p.where(), elsewhere)}
}

// where names the place where the project was read.
func (p *Project) where() string {
	switch p.Head.Kind {
	case diff.Worktree:
		return "of the working tree"
	case diff.Index:
		return "of the index"
	default:
		return "at " + report.ShortCommit(p.Head.Commit)
	}
}

// rulesElsewhere says where else the project has rules, and how they are used; empty if
// it has none in the working tree and at HEAD.
func (p *Project) rulesElsewhere(ctx context.Context) (string, error) {
	work, err := p.engine.Head(ctx, diff.Worktree, "")
	if errors.As(err, new(*diff.NoVerdictError)) {
		return "", nil // a bare repository has one commit to read
	}
	if err != nil {
		return "", err
	}
	advice := "there are some in the working tree: add --rules-from worktree"
	if p.Head.Kind == diff.Index {
		advice = "there are some in the working tree; run: git add " + Dir + ", or add --rules-from worktree"
	}
	for _, other := range []struct {
		head   diff.Head
		advice string
	}{
		{work, advice},
		{diff.Head{Kind: diff.Commit, Ref: "HEAD", Commit: work.Commit}, "there are some in the commit of HEAD: restore them, or add --rules-from HEAD"},
	} {
		if other.head.Kind == diff.Commit && other.head.Commit == "" {
			continue
		}
		there, err := Open(ctx, p.engine, other.head, p.agents)
		if err != nil {
			return "", err
		}
		tree, err := p.engine.Tree(ctx, other.head, there.Config.RulesDir)
		if err != nil {
			return "", err
		}
		if !absent(tree, there.Config.RulesDir) {
			return other.advice, nil
		}
	}
	return "", nil
}

// absent reports whether a directory has no rule files. One that cannot be listed may.
func absent(tree fs.FS, dir string) bool {
	entries, err := fs.ReadDir(tree, dir)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	for _, e := range entries {
		if rule.IsRuleFile(e.Name()) {
			return false
		}
	}
	return true
}
