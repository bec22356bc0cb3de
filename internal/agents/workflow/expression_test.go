package workflow_test

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// TestEveryConditionIsAnExpression finds the conditions in everything that a file loads to, so that
// no place of conditions is left out of those that are compiled.
func TestEveryConditionIsAnExpression(t *testing.T) {
	t.Parallel()
	d, problems, _ := loadRepo(t, "full")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	listed := map[*rule.Condition]bool{}
	kinds := map[workflow.Facts]bool{}
	for _, e := range d.Expressions() {
		listed[e.Condition] = true
		kinds[e.Facts] = true
	}
	seen := map[uintptr]bool{}
	found := 0
	var walk func(v reflect.Value, path string)
	walk = func(v reflect.Value, path string) {
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() || seen[v.Pointer()] {
				return
			}
			seen[v.Pointer()] = true
			if v.Type() == reflect.TypeFor[*rule.Condition]() {
				found++
				if !listed[(*rule.Condition)(v.UnsafePointer())] {
					t.Errorf("%s is no expression of the workflow; want it in the places of expressions", path)
				}
				return
			}
			walk(v.Elem(), path)
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i), path+"."+v.Type().Field(i).Name)
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i), path)
			}
		case reflect.Map:
			for _, key := range v.MapKeys() {
				walk(v.MapIndex(key), path)
			}
		default: // it holds no condition
		}
	}
	walk(reflect.ValueOf(d), "Definition")
	if found != len(listed) || found < 9 {
		t.Errorf("%d conditions and %d expressions; want as many, at least 9", found, len(listed))
	}
	for _, want := range []workflow.Facts{workflow.StepFacts, workflow.CallFacts, workflow.EventFacts, workflow.ChangeFacts} {
		if !kinds[want] {
			t.Errorf("no expression with facts of kind %d", want)
		}
	}
}

// TestKeysWithExpressions expects each key of a workflow file whose value is an expression, or has
// some, among the places of expressions.
func TestKeysWithExpressions(t *testing.T) {
	t.Parallel()
	places := workflow.ExpressionKeys()
	word := regexp.MustCompile(`\b(condition|conditions|expression|expressions)\b`)
	found := 0
	for _, table := range workflow.Keys() {
		for _, k := range table.Keys {
			text := strings.ReplaceAll(k.Want+" "+k.Doc, "regular expression", "")
			exempt := strings.Contains(k.Doc, "deprecated form") || k.Name == "id" || k.Name == "timeout" || slices.Contains([]string{"vars", "transitions", "to"}, k.Name)
			if !word.MatchString(text) || exempt {
				continue
			}
			found++
			if !slices.Contains(places, k.Name) {
				t.Errorf("%s of %s: %q; want it in the places of expressions", k.Name, table.Of, text)
			}
		}
	}
	if found < 6 {
		t.Errorf("%d keys with expressions; want at least 6", found)
	}
}
