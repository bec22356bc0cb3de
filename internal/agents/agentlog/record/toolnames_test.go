package record_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// TestToolTable holds that a call of each listed tool has the kind of its row and no
// diagnostic, and that a tool which no row lists has one.
func TestToolTable(t *testing.T) {
	record.EachTool(func(agent string, kind fact.Kind, names string) {
		seen := map[string]bool{}
		for name := range strings.FieldsSeq(names) {
			if seen[record.PlainName(name)] {
				t.Errorf("%s: %s is listed twice", agent, name)
			}
			seen[record.PlainName(name)] = true
			l := record.New("a.jsonl", nil)
			c := session.ToolCall{Name: name, Place: l.Place(1)}
			if l.Classify(&c); c.Kind != kind || len(l.Diagnostics) > 0 {
				t.Errorf("%s: %s is of kind %s, %v; want %s", agent, name, c.Kind, l.Diagnostics, kind)
			}
		}
	})
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

// TestToolDocument compares the table of tools in docs/sessions.md with its source; UPDATE=1
// rewrites it.
func TestToolDocument(t *testing.T) {
	kinds := []fact.Kind{fact.Command, fact.FileEdit, fact.Read, fact.MCP, fact.Other}
	var agents []string
	cells := map[string]string{}
	record.EachTool(func(agent string, kind fact.Kind, names string) {
		if !slices.Contains(agents, agent) {
			agents = append(agents, agent)
		}
		cells[agent+string(kind)] = "`" + strings.Join(strings.Fields(names), "`, `") + "`"
	})
	var table strings.Builder
	table.WriteString("| agent |")
	for _, kind := range kinds {
		fmt.Fprintf(&table, " `%s` |", kind)
	}
	table.WriteString("\n|---" + strings.Repeat("|---", len(kinds)) + "|\n")
	for _, agent := range agents {
		fmt.Fprintf(&table, "| %s |", agent)
		for _, kind := range kinds {
			fmt.Fprintf(&table, " %s |", cells[agent+string(kind)])
		}
		table.WriteString("\n")
	}
	file := filepath.Join("..", "..", "..", "..", "docs", "sessions.md")
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(content), "-run TestToolDocument -->\n")
	_, after, closed := strings.Cut(rest, "<!-- /tools -->")
	if !ok || !closed {
		t.Fatalf("%s has no place for the tools", file)
	}
	want := before + "-run TestToolDocument -->\n\n" + table.String() + "\n<!-- /tools -->" + after
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(content)); diff != "" {
		t.Errorf("%s is stale; run: make update (-want +got):\n%s", file, diff)
	}
}
