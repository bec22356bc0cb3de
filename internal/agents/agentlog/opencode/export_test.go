package opencode

import (
	"cmp"

	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// OutcomeOf returns how a call ended, by its state.
func OutcomeOf(tool string, state []byte) fact.Status {
	kind, _ := profile.KindOf(tool)
	r := part{Scanner: jsonscan.New(state)}
	r.Object(r.state)
	status, _ := r.outcome(kind)
	return cmp.Or(status, fact.Unknown)
}
