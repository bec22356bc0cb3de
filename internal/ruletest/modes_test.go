package ruletest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/ruletest"
	"github.com/rulecheck/rulecheck/policies"
)

// TestExamplesOfModes runs the examples in the METADATA of every bundled mode as those of
// rules: of each mode of changes or tool calls one that fires and one that does not. Rules
// about sessions load.
func TestExamplesOfModes(t *testing.T) {
	t.Parallel()
	bundle, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	r := gittest.New(t)
	of := map[string]string{} // the mode, by the id of the rule
	for _, name := range bundle.Modes.Names() {
		if len(bundle.Modes.Of(name).Examples) == 0 {
			t.Errorf("the mode %s has no example", name)
		}
		for i, text := range bundle.Modes.Of(name).Examples {
			id := strings.ReplaceAll(fmt.Sprintf("%s-%d", name, i), "_", "-")
			of[id] = name
			r.Rule(id, text)
		}
	}
	r.Commit("rules")
	outcome, err := ruletest.Run(t.Context(), r.Open(), nil, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(outcome.Failures)+len(outcome.Project.Problems) > 0 {
		t.Errorf("failures %+v, problems %v", outcome.Failures, outcome.Project.Problems)
	}
	if len(outcome.Project.Rules) != len(of) {
		t.Errorf("%d rules; want %d", len(outcome.Project.Rules), len(of))
	}
	for _, rule := range outcome.Project.Rules {
		fires, silent := false, false
		for _, x := range rule.Examples {
			quiet := !x.Fires && len(x.Wanted) == 0 && (x.Effect == "" || x.Effect == "allow")
			fires, silent = fires || !quiet, silent || quiet
		}
		if mode := bundle.Modes.Of(of[rule.ID]); rule.Mode != mode.Name || !mode.Session() && (!fires || !silent) {
			t.Errorf("an example of %s: mode %s, fires %t, does not %t", mode.Name, rule.Mode, fires, silent)
		}
	}
}
