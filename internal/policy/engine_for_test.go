package policy_test

import (
	"sync"
	"testing"
	"testing/fstest"

	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
)

func TestNewFor(t *testing.T) {
	b := load(t)
	created := policy.Input{Rule: rule.Info{ID: "r", Mode: "created", Params: map[string]any{"created": "**"}}}
	trigger := policy.Input{Rule: rule.Info{ID: "r", Mode: "trigger", Params: map[string]any{"trigger": "**"}}}
	few, err := policy.NewFor(t.Context(), b, []string{"created"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := few.Decide(t.Context(), created); err != nil {
		t.Errorf("created: %v", err)
	}
	if _, err := few.Decide(t.Context(), trigger); err == nil {
		t.Error("trigger: no error; want one, as it was not compiled")
	}
	if !b.Modes.Has("trigger") {
		t.Error("the bundle itself lost a mode")
	}
	own := oddMetadata + "violations contains {\"message\": nonsense}"
	project, problems := b.With(fstest.MapFS{"p/odd.rego": {Data: []byte(own)}}, "p", rule.CommonKeys())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	with, err := policy.NewFor(t.Context(), project, []string{"created"})
	if err != nil {
		t.Fatal(err)
	}
	if found := with.Problems(); len(found) != 1 || found[0].File != "p/odd.rego" {
		t.Errorf("problems %v; want that of the project's policy, which no rule uses", found)
	}
	if _, err := with.Decide(t.Context(), created); err != nil {
		t.Errorf("created next to a project's policy: %v", err)
	}
}

// TestNewForIsSafeForConcurrentUse compiles the same modules several times at once,
// for the race detector to watch.
func TestNewForIsSafeForConcurrentUse(t *testing.T) {
	b := load(t)
	var group sync.WaitGroup
	for _, mode := range b.Modes.Names() {
		group.Go(func() {
			if _, err := policy.NewFor(t.Context(), b, []string{mode, "trigger"}); err != nil {
				t.Errorf("%s: %v", mode, err)
			}
		})
	}
	group.Wait()
}
