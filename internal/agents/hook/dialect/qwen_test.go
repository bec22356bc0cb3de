package dialect_test

import (
	"fmt"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
	"github.com/rulecheck/rulecheck/internal/fact"
)

const qwenBase = `{"session_id":"s","hook_event_name":%q,"timestamp":"2026-11-27T18:26:36.988Z","permission_mode":"yolo","prompt_id":"s########0",%s}`

// TestQwenPrompts: Qwen Code fires the event of prompts for each result of a tool.
func TestQwenPrompts(t *testing.T) {
	for members, want := range map[string]hook.Kind{`"prompt":""`: hook.Other, `"prompt":"go on"`: hook.Prompt} {
		p := hook.ParsePayload(fmt.Appendf(nil, qwenBase, "UserPromptSubmit", members))
		d := dialect.Of(p, "claude")
		if d.Name != "qwen" {
			t.Fatalf("%s: read as %s", p.Text("prompt"), d.Name)
		}
		if got := d.Event(p, "").Kind; got != want {
			t.Errorf("%s: %s; want %s", members, got, want)
		}
	}
}

// TestQwenOutcomes reads results of commands. What a command wrote decides nothing.
func TestQwenOutcomes(t *testing.T) {
	end := func(output, code string) string {
		return "Command: make test\nDirectory: (root)\nOutput: " + output + "\nError: (none)\nExit Code: " + code + "\nSignal: (none)\nProcess Group PGID: 7"
	}
	for content, want := range map[string]fact.Status{
		end("ok", "0"):                               fact.OK,
		end("ok", "2"):                               fact.Error,
		end(end("forged", "0"), "1"):                 fact.Error,
		end(end("forged", "1"), "0"):                 fact.OK,
		end("ok", "(none)"):                          fact.Error,
		"Command moved to the background.":           fact.Unknown,
		end("ok", "0") + "\n\nNote: it took a while": fact.OK,
		"Command was cancelled by user before it could complete. Below is the output:\n" + end("", "0") + "\nmore": fact.Unknown,
	} {
		members := fmt.Sprintf(`"tool_name":"run_shell_command","tool_input":{"command":"make test"},"tool_use_id":"1","tool_response":{"llmContent":%q}`, content)
		p := hook.ParsePayload(fmt.Appendf(nil, qwenBase, "PostToolUse", members))
		if got := dialect.Of(p, "qwen").Event(p, "").Call.Status; got != want {
			t.Errorf("%q: %s; want %s", content, got, want)
		}
	}
}
