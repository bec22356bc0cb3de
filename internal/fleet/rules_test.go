package fleet_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/fleet"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// haveRule answers for units, each of which has one rule, by their ids.
type haveRule map[string]report.Rule

func (haveRule) Key(_ context.Context, u fleet.Unit) (fleet.Unit, string, error) { return u, u.ID, nil }

func (h haveRule) Check(_ context.Context, u fleet.Unit) (int, []byte, error) {
	row, err := json.Marshal(report.NewRow(&report.Report{Version: report.Version, Command: "check", Rules: []report.Rule{h[u.ID]}}))
	return 0, row, err
}

// rules returns the rules of the merged report of units.
func (h haveRule) rules(t *testing.T) []report.Rule {
	t.Helper()
	list := []fleet.Unit{{ID: "a", GitDir: "a"}, {ID: "b", GitDir: "b"}}
	file := filepath.Join(t.TempDir(), "ledger")
	ledger, err := fleet.OpenLedger(file, list, fleet.Shard{Index: 1, Count: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer ledger.Close()
	if _, err := fleet.Run(t.Context(), list, h, ledger, fleet.Options{Jobs: 1}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return merge(t, [][]byte{text}).Rules
}

// fill sets every field of a rule that its JSON form has, so that the test includes new ones.
func fill(t *testing.T, v reflect.Value) {
	t.Helper()
	for field, value := range v.Fields() {
		switch {
		case field.Tag.Get("json") == "-":
		case value.Kind() == reflect.Struct:
			fill(t, value)
		case value.Kind() == reflect.String:
			value.SetString("the " + field.Name)
		case value.Kind() == reflect.Bool:
			value.SetBool(true)
		case value.Type() == reflect.TypeFor[[]string]():
			value.Set(reflect.ValueOf([]string{"the " + field.Name}))
		case value.Type() == reflect.TypeFor[map[string]any]():
			value.Set(reflect.ValueOf(map[string]any{"the": field.Name}))
		default:
			t.Fatalf("no way to fill a %s", value.Type())
		}
	}
}

// TestFieldsOfRulesSurvive: each field of a rule is in the merged report, and two rules that
// differ in it are two.
func TestFieldsOfRulesSurvive(t *testing.T) {
	var full report.Rule
	fill(t, reflect.ValueOf(&full).Elem())
	if diff := cmp.Diff([]report.Rule{full}, haveRule{"a": full, "b": full}.rules(t)); diff != "" {
		t.Errorf("rules of two units with the same one (-want +got):\n%s", diff)
	}
	for _, of := range []func(*report.Rule) reflect.Value{
		func(r *report.Rule) reflect.Value { return reflect.ValueOf(r).Elem() },
		func(r *report.Rule) reflect.Value { return reflect.ValueOf(&r.Info).Elem() },
	} {
		for field, value := range of(&full).Fields() {
			if field.Tag.Get("json") == "-" || field.Type == reflect.TypeFor[rule.Info]() {
				continue
			}
			other := full
			of(&other).FieldByIndex(field.Index).SetZero()
			want := 2
			if field.Name == "File" { // repositories may have one rule in different files
				want = 1
			}
			if got := (haveRule{"a": full, "b": other}).rules(t); len(got) != want {
				t.Errorf("%d rules that differ in %s, %v; want %d", len(got), field.Name, value, want)
			}
		}
	}
}
