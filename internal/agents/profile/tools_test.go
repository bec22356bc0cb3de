package profile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/fact"
)

func TestKindOf(t *testing.T) {
	for name, want := range map[string]fact.Kind{"Bash": fact.Command, "write_file": fact.FileEdit, "mcp__a__b": fact.MCP, "ReadFile": fact.Read} {
		if got, ok := profile.KindOf(name); !ok || got != want {
			t.Errorf("%s is %s, %t", name, got, ok)
		}
	}
	if got, ok := profile.KindOf("RunAnything"); ok || got != fact.Other {
		t.Errorf("an unknown tool is %s, %t", got, ok)
	}
}

// TestFolders names the folders of a project as agents do.
func TestFolders(t *testing.T) {
	if got := profile.ClaudeFolder("/home/me/my.api"); got != "-home-me-my-api" {
		t.Errorf("Claude Code: got %s", got)
	}
	cursor, _ := profile.Named("cursor")
	m := profile.Machine{Getenv: func(string) string { return "/home/u" }}
	if got, want := cursor.Logs(m, "/w/my.shop")[0].Path, "/home/u/.cursor/projects/w-my-shop/agent-transcripts"; got != want {
		t.Errorf("Cursor: got %s; want %s", got, want)
	}
}

// TestToolDocument compares the table of tools in docs/sessions.md with its source; UPDATE=1
// rewrites it.
func TestToolDocument(t *testing.T) {
	kinds := []fact.Kind{fact.Command, fact.FileEdit, fact.Read, fact.MCP, fact.Other}
	var table strings.Builder
	table.WriteString("| agent |")
	for _, kind := range kinds {
		fmt.Fprintf(&table, " `%s` |", kind)
	}
	table.WriteString("\n|---" + strings.Repeat("|---", len(kinds)) + "|\n")
	agents := slices.DeleteFunc(profile.All(), func(p profile.Profile) bool { return p.Tools == nil })
	slices.SortFunc(agents, func(a, b profile.Profile) int { return strings.Compare(a.Title, b.Title) })
	for _, agent := range agents {
		fmt.Fprintf(&table, "| %s |", agent.Title)
		for _, kind := range kinds {
			cell := ""
			if names := strings.Fields(agent.Tools[kind]); len(names) > 0 {
				cell = "`" + strings.Join(names, "`, `") + "`"
			}
			fmt.Fprintf(&table, " %s |", cell)
		}
		table.WriteString("\n")
	}
	file := filepath.Join("..", "..", "..", "docs", "sessions.md")
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
