package policy_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/content/establish"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/golden"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/policies"
)

// TestSchema compares the schemas next to the policies, which opa check --schema reads.
func TestSchema(t *testing.T) {
	for name, schema := range map[string]map[string]any{"input": policy.Schema(load(t).Modes), "event": policy.SchemaOfEvents()} {
		file := "../../policies/schemas/" + name + ".json"
		var got bytes.Buffer
		encoder := json.NewEncoder(&got)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(schema); err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, file, got.String())
	}
}

// TestFactsHaveSources: each fact that METADATA may name is made in one place, a field or a row
// of [establish.Facts]. Fields of details are the parts that engines are asked for.
func TestFactsHaveSources(t *testing.T) {
	fields := func(of reflect.Type) map[string]bool {
		names := map[string]bool{}
		for field := range of.Fields() {
			if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "-" {
				names[name] = true
			}
		}
		return names
	}
	input, detail := fields(reflect.TypeFor[policy.Input]()), fields(reflect.TypeFor[diff.Detail]())
	made := map[string]bool{}
	for _, f := range establish.Facts() {
		made[f.Name] = true
	}
	for _, fact := range policies.FactTable() {
		switch {
		case fact.OfChange && !detail[fact.Name]:
			t.Errorf("fact %q is of changes; want a field of diff.Detail", fact.Name)
		case !fact.OfChange && input[fact.Name] == made[fact.Name]:
			t.Errorf("nothing makes the fact %q, or two places do; want a row of establish.Facts or a field of policy.Input", fact.Name)
		}
	}
	if got := policies.ChangeFacts(); len(got) != len(detail) {
		t.Errorf("facts of changes are %q; want all of %v", got, detail)
	}
}
