package check

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"time"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/git"
)

// Commands are the settings for running the commands of rules.
type Commands struct {
	Off string // why none runs; empty: they run
	Fix bool   // write back what they change
	// Unwritable is why nothing can be written back although Fix is set, and what to do;
	// empty: it can.
	Unwritable string
	Repo       *git.Repo // to write to; nil if there is no git program
	Temps      []string  // directories for scratch copies, the preferred one first
	Cache      string    // directory of the tools' caches, of which each repository has its own
	Environ    []string  // the process's environment, of which commands see a part
	Jobs       int       // commands at a time; 0: the configuration's
	Now        func() time.Time
	Progress   func(commands.Progress) // may be nil
}

// commandResult is the result of the commands of rules.
type commandResult struct {
	findings map[string][]finding.Finding // by the id of the base
	outcomes []commands.Outcome
	notices  []string
	sandbox  string // level
}

// runCommands runs the commands of rules that fire, and keeps their changes if asked to.
func (r *run) runCommands(ctx context.Context, changes []*change) (result commandResult, err error) {
	if !haveCommands(changes) {
		return result, nil
	}
	if off := r.commandsOff(); off != "" {
		result.notices = []string{notRun(changes, off)}
		return result, nil
	}
	surroundings := async.Go(r.background, func() (commands.Tree, error) { return commands.HeadTree(ctx, r.engine, r.head, nil) })
	plan, err := r.planCommands(ctx, changes)
	result.notices = plan.notices
	if err != nil || len(plan.jobs) == 0 {
		return result, err
	}
	tree, err := surroundings()
	if err != nil {
		return result, err
	}
	tree.Files = plan.files
	o, config := r.Commands, r.project.Config
	ran, err := commands.Run(ctx, plan.jobs, commands.Options{
		Tree: tree, Temps: o.Temps, Cache: r.toolCache(), Environ: o.Environ, Now: o.Now, OnProgress: o.Progress,
		Pass: config.Commands.Env, Write: config.Commands.Write, Sandbox: config.Commands.Sandbox,
		Jobs: cmp.Or(o.Jobs, config.Jobs),
	})
	if err != nil {
		return result, err
	}
	kept, notices, err := r.writeBack(ctx, ran.Edits)
	if err != nil {
		return result, err
	}
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

// toolCache returns the directory of the tools' caches for this repository. Its commands
// can put anything there, programs as well, which those of another must not run.
func (r *run) toolCache() string {
	place := r.engine.Root()
	if repo := r.Commands.Repo; repo != nil {
		place = repo.CommonDir
	}
	return filepath.Join(r.Commands.Cache, fmt.Sprintf("%x", sha256.Sum256([]byte(place)))[:16])
}
