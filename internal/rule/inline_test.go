package rule_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// sessionModes are two modes for sessions, and one for changes.
var sessionModes = policies.NewModes(
	policies.Mode{Name: "repeated", Facts: []string{policies.FactVisit}, Params: []policies.Param{
		{Name: "repeated.like", Type: policies.Regex, Optional: true},
		{Name: "repeated.times", Type: policies.Integer, AtLeast: 1},
	}},
	policies.Mode{Name: "spent", Facts: []string{policies.FactVisit}, Params: []policies.Param{
		{Name: "spent", Type: policies.Integer, AtLeast: 1},
		{Name: "of", Type: policies.Strings, OneOf: []string{"input", "output"}, Distinct: true, Default: []string{"input"}, Optional: true},
	}},
	policies.Mode{Name: "touched", Facts: []string{policies.FactMatches}, Params: []policies.Param{{Name: "touched", Type: policies.Patterns}}},
)

// inlineOf reads the rules of the node code of a workflow.
func inlineOf(t *testing.T, rules string) ([]*rule.Rule, []finding.Problem) {
	t.Helper()
	scope, problems := rule.Resolver{Modes: sessionModes}.Open("w.yaml", []byte("nodes:\n  code:\n    rules: "+rules+"\n"))
	if scope == nil || len(problems) > 0 {
		t.Fatal(problems)
	}
	return scope.Inline("w.code", "nodes", "code", "rules")
}

func TestInline(t *testing.T) {
	t.Parallel()
	got, problems := inlineOf(t, `
      - type: repeated
        like: "cargo (build|test)"
        times: 5
      - repeated: {times: 0x10}
      - spent: 3
        type: spent
        of: [output, input]
      - {type: spent, spent: 7}`)
	made := func(index, mode string, line int, params map[string]any) *rule.Rule {
		id := "w.code.rules[" + index + "]"
		return &rule.Rule{
			Info: rule.Info{
				ID:     id,
				Name:   id,
				Mode:   mode,
				Level:  finding.Error,
				Params: params,
				File:   "w.yaml",
			},
			CompareTo: rule.CompareBase, Enabled: true, Line: line, Tier: rule.ProjectTier,
		}
	}
	want := []*rule.Rule{
		made("0", "repeated", 4, map[string]any{"repeated.like": "cargo (build|test)", "repeated.times": 5}),
		made("1", "repeated", 7, map[string]any{"repeated.times": 16}),
		made("2", "spent", 8, map[string]any{"spent": 3, "of": []string{"output", "input"}}),
		made("3", "spent", 11, map[string]any{"spent": 7, "of": []string{"input"}}),
	}
	if diff := cmp.Diff(want, got); diff != "" || len(problems) > 0 {
		t.Errorf("problems %v, rules (-want +got):\n%s", problems, diff)
	}
	scope, problems := rule.Resolver{Modes: sessionModes}.Open("w.yaml", []byte("rules: [*a, {repeated: {times: 1, like: *a}}, {type: *a}]\n"))
	if rules, more := scope.Inline("w", "rules"); len(problems) != 3 || len(rules)+len(more) > 0 {
		t.Errorf("rules %v, problems %v and %v; want three, of the YAML", rules, problems, more)
	}
	for _, nothing := range []string{"", "null", "[]"} {
		if rules, problems := inlineOf(t, nothing); len(rules)+len(problems) > 0 {
			t.Errorf("%q: %v, %v; want nothing", nothing, rules, problems)
		}
	}
}

func TestInlineRefuses(t *testing.T) {
	t.Parallel()
	const path = "nodes.code.rules[0]"
	for rules, want := range map[string][]string{
		"{}":                           {"12 nodes.code.rules: is a mapping; want a list of rules [YamlParse]"},
		"[a]":                          {"13 " + path + `: is the text "a"; want a mapping with a "type", or with a mode as its only key [YamlParse]`},
		"[{}]":                         {"13 " + path + `.type: is missing; want one of "repeated", "spent", or one of them as the only key [MissingField]`},
		"[{type: , times: 1}]":         {"13 " + path + `.type: is missing; want one of "repeated", "spent", or one of them as the only key [MissingField]`},
		"[{type: 1, times: 1}]":        {"20 " + path + `.type: is the integer 1; want one of "repeated", "spent" [YamlParse]`},
		"[{type: Repeated, times: 1}]": {"20 " + path + `: unknown type of rule "Repeated"; did you mean "repeated"? want one of "repeated", "spent" [UnknownRuleType]`},
		"[{touched: a}]":               {"14 " + path + `: unknown type of rule "touched"; want one of "repeated", "spent" [UnknownRuleType]`},
		"[{repeated: a}]":              {"24 " + path + `: is the text "a"; want a mapping with the keys level, like, name, times [YamlParse]`},
		"[{repeated: }]":               {"14 " + path + ".times: is missing; want a whole number [MissingField]"},
		"[{repeated: {times: , lke: a}}]": {
			"25 " + path + ".times: has no value; want a whole number [MissingField]",
			"34 " + path + `.lke: unknown key; did you mean "like"? want one of "level", "like", "name", "times" [UnknownField]`,
		},
		"[{repeated: {times: 0}}]":                    {"32 " + path + ".times: is 0; want a whole number from 1 [InvalidRuleThreshold]"},
		"[{repeated: {times: -1}}]":                   {"32 " + path + ".times: is -1; want a whole number from 1 [YamlParse]"},
		"[{repeated: {times: 1.5}}]":                  {"32 " + path + ".times: is the number 1.5; want a whole number [YamlParse]"},
		`[{repeated: {times: "1"}}]`:                  {"32 " + path + `.times: is the text "1"; want a whole number [YamlParse]`},
		"[{repeated: {times: 18446744073709551616}}]": {"32 " + path + ".times: is 18446744073709551616; want a whole number from 1 to 18446744073709551615 [YamlParse]"},
		`[{repeated: {times: 1, like: "a("}}]`:        {"41 " + path + `.like: is "a("; want an RE2 expression: missing closing ): ` + "`a(` [InvalidRulePattern]"},
		`[{repeated: {times: 1, like: ""}}]`:          {"41 " + path + ".like: is empty; want a regular expression [InvalidRulePattern]"},
		"[{type: spent, spent: 1, of: [inptu]}]":      {"42 " + path + `.of[0]: is "inptu"; did you mean "input"? want one of "input", "output" [YamlParse]`},
		"[{type: spent, spent: 1, of: []}]":           {"41 " + path + `.of: is an empty list; want one or several of "input", "output" [YamlParse]`},
		"[{repeated: {times: 0}}, {spent: 1}, {x: 1}]": {
			"32 " + path + ".times: is 0; want a whole number from 1 [InvalidRuleThreshold]",
			"45 nodes.code.rules[1]: is the integer 1; want a mapping with the keys level, name, of, spent [YamlParse]",
			"50 nodes.code.rules[2]: unknown type of rule \"x\"; want one of \"repeated\", \"spent\" [UnknownRuleType]",
		},
	} {
		made, problems := inlineOf(t, rules)
		var got []string
		for _, p := range problems {
			got = append(got, strings.TrimPrefix(p.Error(), "w.yaml:3:")+" ["+p.Code+"]")
		}
		for i, w := range want {
			want[i] = strings.Replace(w, " ", ": ", 1)
		}
		if diff := cmp.Diff(want, got); diff != "" || len(made) > 0 {
			t.Errorf("%s: rules %v, problems (-want +got):\n%s", rules, made, diff)
		}
	}
}
