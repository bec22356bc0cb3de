package policy_test

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/policies"
)

var update = os.Getenv("UPDATE") != "" // rewrite the goldens

// The schema lies beside the policies, where opa check --schema reads it.
const schemaFile = "../../policies/schemas/input.json"

func TestSchema(t *testing.T) {
	var got bytes.Buffer
	encoder := json.NewEncoder(&got)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(policy.Schema(load(t).Modes)); err != nil {
		t.Fatal(err)
	}
	if update {
		if err := os.WriteFile(schemaFile, got.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("schema; make update writes it (-want +got):\n%s", diff)
	}
}

// TestFactsAreFields holds the words of METADATA to the fields of the input.
func TestFactsAreFields(t *testing.T) {
	fields := map[string]bool{}
	for field := range reflect.TypeFor[policy.Input]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		fields[name] = true
	}
	for _, fact := range policies.Facts() {
		if !fields[fact] {
			t.Errorf("fact %q is no field of policy.Input", fact)
		}
	}
}
