package check

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/git"
)

// Commands is how the commands of rules run.
type Commands struct {
	Off string // why none runs; empty: they run
	Fix bool   // write back what they change
	// Unwritable says why nothing may be written back although Fix is set, and what
	// to do; empty: it may.
	Unwritable string
	Repo       *git.Repo // to write to; nil where there is no git program
	Temp       string    // directory for scratch copies
	Fast       string    // such a directory in memory; empty: there is none
	Cache      string    // directory that the tools' caches are kept in
	Environ    []string  // the process's, of which commands see a part
	Jobs       int       // at a time; 0: what the configuration says
	Now        func() time.Time
	Progress   func(commands.Event) // nil: nobody looks
}

// runCommands runs what firing rules prescribe and gives the findings that come
// of it by the id of their base.
func runCommands(ctx context.Context, j *judge) (map[string][]finding.Finding, error) {
	if !slices.ContainsFunc(j.verdicts, verdict.commands) {
		return nil, nil
	}
	surroundings := async.Go(j.under, func() (commands.Tree, error) { return commands.Surround(ctx, j.git, j.head, nil) })
	p, err := j.prescribe(ctx)
	if err != nil || len(p.jobs) == 0 {
		return nil, err
	}
	tree, err := surroundings()
	if err != nil {
		return nil, err
	}
	tree.Files = p.files
	o, config := j.options.Commands, j.project.Config
	result, err := commands.Run(ctx, p.jobs, commands.Options{
		Tree: tree, Temp: o.Temp, Fast: o.Fast, Cache: o.Cache, Environ: o.Environ, Now: o.Now, Progress: o.Progress,
		Pass: config.Commands.Env, Write: config.Commands.Write, Sandbox: config.Commands.Sandbox,
		Jobs: cmp.Or(o.Jobs, config.Jobs),
	})
	if err != nil {
		return nil, err
	}
	j.outcomes = result.Outcomes
	j.notices = append(j.notices, result.Notices...)
	kept, err := j.keep(ctx, result.Edits)
	if err != nil {
		return nil, err
	}
	found := map[string][]finding.Finding{}
	for _, outcome := range result.Outcomes {
		v := p.verdicts[outcome.Rule]
		if f, ok := commandFinding(v, outcome, kept); ok {
			found[v.changeset.Base.ID] = append(found[v.changeset.Base.ID], f)
		}
	}
	return found, nil
}
