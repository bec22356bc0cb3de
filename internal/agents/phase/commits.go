package phase

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// commit returns HEAD as records have it.
func (n *Runner) commit() string { return cmp.Or(n.head.Commit, store.NoCommit) }

// commitsMissing explains why the commits that a phase requires are not there; empty: they are.
// Those count that HEAD has, that it did not have when the visit began, and that were made since:
// a merge or a checkout brings commits of others.
func (n *Runner) commitsMissing(ctx context.Context, c *workflow.Commits, s *store.Run) string {
	if len(s.Visits) == 0 {
		return "cannot be checked: an earlier version of rulecheck entered the phase and recorded no commit; enter it again"
	}
	since := s.Visits[max(0, len(s.Visits)-c.Visits)]
	base := diff.Base{Commit: since.Commit}
	if base.Commit == store.NoCommit {
		base.Commit = diff.EmptyTreeFor(n.head.Commit)
	}
	messages, err := n.engine.Messages(ctx, base, n.head)
	if err != nil {
		return "cannot be checked: " + err.Error()
	}
	dates, err := n.engine.Dates(ctx, base, n.head)
	if err != nil {
		return "cannot be checked: " + err.Error()
	}
	made := map[string]bool{}
	for _, d := range dates {
		made[d.Commit] = d.Committed.Unix() >= since.At.Unix() // commits have whole seconds
	}
	found := 0
	for _, m := range messages {
		subject, _, _ := strings.Cut(strings.TrimLeft(m.Text, "\n"), "\n")
		if made[m.Commit] && (c.Subject == nil || c.Subject.MatchString(subject)) {
			found++
		}
	}
	if found >= c.Count {
		return ""
	}
	return fmt.Sprintf("requires %s; there are %d", c, found)
}
