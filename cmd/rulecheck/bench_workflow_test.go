//go:build bench

package main_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestBenchmarkNext measures a step of a workflow that stays in its phase, whose
// four rules check a log of 10 MB that was all written in it.
func TestBenchmarkNext(t *testing.T) {
	program, err := filepath.Abs(filepath.Join("..", "..", "bin", "rulecheck"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "session.jsonl")
	run(t, dir, "git", "init", "-q", "-b", "main")
	run(t, dir, "git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "initial")
	run(t, dir, program, "workflow", "start", "execution")
	if err := os.WriteFile(log, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, dir, program, "workflow", "next", `{"spec_complete": true}`, "--log", log)
	run(t, dir, program, "workflow", "next", `{"plan_complete": true}`, "--log", log)
	rows := writeLog(t, log, dir)
	times := measure(t, dir, []measured{
		{argv: []string{program, "workflow", "next", `{"unsure": true}`, "--log", log}, same: 0},
		{argv: []string{program, "version"}, same: 1},
	})
	record(t, fmt.Sprintf("\n## Workflows: a step in a visit with a log of 10 MB, %d rows\n\n"+
		"| command | median ms |\n|---|--:|\n| `rulecheck workflow next`, with four rules | %.0f |\n| `rulecheck version` | %.0f |\n",
		rows, milliseconds(times[0]), milliseconds(times[1])))
}

// writeLog writes what an agent might have done since now: calls with their
// results, in the form of Claude Code's transcripts.
func writeLog(t *testing.T, name, cwd string) (rows int) {
	t.Helper()
	var b strings.Builder
	output := strings.Repeat("\tok\tgithub.com/example/shop\t0.01s\n\"quoted\": a line of some tool's output\n", 50)
	start := time.Now()
	for i := 0; b.Len() < 10<<20; i++ {
		common := map[string]any{"sessionId": "s1", "cwd": cwd, "timestamp": start.Add(time.Duration(i) * time.Millisecond).UTC().Format(time.RFC3339Nano)}
		id := fmt.Sprintf("t%d", i)
		for _, row := range []map[string]any{
			{"type": "assistant", "uuid": "a" + id, "message": map[string]any{
				"id": "m" + id, "role": "assistant", "usage": map[string]any{"input_tokens": 1, "output_tokens": 1},
				"content": []any{map[string]any{"type": "tool_use", "id": id, "name": "Bash", "input": map[string]any{"command": "go test ./pkg" + id}}},
			}},
			{"type": "user", "uuid": "u" + id, "message": map[string]any{"role": "user", "content": []any{
				map[string]any{"type": "tool_result", "tool_use_id": id, "content": output, "is_error": false},
			}}, "toolUseResult": map[string]any{"stdout": output}},
		} {
			maps.Copy(row, common)
			line, err := json.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(line, '\n'))
			rows++
		}
	}
	if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return rows
}
