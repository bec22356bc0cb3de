package check

import (
	"cmp"
	"context"
	"time"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/trust"
)

// Commands are the settings for running the commands of rules.
type Commands struct {
	Off string // why none runs; empty: they run
	// Trust makes every setting of the change count. Otherwise those that let commands do
	// more than the target of the change does count only if they are in Trusted.
	Trust   bool
	Trusted trust.Store
	Fix     bool // write back what they change
	// Unstaged writes what they change in the index to the working tree alone, as formatters do
	// under the pre-commit framework, which then refuses the commit.
	Unstaged bool
	Repo     *git.Repo // to write to; nil if there is no git program
	Temps    []string  // directories for scratch copies, the preferred one first
	Fast     string    // such a directory in memory, for small copies; empty: none
	Cache    string    // directory of the tools' caches, one for each repository
	Environ  []string  // the process's environment; commands see a part
	Jobs     int       // commands at a time; 0: the configuration's
	Now      func() time.Time
	Progress func(commands.Progress) // may be nil
}

// commandResult is the result of the commands of rules.
type commandResult struct {
	findings map[string][]finding.Finding // by the id of the base
	outcomes []commands.Outcome
	notices  []string
	sandbox  string           // level
	notRun   []string         // ids of rules that fire and whose command did not run
	failures map[string]error // of rules whose command did not run on all files
}

// runCommands runs the commands of rules that fire, and keeps their changes if asked to.
func (r *run) runCommands(ctx context.Context, changes []*change) (result commandResult, err error) {
	if !haveCommands(changes) {
		return result, nil
	}
	if off := r.commandsOff(); off != "" {
		rules := rulesWithCommands(changes)
		result.notices, result.notRun = []string{notRun(rules, off)}, rules
		return result, nil
	}
	surroundings := async.Go(r.background, func() (commands.Tree, error) { return commands.HeadTree(ctx, r.engine, r.head, nil) })
	type decided struct {
		trust.Settings
		notices []string
	}
	decide := async.Go(r.background, func() (decided, error) {
		s, notices, err := r.settings(ctx)
		return decided{s, notices}, err
	})
	plan, err := r.planCommands(ctx, changes)
	result.notices, result.failures = plan.notices, plan.failures
	if err != nil || len(plan.jobs) == 0 {
		return result, err
	}
	tree, err := surroundings()
	if err != nil {
		return result, err
	}
	allowed, err := decide()
	if err != nil {
		return result, err
	}
	plan.apply(allowed.Settings)
	result.notices = append(result.notices, allowed.notices...)
	tree.Files = plan.files
	o, config := r.Commands, r.project.Config
	ran, err := commands.Run(ctx, plan.jobs, commands.Options{
		Tree: tree, Temps: o.Temps, Fast: o.Fast, Cache: r.toolCache(ctx, plan.jobs), Environ: o.Environ, Now: o.Now, OnProgress: o.Progress,
		Pass: allowed.Env, Write: allowed.Write, Sandbox: allowed.Sandbox,
		Jobs: cmp.Or(o.Jobs, config.Jobs),
	})
	if err != nil {
		return result, err
	}
	kept, notices, err := r.writeBack(ctx, ran.Edits)
	if err != nil {
		return result, err
	}
	ran.Outcomes = withoutSecrets(ran.Outcomes, o.Environ, allowed.Env, plan.jobs)
	result.sandbox = string(ran.Sandbox)
	result.outcomes, result.findings = ran.Outcomes, map[string][]finding.Finding{}
	result.notices = append(append(result.notices, ran.Notices...), notices...)
	for _, outcome := range ran.Outcomes {
		v := plan.verdicts[outcome.Rule]
		if f, ok := commandFinding(v, outcome, kept); ok {
			base := v.Changeset.Base.ID
			result.findings[base] = append(result.findings[base], f)
		}
	}
	return result, nil
}
