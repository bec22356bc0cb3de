package agentlog_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// untimed is a log without times in the making, and what it holds.
type untimed struct {
	t               *rapid.T
	text            strings.Builder
	commands, edits []string
	outcomes        []fact.Status // of the calls, where the log has them
	prompts         int
	rejected        int  // of the commands
	damaged         bool // something is lost
	chats           int  // sessions, if the format has several in a file
}

func (u *untimed) chance(what string, n int) bool {
	return rapid.IntRange(0, n-1).Draw(u.t, what) == n-1
}

// TestUntimedLaw compares the calls of random histories of Aider and transcripts of Cursor and
// Windsurf with what their generator wrote. What needs no times is counted in their order.
func TestUntimedLaw(t *testing.T) {
	logs := map[string]func(*untimed){".aider.chat.history.md": (*untimed).aider, "agent-transcripts/c.jsonl": (*untimed).cursor, "transcripts/w.jsonl": (*untimed).windsurf}
	for name, write := range logs {
		t.Run(name, func(t *testing.T) {
			lawtest.Check(t, func(t *rapid.T) {
				u := &untimed{t: t}
				write(u)
				fsys := fstest.MapFS{name: {Data: []byte(u.text.String())}}
				sessions, summary, err := agentlog.Load(context.Background(), []agentlog.Input{{FS: fsys, Path: "."}}, agentlog.Options{})
				if err != nil || len(sessions) != max(1, u.chats) || len(summary.Diagnostics) > 0 {
					t.Fatalf("%d sessions, %v, %v, of:\n%s", len(sessions), summary.Diagnostics, err, u.text.String())
				}
				all := sessions[0]
				for i := range sessions[1:] {
					s := &sessions[i+1]
					all.Calls, all.Prompts, all.Diagnostics = append(all.Calls, s.Calls...), append(all.Prompts, s.Prompts...), append(all.Diagnostics, s.Diagnostics...)
				}
				slices.SortStableFunc(all.Calls, func(a, b session.ToolCall) int { return cmp.Compare(a.Line, b.Line) })
				if problem := u.compare(&all); problem != "" {
					t.Fatalf("%s, of:\n%s", problem, u.text.String())
				}
			})
		})
	}
}

func (u *untimed) compare(s *session.Session) string {
	var commands, edits []string
	var outcomes []fact.Status
	for i := range s.Calls {
		c := &s.Calls[i]
		if c.Status != fact.Unknown {
			outcomes = append(outcomes, c.Status)
		}
		if c.Kind == fact.Command {
			commands = append(commands, c.Command)
		}
		if c.Kind == fact.FileEdit {
			edits = append(edits, c.Paths...)
		}
	}
	loss := slices.ContainsFunc(s.Diagnostics, func(d fact.Diagnostic) bool { return d.Loss && d.Code != fact.NoTime })
	switch {
	case u.damaged && !loss:
		return "nothing reports the loss"
	case u.damaged:
		return ""
	case loss:
		return fmt.Sprint("unexpected ", s.Diagnostics)
	case !slices.Equal(commands, u.commands) || !slices.Equal(edits, u.edits) || len(s.Prompts) != u.prompts:
		return fmt.Sprintf("commands %q, edits %q and %d prompts; want %q, %q and %d", commands, edits, len(s.Prompts), u.commands, u.edits, u.prompts)
	case u.outcomes != nil && !slices.Equal(outcomes, u.outcomes):
		return fmt.Sprintf("outcomes %q; want %q", outcomes, u.outcomes)
	case s.TokensKnown:
		return "a session without tokens has some"
	}
	return u.counted(s)
}

// counted compares what rules count in the order of the log.
func (u *untimed) counted(s *session.Session) string {
	visits := s.Visits()
	switch empty := len(s.Calls)+len(s.Prompts) == 0; {
	case len(visits) == 0 && empty:
		return ""
	case len(visits) != 1 || empty:
		return fmt.Sprint(len(visits), " visits")
	}
	most, failures := 0, map[string]int{}
	for i := range s.Calls {
		c := &s.Calls[i]
		switch {
		case c.Kind != fact.Command:
		case c.Status == fact.Error:
			failures[c.Command]++
			most = max(most, failures[c.Command])
		case c.Status == fact.OK:
			failures[c.Command] = 0
		}
	}
	unknown := slices.ContainsFunc(s.Calls, func(c session.ToolCall) bool { return c.Kind == fact.Command && c.Status == fact.Unknown })
	got := s.Audit(visits[0], session.Measure{Of: session.Failures})
	if !unknown && u.chats < 2 && (int(got.Count) != most || got.Incomplete != "") {
		return fmt.Sprintf("%d failures (%s), want %d", got.Count, got.Incomplete, most)
	}
	everything := session.Measure{Of: session.Commands, Matching: regexp.MustCompile("")}
	if got := s.Audit(visits[0], everything); int(got.Count) != len(u.commands) && u.rejected == 0 {
		return fmt.Sprintf("%d commands count, want %d", got.Count, len(u.commands))
	}
	everything.Within = time.Hour
	for _, m := range []session.Measure{everything, {Of: session.Seconds}} {
		lacks := m.Of == session.Seconds || len(u.commands) > u.rejected
		if got := s.Audit(visits[0], m); got.Count != 0 || lacks != (got.Incomplete == session.NoTimes) {
			return fmt.Sprintf("%d %s (%s) of a log without times", got.Count, m.Of, got.Incomplete)
		}
	}
	return ""
}

var untimedTexts = []string{"make", "go test ./...", "echo 'ü'"}

func (u *untimed) aider() {
	line := func(format string, args ...any) { fmt.Fprintf(&u.text, format+"  \n", args...) }
	for range rapid.IntRange(1, 3).Draw(u.t, "chats") {
		u.chats++
		line("\n# aider chat started at 2026-01-01 10:00:%02d\n", rapid.IntRange(0, 1).Draw(u.t, "second"))
		line("> Aider v0.86.1")
		for range rapid.IntRange(0, 4).Draw(u.t, "turns") {
			prompt := rapid.SampledFrom([]string{"fix it", "/add a.go", "!ls", "/run make", "/test go test"}).Draw(u.t, "prompt")
			line("\n#### %s", prompt)
			if u.chance("second line", 3) {
				line("#### and more")
			}
			switch prompt {
			case "fix it":
				u.prompts++
			case "!ls":
				u.commands = append(u.commands, "ls")
			case "/run make", "/test go test":
				_, command, _ := strings.Cut(prompt, " ")
				u.commands = append(u.commands, command)
			}
			line("\nSo:\n```go\n> Applied edit to quoted.go\n> Running quoted\n```\n")
			line("> Tokens: 12k sent, 1.2k received.")
			open := u.chance("block without an end", 3)
			if open {
				line("And:\n```go\nfunc main() {\n")
				if u.chance("tokens", 2) {
					line("> Tokens: 12k sent, 1.2k received.")
				}
			}
			for range rapid.IntRange(0, 2).Draw(u.t, "edits") {
				u.edits = append(u.edits, rapid.SampledFrom([]string{"a.go", "dir/ä b.go"}).Draw(u.t, "file"))
				line("> Applied edit to %s", u.edits[len(u.edits)-1])
			}
			if u.chance("command", 2) {
				u.commands = append(u.commands, rapid.SampledFrom(untimedTexts).Draw(u.t, "command"))
				line("> Running %s", u.commands[len(u.commands)-1])
			}
		}
	}
}

func (u *untimed) cursor() {
	rows := []logRow{{"role": "user", "message": map[string]any{"content": []any{map[string]any{"type": "text", "text": "go"}}}}}
	u.prompts = 1
	for range rapid.IntRange(1, 6).Draw(u.t, "rows") {
		if u.chance("prompt", 4) {
			rows = append(rows, rows[0])
			u.prompts++
		}
		blocks := []any{map[string]any{"type": "text", "text": "…"}}
		for range rapid.IntRange(0, 3).Draw(u.t, "calls") {
			text := rapid.SampledFrom(untimedTexts).Draw(u.t, "text")
			block := map[string]any{"type": "tool_use", "name": "Shell", "input": map[string]any{"command": text}}
			switch rapid.SampledFrom([]string{"command", "edit", "read", "unknown"}).Draw(u.t, "call") {
			case "command":
				u.commands = append(u.commands, text)
			case "edit":
				u.edits = append(u.edits, text)
				block["name"], block["input"] = "StrReplace", map[string]any{"path": text}
			case "read":
				block["name"], block["input"] = "Read", map[string]any{"path": text}
			case "unknown":
				if u.chance("unknown tool", 5) {
					block["name"], u.damaged = "Frobnicate", true
				} else {
					block["name"], block["input"] = "Grep", map[string]any{"pattern": text}
				}
			}
			blocks = append(blocks, block)
		}
		rows = append(rows, logRow{"role": "assistant", "message": map[string]any{"content": blocks}})
	}
	text := jsonLines(rows)
	if u.chance("torn", 4) {
		text = append(text[:len(text)-rapid.IntRange(2, 20).Draw(u.t, "cut")], '\n')
		u.damaged = true
	}
	u.text.Write(text)
}

// windsurfOutcomes are the outcomes of calls by the status of their steps; of other statuses it is
// unknown.
var windsurfOutcomes = map[string]fact.Status{
	"done": fact.OK, "error": fact.Error, "canceled": fact.Rejected, "rejected": fact.Rejected, "running": fact.Unknown, "": fact.Unknown,
}

func (u *untimed) windsurf() {
	u.outcomes = []fact.Status{}
	step := func(kind string, more map[string]any) logRow {
		return logRow{"type": kind, "status": "done", kind: more}
	}
	rows := []logRow{step("user_input", map[string]any{"user_response": "go"})}
	u.prompts = 1
	for range rapid.IntRange(1, 9).Draw(u.t, "steps") {
		text := rapid.SampledFrom(untimedTexts).Draw(u.t, "text")
		status := rapid.SampledFrom(slices.Sorted(maps.Keys(windsurfOutcomes))).Draw(u.t, "status")
		call := func(kind string, more map[string]any) {
			row := step(kind, more)
			row["status"] = status
			rows = append(rows, row)
			if outcome := windsurfOutcomes[status]; outcome != fact.Unknown {
				u.outcomes = append(u.outcomes, outcome)
			}
		}
		switch rapid.SampledFrom([]string{"prompt", "response", "command", "edit", "read", "unknown"}).Draw(u.t, "step") {
		case "prompt":
			rows = append(rows, rows[0])
			u.prompts++
		case "response":
			rows = append(rows, step("planner_response", map[string]any{"response": text}))
		case "command":
			call("run_command", map[string]any{"command_line": text})
			u.commands = append(u.commands, text)
			if windsurfOutcomes[status] == fact.Rejected {
				u.rejected++
			}
		case "edit":
			call("code_action", map[string]any{"path": text, "new_content": "x"})
			u.edits = append(u.edits, text)
		case "read":
			call("view_file", map[string]any{"path": text})
		case "unknown":
			if u.chance("unknown step", 5) {
				rows, u.damaged = append(rows, step("frobnicate", map[string]any{})), true
			}
		}
	}
	text := jsonLines(rows)
	if u.chance("torn", 4) {
		text = append(text[:len(text)-rapid.IntRange(2, 20).Draw(u.t, "cut")], '\n')
		u.damaged = true
	}
	u.text.Write(text)
}
