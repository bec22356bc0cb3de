package agentlog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// summarise returns the numbers of commands and edits that ran, and whether each quantity
// of the only visit is exactly known.
type summary struct {
	Agent           string
	Commands, Edits int
	Incomplete      string // the quantities that are not exactly known
}

func summarise(s *session.Session) summary {
	sum := summary{Agent: s.Agent}
	for i := range s.Calls {
		switch c := &s.Calls[i]; {
		case !c.Done():
		case c.Kind == fact.Command:
			sum.Commands++
		case c.Kind == fact.FileEdit:
			sum.Edits++
		}
	}
	visits := s.Visits()
	if len(visits) == 0 {
		visits = []session.Visit{{Open: true}}
	}
	var unknown []string
	for _, of := range []session.Quantity{session.Commands, session.Edits, session.Seconds, session.TokenSum} {
		if s.Audit(visits[0], session.Measure{Of: of}).Incomplete != "" {
			unknown = append(unknown, string(of))
		}
	}
	sum.Incomplete = strings.Join(unknown, " ")
	return sum
}

// loadAll reads files with the given texts and reports whether anything outside a session
// was lost.
func loadAll(t *testing.T, files map[string]string) (sessions []session.Session, lost bool) {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	sessions, sum, err := agentlog.Load(t.Context(), []agentlog.Input{{FS: fsys, Path: "."}}, agentlog.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range sum.Diagnostics {
		lost = lost || d.Loss
	}
	return sessions, lost
}

const claudeRowHead = `{"type":"assistant","sessionId":"s","timestamp":"2026-01-01T00:00:%02dZ","message":{"id":"m%[1]d","usage":{"input_tokens":1,"output_tokens":2},"content":[%s]}}` + "\n"

// TestNotUnderstood checks that rows and tools that are not understood make counts
// incomplete.
func TestNotUnderstood(t *testing.T) {
	use := func(name, input string) string {
		return fmt.Sprintf(claudeRowHead, 1, `{"type":"tool_use","id":"t1","name":"`+name+`","input":`+input+`}`) +
			`{"type":"user","sessionId":"s","timestamp":"2026-01-01T00:00:02Z","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}` + "\n"
	}
	text := fmt.Sprintf(claudeRowHead, 1, `{"type":"text","text":"x"}`)
	cursor := func(event, more string) string {
		return fmt.Sprintf(`{"conversation_id":"c","generation_id":"g","hook_event_name":%q,"workspace_roots":["/repo"],"timestamp":"2026-01-01T00:00:01Z"%s}`+"\n", event, more)
	}
	gemini := func(event, more string) string {
		return fmt.Sprintf(`{"session_id":"g","transcript_path":"/t","cwd":"/repo","hook_event_name":%q,"timestamp":"2026-01-01T00:00:01.5Z"%s}`+"\n", event, more)
	}
	const actions, all = "commands edits", "commands edits seconds tokens"
	tests := map[string]struct {
		log  string
		want summary
	}{
		"all understood":          {use("Bash", `{"command":"make"}`), summary{"claude", 1, 0, ""}},
		"a tool without effect":   {use("TodoWrite", `{"todos":[]}`), summary{"claude", 0, 0, ""}},
		"PowerShell":              {use("PowerShell", `{"command":"dotnet build"}`), summary{"claude", 1, 0, ""}},
		"an unknown tool":         {use("RunAnything", `{"command":"make"}`), summary{"claude", 0, 0, actions}},
		"an MCP tool":             {use("mcp__a__b", `{}`), summary{"claude", 0, 0, ""}},
		"a future type of rows":   {text + strings.ReplaceAll(use("Bash", `{"command":"make"}`), `"assistant"`, `"assistant_v2"`), summary{"claude", 0, 0, "commands edits tokens"}},
		"a future type of blocks": {fmt.Sprintf(claudeRowHead, 1, `{"type":"tool_use_v2","id":"t1","name":"Bash","input":{}}`), summary{"claude", 0, 0, actions}},
		"rows of another program": {text + `{"level":"info","msg":"make"}` + "\n", summary{"claude", 0, 0, all}},
		"rows of another program before": {
			`{"level":"info","msg":"make"}` + "\n" + text, summary{"claude", 0, 0, all},
		},
		"an answer without usage": {
			text + `{"type":"assistant","sessionId":"s","timestamp":"2026-01-01T00:00:02Z","message":{"id":"m2","content":[]}}` + "\n", summary{"claude", 0, 0, "tokens"},
		},
		"an answer with a null usage": {
			text + `{"type":"assistant","sessionId":"s","timestamp":"2026-01-01T00:00:02Z","message":{"id":"m2","usage":null,"content":[]}}` + "\n", summary{"claude", 0, 0, "tokens"},
		},
		"usage on another row of the answer": {
			text + `{"type":"assistant","sessionId":"s","timestamp":"2026-01-01T00:00:02Z","message":{"id":"m1","content":[]}}` + "\n", summary{"claude", 0, 0, ""},
		},
		"a wrong number of tokens": {strings.Replace(text, `"input_tokens":1`, `"input_tokens":-1`, 1), summary{"claude", 0, 0, "tokens"}},
		"a prompt without a time":  {text + `{"type":"user","sessionId":"s","timestamp":"soon","message":{"content":"x"}}` + "\n", summary{"claude", 0, 0, "seconds"}},
		"hooks of Cursor": {
			cursor("beforeShellExecution", `,"command":"make","cwd":"/repo"`) + cursor("afterShellExecution", `,"command":"make","output":"","duration":5`) +
				cursor("afterFileEdit", `,"file_path":"/repo/a.go","edits":[{"old_string":"a","new_string":"b"}]`) + cursor("stop", `,"status":"completed"`),
			summary{"cursor", 1, 1, "tokens"},
		},
		"each command of Cursor fires four events": {
			cursor("preToolUse", `,"tool_name":"Shell","tool_input":{"command":"make"},"tool_use_id":"1"`) + cursor("beforeShellExecution", `,"command":"make"`) +
				cursor("afterShellExecution", `,"command":"make"`) + cursor("postToolUse", `,"tool_name":"Shell","tool_input":{"command":"make"},"tool_use_id":"1"`),
			summary{"cursor", 1, 0, "tokens"},
		},
		"hooks of Gemini": {
			gemini("BeforeTool", `,"tool_name":"run_shell_command","tool_input":{"command":"make"}`) +
				gemini("AfterTool", `,"tool_name":"run_shell_command","tool_input":{"command":"make"},"tool_response":{"llmContent":"x"}`) +
				gemini("AfterTool", `,"tool_name":"replace","tool_input":{"file_path":"a.go"}`) + gemini("AfterAgent", ""),
			summary{"gemini", 1, 1, "tokens"},
		},
		"a patch in a hook of Codex": {
			`{"session_id":"c","turn_id":"1","hook_event_name":"PostToolUse","timestamp":"2026-01-01T00:00:01Z","tool_use_id":"1","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: a.go\n*** End Patch"}}`,
			summary{"codex", 0, 1, "tokens"},
		},
		"an unknown event of a hook": {gemini("AfterEverything", `,"command":"make"`), summary{"", 0, 0, "commands edits tokens"}},
		"other names of the shell": {
			hookRow("2026-01-01T00:00:01Z", "post_tool_use", "s", `,"tool_name":"shell","tool_input":{"command":"make"}`) +
				hookRow("2026-01-01T00:00:02Z", "post_tool_use", "s", `,"tool_name":"run_terminal_cmd","tool_input":{"command":"make"}`) +
				hookRow("2026-01-01T00:00:03Z", "post_tool_use", "s", `,"tool_name":"bash","tool_input":{"command":["bash","-lc","make"]}`),
			summary{"", 3, 0, "tokens"},
		},
		"hooks without a session": {
			strings.Repeat(`{"event_type":"post_tool_use","timestamp":"2026-01-01T00:00:01Z","tool_name":"Bash","tool_input":{"command":"make"}}`+"\n", 4) +
				hookRow("2026-01-01T00:00:03Z", "post_tool_use", "s", `,"tool_name":"Bash","tool_input":{"command":"make"}`) +
				`{"event_type":"post_tool_use","timestamp":"2026-01-01T00:00:01Z","tool_name":"Bash","tool_input":{"command":"make"}}` + "\n",
			summary{"", 6, 0, "tokens"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			sessions, _ := loadAll(t, map[string]string{"log.jsonl": test.log})
			if len(sessions) != 1 {
				t.Fatalf("got %d sessions", len(sessions))
			}
			if diff := cmp.Diff(test.want, summarise(&sessions[0])); diff != "" {
				t.Errorf("%s\n%v", diff, sessions[0].Diagnostics)
			}
		})
	}
}

// TestForeignFormats checks that a file of a format without a reader is no session, and is
// reported.
func TestForeignFormats(t *testing.T) {
	for name, log := range map[string]string{
		"otel": `{"resourceSpans":[{"scopeSpans":[]}]}`,
		"html": "<!DOCTYPE html>\n<p>not found",
	} {
		t.Run(name, func(t *testing.T) {
			if sessions, lost := loadAll(t, map[string]string{name + ".jsonl": log}); len(sessions) != 0 || !lost {
				t.Errorf("got %+v, lost %t", sessions, lost)
			}
		})
	}
	if sessions, lost := loadAll(t, map[string]string{"session.json": `{"sessionId":"g","messages":[]}`}); len(sessions) != 0 || !lost {
		t.Errorf("a document: got %+v, lost %t", sessions, lost)
	}
}

// TestUnreadFiles checks that files of a directory that may be logs and are not read are
// reported, as are directories without any log.
func TestUnreadFiles(t *testing.T) {
	const log = "good.jsonl"
	good := fmt.Sprintf(claudeRowHead, 1, "")
	for _, name := range []string{
		"opencode.db", ".aider.chat.history.md", "a.jsonl.lz4", "a.jsonl.bz2", "a.jsonl.xz", "a.jsonl.zip", "hooks.jsonl.1", "hooks.jsonl.2.gz", "a.log", "a.jsonl.bak", "a.jsonl~",
	} {
		if sessions, lost := loadAll(t, map[string]string{log: good, name: "x"}); len(sessions) != 1 || !lost {
			t.Errorf("%s: got %d sessions, lost %t", name, len(sessions), lost)
		}
	}
	for _, name := range []string{"README.md", "tool-results/a.txt", "agent-1.meta.json", "sessions-index.json", "session.db"} {
		if sessions, lost := loadAll(t, map[string]string{log: good, name: "{}"}); len(sessions) != 1 || lost {
			t.Errorf("%s: got %d sessions, lost %t", name, len(sessions), lost)
		}
	}
	if _, lost := loadAll(t, map[string]string{"notes.md": "x", "b/c.txt": "y"}); !lost {
		t.Error("a directory without logs is not reported")
	}
	if sessions, lost := loadAll(t, map[string]string{"A.JSONL": good}); len(sessions) != 1 || lost {
		t.Errorf("a name in capitals: got %d sessions, lost %t", len(sessions), lost)
	}

	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "real.jsonl"), []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	logs := filepath.Join(dir, "logs")
	if err := os.Mkdir(logs, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../real.jsonl", filepath.Join(logs, "link.jsonl")); err != nil {
		t.Fatal(err)
	}
	_, sum := load(t, agentlog.Options{}, logs)
	if len(sum.Diagnostics) == 0 || !sum.Diagnostics[0].Loss {
		t.Errorf("a link is not reported: %+v", sum.Diagnostics)
	}
}
