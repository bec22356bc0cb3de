package doctor

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/trust"
)

// settings reports settings for commands that do not count, because the target of the change
// does not have them.
func (e *examination) settings(ctx context.Context) error {
	if len(trust.Of(e.rules.Config, e.rules.Rules).Actions) == 0 {
		return nil
	}
	c, err := e.rules.CompareSettings(ctx, e.rules.Rules, diff.BaseRequest{Head: e.rules.Head, CI: e.CI})
	if err != nil {
		return e.noVerdict("settings", err)
	}
	record, err := e.Trusted.Of(trust.Repository(e.Engine.GitDir()))
	if err != nil {
		e.report("settings", Warn, "trusted settings do not count: "+err.Error(), "rulecheck untrust")
	}
	if d := trust.Decide(c.Head, c.Base, record.Trusts(c.Head, c.Base)); len(d.Refused) > 0 {
		e.report("settings", Warn, "not honoured, because "+c.Why+": "+finding.Visible(trust.Join(d.Refused)), "rulecheck trust")
	} else if err == nil {
		e.report("settings", OK, "all settings for commands count", "")
	}
	return nil
}
