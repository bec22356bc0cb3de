package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/past/replay"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// Limits of the look at past commits: how many are replayed, how many are enough to call a
// rule silent, how many of the last ten a healthy rule holds in, and how often a rule must
// have applied before it counts as one that cannot hold.
const (
	pastUnits    = 1000
	silentUnits  = 100
	healthyHeld  = 8
	lastApplied  = 10
	enoughToFail = 5
)

// past replays the rules on past commits, and reports those that people do not follow, that
// never held, and that never applied.
func (e *examination) past(ctx context.Context) error {
	if e.Program == nil || e.Program.Head == "" || e.Program.Bare || len(e.rules.Rules) == 0 {
		return nil
	}
	o := replay.Options{Check: check.Options{RulesFrom: check.RulesFromWorktree, User: e.User, Agents: agents.Ring{}, Now: time.Unix(0, 0)}}
	o.Range.Max, o.MaxFiles = pastUnits, replay.DefaultMaxFiles
	r, err := replay.Run(ctx, e.Engine, e.Program, o)
	if errors.As(err, new(*diff.NoVerdictError)) {
		e.report("past commits", Warn, err.Error(), "rulecheck replay")
		return nil
	}
	if err != nil {
		return err
	}
	if n := len(r.Unread); n > 0 {
		e.report("past commits", Warn, report.Count(n, "commit")+" could not be checked, the newest because "+r.Unread[0].Reason, "rulecheck replay")
	}
	unhealthy := 0
	for i := range r.Rules {
		subject := "rule " + r.Rules[i].ID
		if message := unhealthyRule(&r.Rules[i], r.Units); message != "" && !e.dead[r.Rules[i].ID] {
			unhealthy++
			e.report(subject, Warn, message, string(shell.Line("rulecheck", "replay", r.Rules[i].ID)))
		}
	}
	if unhealthy == 0 && len(r.Unread) == 0 && r.Units > 0 && len(r.Rules) > 0 {
		e.report("past commits", OK, fmt.Sprintf("%s on the last %s: all held in at least %d of the last ten, or had too few",
			report.Count(len(r.Rules), "rule"), report.Count(r.Units, "commit"), healthyHeld), "")
	}
	return nil
}

// unhealthyRule describes what is wrong with a rule that was replayed on so many units; empty
// if nothing is. Rules that only remind have no rate, and cannot be unhealthy.
func unhealthyRule(of *replay.RuleHistory, units int) string {
	applied := of.Held + of.Fired
	switch {
	case of.Triggered == 0 && units >= silentUnits:
		return fmt.Sprintf("never fired: it applied to none of the last %d commits", units)
	case of.Share == nil:
		return ""
	case of.Held == 0 && applied >= enoughToFail:
		return fmt.Sprintf("never held in the %s to which it applied", report.Count(applied, "commit"))
	case of.Last.Held+of.Last.Fired == lastApplied && of.Last.Held < healthyHeld:
		return fmt.Sprintf("held in %d of the last %d commits to which it applied", of.Last.Held, lastApplied)
	}
	return ""
}
