package record_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// TestClassify holds that a call of each tool of a profile has its kind and no diagnostic,
// and that a tool which no profile lists has one.
func TestClassify(t *testing.T) {
	for _, agent := range profile.All() {
		for kind, names := range agent.Tools {
			for name := range strings.FieldsSeq(names) {
				l := record.New("a.jsonl", nil)
				c := session.ToolCall{Name: name, Place: l.Place(1)}
				if l.Classify(&c); c.Kind != kind || len(l.Diagnostics) > 0 {
					t.Errorf("%s: %s is of kind %s, %v; want %s", agent.Name, name, c.Kind, l.Diagnostics, kind)
				}
			}
		}
	}
	l := record.New("a.jsonl", nil)
	c := session.ToolCall{Name: "frobnicate"}
	if l.Classify(&c); len(l.Diagnostics) != 1 || l.Diagnostics[0].Code != fact.UnknownTool {
		t.Errorf("an unknown tool: %v", l.Diagnostics)
	}
	for _, name := range []string{"mcp__shell__run", "mcp_jira_search", "MCP:search"} {
		c := session.ToolCall{Name: name}
		if l.Classify(&c); c.Kind != fact.MCP {
			t.Errorf("%s is of kind %s", name, c.Kind)
		}
	}
}
