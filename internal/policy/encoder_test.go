package policy_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/content/establish"
	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// TestValueIsTheJSON holds the terms built by hand to the tags of the types.
func TestValueIsTheJSON(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		var in policy.Input
		fill(t, reflect.ValueOf(&in).Elem())
		in.Made = establish.Made{}
		for _, f := range establish.Facts() {
			fact := reflect.New(f.Type).Elem()
			fill(t, fact)
			in.Made[f.Name] = fact.Interface()
		}
		in.Now, in.Event, in.ToolName = "2026-01-02T03:04:05Z", "before_tool", "Bash" // an empty one is unknown
		got, err := in.Value(policies.Facts())
		if err != nil {
			t.Fatal(err)
		}
		if want := viaJSON(t, in); want.Compare(got) != 0 {
			t.Errorf("Value = %s\nvia JSON %s", got, want)
		}
	})
}

func TestValueOfNothingIsEmptyNotNull(t *testing.T) {
	in := policy.Input{
		Session: &policy.SessionFacts{}, Visit: &policy.VisitFacts{}, Metrics: &fact.Metrics{Tokens: &fact.TokenCount{}}, Coverage: &fact.Coverage{},
		Matches: map[string][]correspondence.Match{"trigger": nil, "safety": {{Change: diff.Change{Detail: &diff.Detail{}}}}},
		Now:     "2026-01-02T03:04:05Z",
		Correspondences: []correspondence.Correspondence{{}, {
			Members: []correspondence.Member{{}},
		}},
		Event: "before_tool", ToolName: "Bash", ToolInput: map[string]any{},
		MCP: &policy.MCPFacts{}, Command: &fact.ShellLine{}, Call: &policy.CallFacts{},
		Made: establish.Made{},
	}
	for _, f := range establish.Facts() {
		in.Made[f.Name] = reflect.Zero(f.Type).Interface()
	}
	got, err := in.Value(policies.Facts())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(got.String(), "null") {
		t.Errorf("Value = %s; want no null", got)
	}
}

func TestValueHoldsBackWhatTheModeDoesNotDeclare(t *testing.T) {
	in := policy.Input{
		Changes:         []diff.Change{{Path: "a"}},
		Correspondences: []correspondence.Correspondence{{}},
	}
	got, err := in.Value([]string{policies.FactMatches})
	if err != nil {
		t.Fatal(err)
	}
	object, ok := got.(ast.Object)
	if !ok {
		t.Fatalf("Value = %s; want an object", got)
	}
	for _, name := range []string{policies.FactChanges, policies.FactCorrespondences} {
		if object.Get(ast.StringTerm(name)) != nil {
			t.Errorf("Value = %s; want no %s", got, name)
		}
	}
}

// A declared fact without a value would be undefined, and rules of the mode would never
// fire.
func TestValueRefusesWhatNobodyEstablished(t *testing.T) {
	in := policy.Input{Changes: []diff.Change{{Path: "a\n"}}}
	for want, facts := range map[string][]string{
		"size has not been established for every change":        {policies.FactChanges, "size"},
		"the mode needs input.now, which is not known here":     {policies.FactNow},
		"the mode needs input.metrics, which is not known here": {policies.FactMetrics},
		"the mode needs input.commits, which is not known here": {policies.FactCommits},
	} {
		if value, err := in.Value(facts); err == nil || err.Error() != want {
			t.Errorf("Value = %v, %v; want %s", value, err, want)
		}
	}
}

func TestValueOfADetailIsWhatTheModeDeclares(t *testing.T) {
	in := policy.Input{Changes: []diff.Change{{Path: "a", Detail: &diff.Detail{
		AddedLines: []diff.Line{{Line: 3, Text: "caf\xe9"}}, RemovedLines: []diff.Line{{Line: 1, Text: "x"}}, Size: new(int64(7)),
	}}}}
	got, err := in.Value([]string{policies.FactChanges, "added_lines", "binary"})
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"added_lines": [{"line": 3, "text": "caf\\xe9"}], "kind": "", "mode": "", "path": "a", "status": ""}]`
	object, ok := got.(ast.Object)
	if !ok || object.Get(ast.StringTerm("changes")).String() != want {
		t.Errorf("Value = %s; want changes %s", got, want)
	}
}

func TestValueRefusesParametersThatAreNoData(t *testing.T) {
	in := policy.Input{Rule: rule.Info{Params: map[string]any{"set": func() {}}}}
	if value, err := in.Value(nil); err == nil || !strings.Contains(err.Error(), "func()") {
		t.Errorf("Value = %v, %v; want an error of the parameters", value, err)
	}
}

func viaJSON(t *rapid.T, in policy.Input) ast.Value {
	made := in.Made
	in.Made = nil
	data := map[string]any{}
	for _, part := range []any{in, made} {
		text, err := json.Marshal(part)
		if err != nil {
			t.Fatal(err)
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&data); err != nil {
			t.Fatal(err)
		}
	}
	delete(data, "Made") // how encoding/json writes an embedded map
	of, _ := data["rule"].(map[string]any)
	for field := range reflect.TypeFor[rule.Info]().Fields() {
		if field.Tag.Get("policy") == "-" {
			delete(of, field.Tag.Get("json"))
		}
	}
	value, err := ast.InterfaceToValue(data)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// fill sets every field of v by reflection, so that the test includes new fields.
func fill(t *rapid.T, v reflect.Value) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Unix(rapid.Int64Range(0, 1<<35).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns")).UTC()))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for _, field := range v.Fields() {
			if field.CanSet() { // exported
				fill(t, field)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(0, 3).Draw(t, "len"), 3))
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rapid.IntRange(0, 3).Draw(t, "len") {
			value := reflect.New(v.Type().Elem()).Elem()
			fill(t, value)
			v.SetMapIndex(reflect.ValueOf(text(t)), value)
		}
	case reflect.String:
		v.SetString(text(t))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem())
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(rapid.Int().Draw(t, "int")))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Interface:
		v.Set(reflect.ValueOf(rapid.OneOf(
			rapid.Just[any](nil), rapid.Just[any](true), rapid.String().AsAny(),
			rapid.Int().AsAny(), rapid.SliceOf(rapid.String()).AsAny(),
		).Filter(func(v any) bool { return v != nil }).Draw(t, "any")))
	default:
		t.Fatalf("no way to fill a %s", v.Type())
	}
}

// text leaves out what Printable makes of invalid bytes, which has its own test.
func text(t *rapid.T) string {
	return rapid.String().Filter(func(s string) bool { return !strings.Contains(s, `\x`) }).Draw(t, "text")
}
