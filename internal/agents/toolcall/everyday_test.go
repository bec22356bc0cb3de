package toolcall_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/bash"
	"github.com/rulecheck/rulecheck/internal/agents/toolcall"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestEveryday decides shell lines of public READMEs, guides for contributors and CI workflows, each with
// its source: those that parse, and neither install packages, nor run a program from another machine, nor
// do what a rule of the pack is about. At most 3 % may be stopped.
func TestEveryday(t *testing.T) {
	lawtest.Sequential(t)
	f, err := os.Open("testdata/everyday_lines.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c := load(t, []string{"bundled/agents"}, nil)
	stopped := map[string]int{}
	total := 0
	for lines := bufio.NewScanner(f); lines.Scan(); total++ {
		var one struct{ Line, Source string }
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil || one.Source == "" {
			t.Fatal(err, one)
		}
		for agent, opaque := range map[string]string{"claude": toolcall.Ask, "codex": toolcall.Warn} {
			d, err := c.Decide(t.Context(), toolcall.Call{
				Agent: agent, Tool: "Bash", Input: map[string]any{"command": one.Line}, Opaque: opaque,
				World: bash.World{Root: "/w/repo", Home: "/home/dev"}, Now: "2026-01-01T00:00:00Z",
			})
			if err != nil || len(d.Failed) > 0 {
				t.Fatal(one.Line, err, d.Failed)
			}
			if d.Effect == toolcall.Deny || d.Effect == toolcall.Ask {
				stopped[agent]++
				t.Logf("%s: %s by %s: %s", agent, d.Effect, d.Rule.ID, one.Line)
			}
		}
	}
	t.Logf("%d lines; stopped: %v", total, stopped)
	for agent, n := range stopped {
		if total < 300 || n*100 > 3*total {
			t.Errorf("%s is stopped at %d of %d lines; want at most 3 %%", agent, n, total)
		}
	}
}
