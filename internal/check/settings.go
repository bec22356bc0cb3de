package check

import (
	"context"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/trust"
)

// settings returns the settings for commands that count: those of the project that do not
// let commands do more than the target of the change does, and those that are trusted.
func (r *run) settings(ctx context.Context) (trust.Settings, []string, error) {
	head := trust.Of(r.project.Config, r.selected.Rules)
	if r.Commands.Trust || r.RulesFrom == RulesFromBase {
		return head, nil, nil
	}
	request := diff.BaseRequest{Head: r.head, CI: r.CI} // rulecheck trust compares with the same branch
	c, err := r.project.CompareSettings(ctx, r.selected.Rules, request)
	if err != nil {
		return head, nil, err
	}
	record, err := r.Commands.Trusted.Of(trust.Repository(r.engine.GitDir()))
	var notices []string
	if err != nil {
		notices = append(notices, "trusted settings do not count: "+err.Error())
	}
	d := trust.Decide(c.Head, c.Base, record.Trusts(c.Head, c.Base))
	if len(d.Refused) > 0 {
		notices = append(notices, fmt.Sprintf("not honoured, because %s: %s; to allow this, run: rulecheck trust, or in CI add --trust",
			c.Why, finding.Visible(trust.Join(d.Refused))))
	}
	return d.Settings, notices, nil
}
