package mcp_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// differing maps the cases of testdata/b_mcp.json that only apply to another program
// to the answer here.
var differing = map[string]string{
	"BM03": "a target may be left out: session_id",
	"BM15": "what a gate asks for is never hidden: missing_evidence",
}

type conformanceCase struct {
	ID, Title string
	Given     struct {
		Call struct {
			Tool      string
			Arguments map[string]any
		}
	}
	Expect struct {
		IsError       bool   `json:"is_error"`
		ErrorContains string `json:"error_contains"`
		ListsActions  bool   `json:"lists_actions"`
		Has           []string
		Structured    struct {
			Error       string
			Missing     []string
			HasExamples bool `json:"has_examples"`
		}
	}
}

// TestConformance answers the cases in a session whose first phase requires "n".
// Their phases are numbers; their argument "session" is session_id.
func TestConformance(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/b_mcp.json")
	if err != nil {
		t.Fatal(err)
	}
	var suite struct{ Cases []conformanceCase }
	if err := json.Unmarshal(text, &suite); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, c := range suite.Cases {
		r := newRepository(t)
		r.Write(".rulecheck/workflows/w.yaml", gated)
		arguments := c.Given.Call.Arguments
		if _, ok := arguments["session"]; ok {
			delete(arguments, "session")
			arguments["session_id"] = r.workflow("start", map[string]any{"workflow": "w"}).data["session_id"]
		}
		got := r.call(c.Given.Call.Tool, arguments)
		if _, differs := differing[c.ID]; differs {
			seen++
			if c.differs(got) == "" {
				t.Errorf("%s is answered as it expects; want no entry in differing", c.ID)
			}
			_, here, _ := strings.Cut(differing[c.ID], ": ")
			if !strings.Contains(got.text, here) {
				t.Errorf("%s: %v\nwant %s", c.ID, got, here)
			}
			continue
		}
		if why := c.differs(got); why != "" {
			t.Errorf("%s %s: %s: %v", c.ID, c.Title, why, got)
		}
	}
	if len(suite.Cases) != 9 || seen != len(differing) {
		t.Errorf("%d cases, of which %d differ", len(suite.Cases), seen)
	}
}

// differs describes how an answer differs from the case; empty if it does not.
func (c conformanceCase) differs(got reply) string {
	want := c.Expect
	missing, _ := got.data["missing_evidence"].([]any)
	structured := want.Structured
	switch {
	case got.refused != (want.IsError || structured.Error != ""):
		return "refused or not"
	case want.ErrorContains != "" && !strings.Contains(got.text, want.ErrorContains):
		return "the error does not say " + want.ErrorContains
	case want.ListsActions && got.data["actions"] == nil:
		return "no actions"
	case structured.Error != "" && got.data["error"] != structured.Error:
		return "not " + structured.Error
	case structured.HasExamples && got.data["examples"] == nil:
		return "no examples"
	case structured.Error != "" && len(missing) != len(structured.Missing):
		return "not what is missing"
	}
	for i, name := range structured.Missing {
		if answer, _ := missing[i].(string); !strings.HasPrefix(answer, name+" ") {
			return name + " is not missing"
		}
	}
	for _, key := range want.Has {
		if !strings.Contains(got.text, `"`+key+`":`) {
			return "no " + key
		}
	}
	return ""
}
