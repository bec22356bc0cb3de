package condition_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// evidenceHolds evaluates a condition of a workflow with evidence given as JSON.
func evidenceHolds(t *testing.T, set *condition.Set, id, evidence string) (bool, error) {
	t.Helper()
	facts := map[string]any{}
	d := json.NewDecoder(strings.NewReader(evidence))
	d.UseNumber()
	if err := d.Decode(&facts); err != nil {
		t.Fatal(err)
	}
	return set.Holds(t.Context(), id, map[string]any{
		"claims": map[string]bool{}, "evidence": facts, "artifacts": map[string]any{"plan": map[string]any{"n": json.Number("5"), "text": "5"}},
		"vars": map[string]any{}, "phase": map[string]any{"name": "a", "seconds": 1, "start": "x"}, "now": "x",
	})
}

// TestTypesNeverCompare checks that values of different types, and null, are
// neither less than, equal to nor different from each other.
func TestTypesNeverCompare(t *testing.T) {
	t.Parallel()
	for i, c := range []struct{ when, refused, holds, fails string }{ // evidence
		{`evidence.n >= 80`, `{"n":"12"} {"n":"none"} {"n":[]} {"n":{}} {"n":null} {"n":true}`, `{"n":80} {"n":80.0} {"n":1e3}`, `{"n":12} {}`},
		{`evidence.n < 3`, `{"n":null} {"n":"1"} {"n":false}`, `{"n":2}`, `{"n":3} {}`},
		{`80 <= evidence.n`, `{"n":"12"}`, `{"n":80}`, `{"n":1}`},
		{`evidence.x > evidence.y`, `{"x":1,"y":null} {"x":null,"y":null} {"x":[],"y":1}`, `{"x":2,"y":1} {"x":"b","y":"a"}`, `{"x":1,"y":1}`},
		{`evidence.x > evidence.y`, `{"x":{},"y":{}} {"x":true,"y":false} {"x":[1],"y":["a"]}`, `{"x":[2],"y":[1]}`, `{"x":[1],"y":[1]}`},
		{`evidence.x == artifacts.plan.n`, `{"x":"5"} {"x":null}`, `{"x":5} {"x":5.0}`, `{"x":6}`},
		{`not evidence.x == "failed"`, `{"x":1} {"x":null} {"x":["failed"]}`, `{"x":"ok"} {}`, `{"x":"failed"}`},
		{`{ x := evidence.x; y := evidence.y; x != y }`, `{"x":1,"y":"1"} {"x":null,"y":"1"}`, `{"x":1,"y":2}`, `{"x":1,"y":1} {}`},
		{`not evidence.n > 3`, `{"n":null} {"n":"4"}`, `{"n":3}`, `{"n":4}`},
		{`evidence.x == null`, ``, `{"x":null}`, `{"x":1} {"x":"null"}`},
		{`not evidence.x in {"bad", "worse"}`, `{"x":1} {"x":null} {"x":["bad"]}`, `{"x":"good"}`, `{"x":"bad"}`},
		{`"a" in evidence.xs`, `{"xs":[1]} {"xs":"a"} {"xs":null} {"xs":5}`, `{"xs":["a"]} {"xs":[1,"a"]}`, `{"xs":[]} {"xs":["b"]}`},
		{`not evidence.x in {null, ""}`, ``, `{"x":1} {"x":"y"}`, `{"x":null} {"x":""}`},
		{`min([evidence.n, 90]) >= 80`, `{"n":"12"} {"n":null}`, `{"n":80}`, `{"n":12}`},
		{`max([evidence.n, 0]) <= 10`, `{"n":null} {"n":false}`, `{"n":8}`, `{"n":12}`},
		{`sort(evidence.xs)[0] >= 5`, `{"xs":["a",1]} {"xs":[null,7]}`, `{"xs":[7,6]}`, `{"xs":[1,7]} {"xs":[]}`},
		{`not { some x in evidence.xs; x == "bad" }`, `{"xs":"bad"} {"xs":null} {"xs":3}`, `{"xs":[]} {"xs":["good"]}`, `{"xs":["bad"]}`},
		{`not { every x in evidence.xs { x < 3 } }`, `{"xs":"bad"} {"xs":null} {"xs":["1"]}`, `{"xs":[5]}`, `{"xs":[]} {"xs":[1]}`},
		{`count([x | some x in evidence.xs; x.failed == true]) == 0`, `{"xs":"oops"} {"xs":[{"failed":"true"}]}`, `{"xs":[]} {"xs":[{"failed":false}]}`, `{"xs":[{"failed":true}]}`},
		{`count([1 | evidence.xs[_].failed == true]) == 0`, `{"xs":"oops"} {"xs":null} {"xs":4}`, `{"xs":[]} {"xs":[{"failed":false}]} {} {"xs":[{}]}`, `{"xs":[{"failed":true}]}`},
		{`not { evidence.xs[_].ys[_] == "bad" }`, `{"xs":"bad"} {"xs":[{"ys":"bad"}]}`, `{"xs":[]} {"xs":[{"ys":["good"]}]} {"xs":[{}]}`, `{"xs":[{"ys":["bad"]}]}`},
		{`{ some k in ["a", "b"]; evidence.xs[k] == 1 }`, `{"xs":"a"} {"xs":null}`, `{"xs":{"b":1}}`, `{"xs":{}} {}`},
		{`not { "bad" = evidence.x }`, `{"x":1} {"x":null}`, `{"x":"good"}`, `{"x":"bad"}`},
		{`{ some i; evidence.xs[i] > 3 }`, `{"xs":["a"]}`, `{"xs":[1,4]}`, `{"xs":[1]} {"xs":[]}`},
		{`evidence.n == 9007199254740993`, ``, `{"n":9007199254740993}`, `{"n":9007199254740992}`},
	} {
		id := strconv.Itoa(i)
		set, problems, err := condition.Compile(t.Context(), load(t), condition.WorkflowVocabulary(condition.Names{Outputs: map[string][]string{"plan": nil}}), map[string]*rule.Condition{id: {Text: c.when, File: "w.yaml"}})
		if err != nil || len(problems) > 0 {
			t.Errorf("%s: %v, %v", c.when, err, problems)
			continue
		}
		for evidence := range strings.FieldsSeq(c.refused) {
			if holds, err := evidenceHolds(t, set, id, evidence); err == nil || holds {
				t.Errorf("%s with %s is %v; want an error", c.when, evidence, holds)
			}
		}
		for want, list := range map[bool]string{true: c.holds, false: c.fails} {
			for evidence := range strings.FieldsSeq(list) {
				if holds, err := evidenceHolds(t, set, id, evidence); err != nil || holds != want {
					t.Errorf("%s with %s is %v, %v; want %v", c.when, evidence, holds, err, want)
				}
			}
		}
	}
}

// TestComparisonErrorsNameBothValues checks the message and the place of a
// comparison that could not be made.
func TestComparisonErrorsNameBothValues(t *testing.T) {
	t.Parallel()
	set, problems, err := condition.Compile(t.Context(), load(t), condition.WorkflowVocabulary(condition.Names{Outputs: map[string][]string{"plan": nil}}), map[string]*rule.Condition{"a": {Text: "claims.x or evidence.n >= 80", File: "w.yaml"}})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	_, err = evidenceHolds(t, set, "a", `{"n":"12"}`)
	if want := `condition of a: "12" is a string and 80 is a number; want values of one type on both sides of ">="`; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}

// TestComparisonLaw checks every operator with random values: an answer is
// that of the numbers, strings or arrays, and everything else is an error.
func TestComparisonLaw(t *testing.T) {
	t.Parallel()
	operators := map[string]func(int) bool{
		"<": func(c int) bool { return c < 0 }, "<=": func(c int) bool { return c <= 0 }, ">": func(c int) bool { return c > 0 },
		">=": func(c int) bool { return c >= 0 }, "==": func(c int) bool { return c == 0 }, "!=": func(c int) bool { return c != 0 },
	}
	texts := map[string]*rule.Condition{}
	for sign := range operators {
		texts[sign] = &rule.Condition{Text: "{ x := evidence.x; y := evidence.y; x " + sign + " y }", File: "w.yaml"}
		texts["not "+sign] = &rule.Condition{Text: "not { x := evidence.x; y := evidence.y; x " + sign + " y }", File: "w.yaml"}
	}
	set, problems, err := condition.Compile(t.Context(), load(t), condition.WorkflowVocabulary(condition.Names{Outputs: map[string][]string{"plan": nil}}), texts)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	value := rapid.OneOf(
		rapid.Map(rapid.IntRange(-3, 3), strconv.Itoa),
		rapid.Map(rapid.SampledFrom([]string{"", "a", "b", "1", "null"}), func(s string) string { return fmt.Sprintf("%q", s) }),
		rapid.SampledFrom([]string{"null", "true", "false", "[]", "{}"}),
	)
	lawtest.Check(t, func(r *rapid.T) {
		x, y := value.Draw(r, "x"), value.Draw(r, "y")
		var a, b any
		_ = json.Unmarshal([]byte(x), &a)
		_ = json.Unmarshal([]byte(y), &b)
		compared, typed := 0, false
		switch a := a.(type) {
		case float64:
			if b, ok := b.(float64); ok {
				compared, typed = int(a-b), true
			}
		case string:
			if b, ok := b.(string); ok {
				compared, typed = strings.Compare(a, b), true
			}
		case []any:
			_, typed = b.([]any) // both are empty
		}
		sameKind := a != nil && b != nil && fmt.Sprintf("%T", a) == fmt.Sprintf("%T", b)
		for sign, want := range operators {
			if sameKind && !typed && (sign == "==" || sign == "!=") {
				continue
			}
			for id, negated := range map[string]bool{sign: false, "not " + sign: true} {
				holds, err := evidenceHolds(t, set, id, `{"x":`+x+`,"y":`+y+`}`)
				if typed != (err == nil) || typed && holds != (want(compared) != negated) {
					r.Errorf("%s %s %s: %v, %v", x, id, y, holds, err)
				}
			}
		}
	})
}
