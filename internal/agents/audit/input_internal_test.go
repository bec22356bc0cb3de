package audit

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// TestInputHasAllFacts: a policy that asks for any fact about a session gets it.
func TestInputHasAllFacts(t *testing.T) {
	encoder := policy.NewEncoder(policies.FactsFrom(policies.NeedSession))
	encoder.Term(Rule{Rule: &rule.Rule{}}.input(&session.Session{}, session.Visit{}, fact.Metrics{}, &fact.Coverage{}))
	if err := encoder.Err(); err != nil {
		t.Error(err)
	}
}
