package audit

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// Export yields the selected sessions as an audit counts them, with the phases that the
// journals of workflows record. The summary has what could not be read of logs that belong
// to no session, and its Files is 0 if there are no logs.
func Export(ctx context.Context, engine diff.Engine, logs Logs, yield func(*session.Session) error) (agentlog.Summary, error) {
	head, err := engine.Head(ctx, diff.Worktree, "")
	if err != nil {
		return agentlog.Summary{}, err
	}
	project, err := setup.Open(ctx, engine, head, workflows.Agents{})
	if err != nil {
		return agentlog.Summary{}, err
	}
	inputs, err := logs.Inputs(ctx, engine, head, project.Config.Sessions)
	if err != nil {
		return agentlog.Summary{}, err
	}
	trees, damaged := journaledIn(ctx, engine, logs.Others)
	if damaged != nil {
		return agentlog.Summary{}, damaged
	}
	return agentlog.Each(ctx, inputs, logs.Reading(engine.Root()), func(s session.Session) error {
		if !logs.Includes(&s, engine.Root()) {
			return nil
		}
		tree := trees[logs.rootOf(s.Cwd, engine.Root())]
		s.Phases = during(tree.phases, &s, tree.root)
		return yield(&s)
	})
}
