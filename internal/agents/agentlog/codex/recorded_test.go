package codex_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/codex"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
)

// TestRecorded reads rollouts that Codex 0.169.0 wrote: calls of its programs are known by
// name, calls that a hook blocked are rejected, and tokens that two kinds of rows record
// count once.
func TestRecorded(t *testing.T) {
	for name, want := range map[string]struct {
		calls   []string
		tokens  int
		prompts int
	}{
		"code_record": {[]string{
			"exec: unknown", "exec_command touch forbidden: ok", "exec: unknown", "apply_patch: ok", "exec: unknown", "mcp__probe__echo: ok",
		}, 4, 1},
		"deny_json":       {[]string{"exec_command touch forbidden: rejected", "apply_patch: rejected"}, 3, 1},
		"stop_block_once": {[]string{"exec_command touch forbidden: ok"}, 3, 1},
		"subagent_tools":  {[]string{"spawn_agent: ok", "exec_command touch forbidden: rejected"}, 4, 1},
		"subagent_tools1": {[]string{"exec_command touch forbidden: rejected"}, 2, 0},
	} {
		data, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		l := record.New(name+".jsonl", nil)
		read := codex.Reader.Open(l)
		for i, row := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
			if l.Row = row; !read(row, i+1) {
				t.Errorf("%s:%d is not read", name, i+1)
			}
		}
		l.Finish()
		var calls []string
		for i := range l.Calls {
			c := &l.Calls[i]
			text := c.Name
			if c.Command != "" {
				text += " " + c.Command
			}
			calls = append(calls, text+": "+string(c.Status))
		}
		if diff := cmp.Diff(want.calls, calls); diff != "" || len(l.Tokens) != want.tokens || len(l.Prompts) != want.prompts || l.HasLoss() {
			t.Errorf("%s: %d tokens, %d prompts, %v\n%s", name, len(l.Tokens), len(l.Prompts), l.Diagnostics, diff)
		}
	}
}
