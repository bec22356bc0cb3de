package dialect_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
)

// TestAdapters reads the payloads of Cursor among the acceptance cases of log readers, as
// rows of a journal.
func TestAdapters(t *testing.T) {
	different := map[string]string{
		"cursor-shell/tool_name":  "the tool has the name that Cursor gives it",
		"cursor-shell/session_id": "a generation is a turn; the session is the conversation",
	}
	file, err := os.Open(filepath.Join("..", "..", "agentlog", "testdata", "adapters.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	walked := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var c struct {
			ID      string            `json:"id"`
			Adapter string            `json:"adapter"`
			Inputs  []json.RawMessage `json:"inputs"`
			Expect  json.RawMessage   `json:"expect"`
		}
		var expect []map[string]any
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if c.Adapter != "cursor" {
			continue
		}
		if err := json.Unmarshal(c.Expect, &expect); err != nil || len(expect) != len(c.Inputs) {
			t.Fatalf("%s: %v, %s", c.ID, err, c.Expect)
		}
		walked++
		for i, payload := range c.Inputs {
			p := hook.ParsePayload(payload)
			e := dialect.Of(p, "cursor").Event(p, "")
			row := e.Row(time.Now())
			got := map[string]any{"event_type": row.Event, "tool_name": row.Tool, "session_id": row.Session, "cwd": row.Cwd}
			if row.Input != nil {
				got["command"] = row.Input.Command
				if len(row.Input.Paths) > 0 {
					got["file_path"] = row.Input.Paths[0]
				}
			}
			for key, want := range expect[i] {
				if want == nil {
					want = ""
				}
				if same := cmp.Compare(text(got[key]), text(want)) == 0; same == (different[c.ID+"/"+key] != "") {
					t.Errorf("%s: %s is %v; want %v", c.ID, key, got[key], want)
				}
			}
		}
	}
	if walked == 0 {
		t.Error("no cases of Cursor")
	}
}

func text(v any) string { s, _ := v.(string); return s }
