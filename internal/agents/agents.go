// Package agents joins the ring of agents to a check of a change: cmd passes [Ring] to the
// packages that check, which import nothing of this directory.
//
//	check.Run(ctx, engine, check.Options{Agents: agents.Ring{Logs: logs}})
package agents

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// Ring implements [check.Agents]. The zero value audits the logs that the configuration
// names, or those in the default places of a repository.
type Ring struct {
	workflows.Agents

	Logs audit.Logs
}

// Sessions audits the sessions whose logs are part of the repository.
func (r Ring) Sessions(ctx context.Context, engine diff.Engine, of check.SessionCheck) (check.Sessions, error) {
	return audit.OfCheck(ctx, engine, of, r.Logs)
}
