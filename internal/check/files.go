package check

import (
	"context"
	"slices"

	"github.com/rulecheck/rulecheck/internal/content/named"
	"github.com/rulecheck/rulecheck/internal/content/owners"
	"github.com/rulecheck/rulecheck/policies"
)

// atHead reads files that did not change.
type atHead struct {
	named  *named.Reader
	owners *owners.Reader
}

// add adds the facts of files for a rule whose mode asks for them and that may fire.
func (a atHead) add(ctx context.Context, v *Verdict, mode policies.Mode) {
	if v.noMatch || v.unread != nil || len(v.Facts.Matches["safety"]) > 0 {
		return
	}
	if slices.Contains(mode.Facts, policies.FactFiles) {
		v.Files, v.unread = a.named.Of(ctx, v.Rule, mode)
	}
	if v.unread == nil && slices.Contains(mode.Facts, policies.FactOwners) {
		v.Owners, v.unread = a.owners.Of(ctx, v.Facts.Paths())
	}
}
