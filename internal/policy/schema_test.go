package policy_test

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/policies"
)

var update = os.Getenv("UPDATE") != "" // rewrite the goldens

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
		if update {
			if err := os.WriteFile(file, got.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got.String()); d != "" {
			t.Errorf("schema %s; make update writes it (-want +got):\n%s", name, d)
		}
	}
}

// TestFactsAreFields holds the words of METADATA to the fields of the input and of
// a change's details, which in turn are the parts that engines are asked for.
func TestFactsAreFields(t *testing.T) {
	fields := func(of reflect.Type) map[string]bool {
		names := map[string]bool{}
		for field := range of.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			names[name] = true
		}
		return names
	}
	input, detail := fields(reflect.TypeFor[policy.Input]()), fields(reflect.TypeFor[diff.Detail]())
	for _, fact := range policies.FactTable() {
		if fact.OfChange && !detail[fact.Name] || !fact.OfChange && !input[fact.Name] {
			t.Errorf("fact %q is no field", fact.Name)
		}
	}
	if got := policies.ChangeFacts(); len(got) != len(detail) {
		t.Errorf("facts of changes are %q; want all of %v", got, detail)
	}
}
