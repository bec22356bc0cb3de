package policy_test

import (
	"context"
	"fmt"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// The mode trigger reports each change of a file that matches.
func ExampleEngine_Decide() {
	bundle, err := policies.Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	engine, err := policy.NewFor(context.Background(), bundle, []string{"trigger"})
	if err != nil {
		fmt.Println(err)
		return
	}
	violations, err := engine.Decide(context.Background(), policy.Input{
		Rule:    rule.Info{ID: "api", Mode: "trigger"},
		Matches: map[string][]correspondence.Match{"trigger": {{Path: "api/v1.proto"}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(violations[0].Message, violations[0].TriggerFiles)
	// Output: api/v1.proto changed [api/v1.proto]
}
