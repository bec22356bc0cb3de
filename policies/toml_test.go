package policies_test

import (
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/rulecheck/rulecheck/policies"
)

// unmarshal reads a document by the builtin.
func unmarshal(t *testing.T, document string) (string, error) {
	t.Helper()
	results, err := rego.New(append(policies.Builtins(),
		rego.Query("x := toml.unmarshal(input)"),
		rego.Capabilities(policies.Capabilities()),
		rego.ParsedInput(ast.String(document)),
		rego.StrictBuiltinErrors(true),
		rego.GenerateJSON(func(term *ast.Term, _ *rego.EvalContext) (any, error) { return term.String(), nil }),
	)...).Eval(t.Context())
	if err != nil {
		return "", err
	}
	text, _ := results[0].Bindings["x"].(string)
	return text, nil
}

func TestPoliciesReadTOML(t *testing.T) {
	const document = `
title = "x"
whole = 1_000
hex = 0xff
share = 0.5
large = inf
low = -inf
none = nan
on = true
at = 1979-05-27 07:32:00.5-08:00
local = 1979-05-27T07:32:00
day = 1979-05-27
time = 07:32:00
[package.version]
workspace = true
[[bin]]
name = "a"
[[bin]]
name = "b"
`
	const want = `{"at": "1979-05-27T07:32:00.5-08:00", "bin": [{"name": "a"}, {"name": "b"}], "day": "1979-05-27", "hex": 255, ` +
		`"large": "inf", "local": "1979-05-27T07:32:00", "low": "-inf", "none": "nan", "on": true, ` +
		`"package": {"version": {"workspace": true}}, "share": 0.5, "time": "07:32:00", "title": "x", "whole": 1000}`
	got, err := unmarshal(t, document)
	if err != nil || got != want {
		t.Errorf("toml.unmarshal = %s, %v; want %s", got, err, want)
	}
	if got, err := unmarshal(t, ""); err != nil || got != "{}" {
		t.Errorf("toml.unmarshal of nothing = %s, %v; want {}", got, err)
	}
}

func TestPoliciesRefuseMalformedTOML(t *testing.T) {
	for document, want := range map[string]string{
		"a = 1\na = 2":               "toml.unmarshal: ",
		"a = 1\nb = ":                "line 2, column",
		"a = 99999999999999999999":   "toml.unmarshal: ",
		strings.Repeat("#", 1<<20+1): "more than 1 MiB",
	} {
		if got, err := unmarshal(t, document); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("toml.unmarshal(%.20q) = %s, %v; want an error with %q", document, got, err, want)
		}
	}
}
