package condition_test

import (
	"os"
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/format"
)

func TestMCPConditions(t *testing.T) {
	facts := map[string]any{"vars": map[string]any{
		"mcp_calls": map[string]any{"srv": []any{"done", "failed"}},
		"mcp_results": map[string]any{"srv": map[string]any{
			"done":   map[string]any{"success": true, "error": nil, "status": "closed", "n": 1},
			"failed": map[string]any{"success": false},
			"status": map[string]any{"status": "error"},
			"error":  map[string]any{"error": "no such thing"},
			"text":   "error",
			"null":   nil,
		}},
	}}
	want := map[string]bool{
		`lib.mcp_called("srv", "done")`:                   true,
		`lib.mcp_called("srv", "text")`:                   false,
		`lib.mcp_called("none", "done")`:                  false,
		`lib.mcp_failed("srv", "done")`:                   false,
		`lib.mcp_failed("srv", "failed")`:                 true,
		`lib.mcp_failed("srv", "status")`:                 true,
		`lib.mcp_failed("srv", "error")`:                  true,
		`lib.mcp_failed("srv", "text")`:                   false,
		`lib.mcp_failed("srv", "null")`:                   false,
		`lib.mcp_failed("srv", "never")`:                  false,
		`lib.mcp_result_is_null("srv", "null")`:           true,
		`lib.mcp_result_is_null("srv", "never")`:          true,
		`lib.mcp_result_is_null("srv", "done")`:           false,
		`lib.mcp_result_has("srv", "done", "n", 1)`:       true,
		`lib.mcp_result_has("srv", "done", "n", 2)`:       false,
		`lib.mcp_result_has("srv", "failed", "n", null)`:  false,
		`data.rulecheck.lib.mcp_called("srv", "done")`:    true,
		`not lib.mcp_called("srv", "done") or not vars.a`: true,
	}
	whens := map[string]string{}
	for when := range want {
		whens[when] = when
	}
	conditions, problems := compiled(t, tools(t), whens)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for when := range want {
		if holds, err := conditions.Holds(t.Context(), when, facts); err != nil || holds != want[when] {
			t.Errorf("%s: %v, %v; want %v", when, holds, err, want[when])
		}
	}
}

// TestRegoOfConditions holds the Rego of conditions to what all policies are
// held to: written as opa fmt does, with METADATA.
func TestRegoOfConditions(t *testing.T) {
	const directory = "library"
	entries, err := os.ReadDir(directory)
	if err != nil || len(entries) == 0 {
		t.Fatal(entries, err)
	}
	for _, entry := range entries {
		file := path.Join(directory, entry.Name())
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := format.Source(file, text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(text)); diff != "" {
			t.Errorf("%s is not as opa fmt writes it (-want +got):\n%s", file, diff)
		}
		module := ast.MustParseModuleWithOpts(string(text), ast.ParserOptions{ProcessAnnotation: true})
		described := map[string]bool{}
		for _, r := range module.Rules {
			for _, a := range r.Annotations {
				described[r.Head.Name.String()] = a.Description != ""
			}
		}
		for _, r := range module.Rules {
			if !described[r.Head.Name.String()] {
				t.Errorf("%s: %s has no description", file, r.Head.Name)
			}
		}
	}
}
