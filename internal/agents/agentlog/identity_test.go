package agentlog_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// oldHook returns a row of a journal without ids.
func oldHook(event, of string, second int, command string) string {
	return fmt.Sprintf(`{"hook_event_name":%q,"session_id":%q,"timestamp":"2026-01-01T00:00:%02dZ","tool_name":"Bash","tool_input":{"command":%q}}`+"\n", event, of, second, command)
}

// claudeCall returns the rows of a command in a transcript that failed or not, with its
// times in seconds. An empty message is left out.
func claudeCall(of, message, id, command string, start, end int, failed bool) string {
	if message != "" {
		message = fmt.Sprintf(`"id":%q,`, message)
	}
	return fmt.Sprintf(`{"type":"assistant","sessionId":%[1]q,"timestamp":"2026-01-01T00:00:%02[5]dZ","message":{%[2]s"content":[{"type":"tool_use","id":%[3]q,"name":"Bash","input":{"command":%[4]q}}],"usage":{"input_tokens":1,"output_tokens":1}}}
{"type":"user","sessionId":%[1]q,"timestamp":"2026-01-01T00:00:%02[6]dZ","message":{"content":[{"type":"tool_result","tool_use_id":%[3]q,"is_error":%[7]t,"content":"x"}]}}
`, of, message, id, command, start, end, failed)
}

// ran returns the commands of all sessions that ran, with their outcomes.
func ran(sessions []session.Session) []string {
	var all []string
	for _, s := range sessions {
		for i := range s.Calls {
			if c := &s.Calls[i]; c.Kind == fact.Command && c.Done() {
				all = append(all, fmt.Sprintf("%s %s %s %s", s.ID, c.At.Format("05"), c.Command, c.Status))
			}
		}
	}
	return all
}

// TestCallsCountOnce reads the same calls from several places.
func TestCallsCountOnce(t *testing.T) {
	journal := oldHook("PostToolUse", "s", 1, "a") + oldHook("PostToolUse", "s", 2, "a") + oldHook("PostToolUse", "s", 2, "a")
	inJournal := []string{"s 01 a ok", "s 02 a ok", "s 02 a ok"}
	tests := map[string]struct {
		files map[string]string
		want  []string
	}{
		"an announcement without result, and one with": {
			map[string]string{
				"hooks.jsonl": oldHook("PreToolUse", "s", 0, "make") + oldHook("PreToolUse", "s", 20, "make") + oldHook("PostToolUse", "s", 26, "make"),
				"s.jsonl":     claudeCall("s", "m1", "t1", "make", 0, 1, true) + claudeCall("s", "m2", "t2", "make", 20, 26, false),
			},
			[]string{"s 00 make error", "s 26 make ok"},
		},
		"two that overlap": {
			map[string]string{
				"hooks.jsonl": oldHook("PostToolUse", "s", 10, "make") + oldHook("PostToolUse", "s", 30, "make"),
				"s.jsonl":     claudeCall("s", "m1", "t1", "make", 1, 30, false) + claudeCall("s", "m2", "t2", "make", 2, 10, false),
			},
			[]string{"s 10 make ok", "s 30 make ok"},
		},
		"the same command in two sessions": {
			map[string]string{
				"hooks.jsonl": oldHook("PostToolUse", "a", 10, "make") + oldHook("PostToolUse", "b", 11, "make"),
				"a.jsonl":     claudeCall("a", "m1", "t1", "make", 9, 10, false),
				"b.jsonl":     claudeCall("b", "m2", "t2", "make", 1, 11, false),
			},
			[]string{"a 10 make ok", "a 11 make ok"},
		},
		"a copy next to the log":        {map[string]string{"hooks.jsonl": journal, "hooks.bak.jsonl": journal}, inJournal},
		"an older copy next to the log": {map[string]string{"hooks.jsonl": journal, "a.jsonl": oldHook("PostToolUse", "s", 1, "a")}, inJournal},
		"a copy in another directory":   {map[string]string{"hooks.jsonl": journal, "old/hooks.jsonl": journal}, inJournal},
		"an id that comes again": {
			map[string]string{"s.jsonl": claudeCall("s", "m1", "Bash:0", "a", 1, 2, false) + claudeCall("s", "m2", "Bash:0", "b", 3, 4, true) + claudeCall("s", "m3", "Bash:0", "b", 5, 6, false)},
			[]string{"s 01 a ok", "s 03 b error", "s 05 b ok"},
		},
		"an id that comes again, without ids of messages": {
			map[string]string{"s.jsonl": claudeCall("s", "", "Bash:0", "a", 1, 2, false) + claudeCall("s", "", "Bash:0", "b", 3, 4, true) + claudeCall("s", "", "Bash:0", "b", 5, 6, false)},
			[]string{"s 01 a ok", "s 03 b error", "s 05 b ok"},
		},
		"two sessions with the same ids": {
			map[string]string{
				"a.jsonl": claudeCall("a", "m1", "Bash:0", "make", 1, 2, false),
				"b.jsonl": claudeCall("b", "m2", "Bash:0", "make", 3, 4, false) + claudeCall("b", "m3", "Bash:1", "make", 5, 6, false),
			},
			[]string{"a 01 make ok", "b 03 make ok", "b 05 make ok"},
		},
		"an id that comes again, in a journal, too": {
			map[string]string{
				"hooks.jsonl": hookRow("2026-01-01T00:00:02Z", "post_tool_use", "s", `,"tool_use_id":"Bash:0","tool_name":"Bash","tool_input":{"command":"a"}`) +
					hookRow("2026-01-01T00:00:04Z", "post_tool_use", "s", `,"tool_use_id":"Bash:0","tool_name":"Bash","tool_input":{"command":"b"}`) +
					hookRow("2026-01-01T00:00:40Z", "post_tool_use", "s", `,"tool_use_id":"Bash:0","tool_name":"Bash","tool_input":{"command":"b"}`),
				"s.jsonl": claudeCall("s", "m1", "Bash:0", "a", 1, 2, false) + claudeCall("s", "m2", "Bash:0", "b", 3, 4, false) + claudeCall("s", "m3", "Bash:0", "b", 39, 40, false),
			},
			[]string{"s 02 a ok", "s 04 b ok", "s 40 b ok"},
		},
		"rows that name no session, before one that does and after": {
			map[string]string{"hooks.jsonl": oldHook("PostToolUse", "", 1, "a") + oldHook("PostToolUse", "s", 2, "b") + oldHook("PostToolUse", "", 3, "c")},
			[]string{"s 01 a ok", "s 02 b ok", "s 03 c ok"},
		},
		"a hook that changed the command": {
			map[string]string{
				"hooks.jsonl": hookRow("2026-01-01T00:00:02Z", "post_tool_use", "s", `,"tool_use_id":"t1","tool_name":"Bash","tool_input":{"command":"nice make"}`),
				"s.jsonl":     claudeCall("s", "m1", "t1", "make", 1, 2, false),
			},
			[]string{"s 02 nice make ok"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			sessions := loadFiles(t, test.files)
			if diff := cmp.Diff(test.want, ran(sessions)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestOverlappingInputs checks that a file counts once if several inputs hold it.
func TestOverlappingInputs(t *testing.T) {
	tree := &struct{ fstest.MapFS }{fstest.MapFS{"logs/hooks.jsonl": {Data: []byte(oldHook("PostToolUse", "s", 1, "a"))}}}
	for _, paths := range [][]string{{"logs", "logs/hooks.jsonl"}, {"logs/hooks.jsonl", "logs"}, {"logs", "./logs/", "."}} {
		var inputs []agentlog.Input
		for _, path := range paths {
			inputs = append(inputs, agentlog.Input{FS: tree, Path: strings.Trim(path, "/")})
			if strings.HasPrefix(path, "./") {
				inputs[len(inputs)-1].Path = "logs"
			}
		}
		sessions, sum, err := agentlog.Load(t.Context(), inputs, agentlog.Options{})
		if err != nil || sum.Files != 1 {
			t.Errorf("%q: %d files, %v", paths, sum.Files, err)
		}
		if diff := cmp.Diff([]string{"s 01 a ok"}, ran(sessions)); diff != "" {
			t.Error(diff)
		}
	}
}

// TestCopiedPhases checks that a copy of the journal of states enters no phase again.
func TestCopiedPhases(t *testing.T) {
	states := stateRow("2026-01-01T00:00:01Z", "plan") + stateRow("2026-01-01T00:00:02Z", "code")
	s := loadFiles(t, map[string]string{"states.jsonl": states, "states.bak.jsonl": states})
	if len(s) != 1 || len(s[0].Phases) != 2 {
		t.Errorf("got %+v", s)
	}
}

// TestCopiedHistory checks that a resumed session begins with what is its own.
func TestCopiedHistory(t *testing.T) {
	own := strings.ReplaceAll(claudeTurn("b", "9", 5, ""), "2026-01-01", "2026-01-02")
	past := claudeTurn("a", "1", 1, "") + claudeTurn("a", "2", 4, "")
	copied := strings.ReplaceAll(past, `"sessionId":"a"`, `"sessionId":"b"`)
	start := time.Date(2026, 1, 2, 0, 0, 5, 0, time.UTC)
	for name, files := range map[string]map[string]string{
		"resumed":           {"a.jsonl": past, "b.jsonl": copied + own},
		"forked":            {"a.jsonl": past, "b.jsonl": strings.ReplaceAll(copied, `"sessionId"`, `"forkedFrom":{"sessionId":"a"},"sessionId"`) + own},
		"forked, no parent": {"b.jsonl": strings.ReplaceAll(copied, `"sessionId"`, `"forkedFrom":{"sessionId":"a"},"sessionId"`) + own},
	} {
		t.Run(name, func(t *testing.T) {
			sessions := loadFiles(t, files)
			b := sessions[len(sessions)-1]
			if b.ID != "b" || !b.Start.Equal(start) || !b.End.Equal(start) {
				t.Errorf("%s from %s to %s; want %s", b.ID, b.Start, b.End, start)
			}
		})
	}
}

// TestReplayByContent checks that rows that a rollout of Codex copies from another count
// once, whatever their times.
func TestReplayByContent(t *testing.T) {
	at := func(s float64) string {
		return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(s * float64(time.Second))).Format(time.RFC3339Nano)
	}
	shell := `"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"make\"]}"`
	prompt := func(s float64) string {
		return `{"timestamp":"` + at(s) + `","type":"event_msg","payload":{"type":"user_message","message":"go"}}` + "\n"
	}
	parent := fmt.Sprintf(codexHead, "p", "") + prompt(5) + codexCall(at(5), "c1", shell) + codexTokens(at(5), 100, 60, 10) + codexCall(at(9), "c2", shell) + codexTokens(at(9), 200, 60, 20)
	for _, delay := range []float64{0.5, 1.5, 30} {
		child := fmt.Sprintf(codexHead, "f", `,"forked_from_id":"p"`) + fmt.Sprintf(codexHead, "p", "") + prompt(delay) +
			codexCall(at(delay), "c1", shell) + codexTokens(at(delay), 100, 60, 10) + codexCall(at(delay), "c2", shell) + codexTokens(at(delay+.1), 200, 60, 20) +
			codexCall(at(delay+.2), "c3", shell) + codexTokens(at(delay+.3), 250, 80, 22)
		sessions := loadFiles(t, map[string]string{"p.jsonl": parent, "f.jsonl": child})
		if diff := cmp.Diff([]tally{{"f", "p", 0, 1, 2}, {"p", "", 1, 2, 20}}, tallies(t, sessions)); diff != "" {
			t.Errorf("after %g s: %s", delay, diff)
		}
		// Without the parent, the copied rows are unknown.
		alone := loadFiles(t, map[string]string{"f.jsonl": child})
		if got := summarise(&alone[0]); got.Incomplete == "" {
			t.Errorf("after %g s, without the parent: %+v", delay, got)
		}
	}
}

// TestJoins checks that a state directory that names no session does not include
// transcripts of other projects.
func TestJoins(t *testing.T) {
	here := strings.ReplaceAll(claudeTurn("a", "1", 3, ""), `"sessionId"`, `"cwd":"/x/n/def","sessionId"`)
	there := strings.ReplaceAll(claudeTurn("b", "2", 4, ""), `"sessionId"`, `"cwd":"/x/n-def","sessionId"`)
	files := fstest.MapFS{
		"d/states.jsonl": {Data: []byte(stateRow("2026-01-01T00:00:02Z", "code"))},
		"t/a.jsonl":      {Data: []byte(here)}, "t/b.jsonl": {Data: []byte(there)},
	}
	sessions, _, err := agentlog.Load(t.Context(), []agentlog.Input{{FS: files, Path: "."}},
		agentlog.Options{Joins: func(s *session.Session) bool { return s.Cwd == "/x/n/def" }})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a 03 make ok", "b 04 make ok"}, ran(sessions)); diff != "" {
		t.Error(diff)
	}
}

// TestLongCommandsDiffer checks that two long commands with the same beginning are not the
// same.
func TestLongCommandsDiffer(t *testing.T) {
	long := strings.Repeat("x", 5<<20)
	s := loadFiles(t, map[string]string{"s.jsonl": claudeCall("s", "m1", "1", long+"a", 1, 2, false) + claudeCall("s", "m2", "2", long+"b", 3, 4, false) + claudeCall("s", "m3", "3", long+"b", 5, 6, false)})[0]
	if x := s.Audit(s.Visits()[0], session.Measure{Of: session.Commands}); x.Count != 2 {
		t.Errorf("the largest group has %d commands; want 2", x.Count)
	}
}

// TestClockOutliers checks that a time far from all others is reported and does not
// lengthen a session.
func TestClockOutliers(t *testing.T) {
	log := claudeCall("s", "m1", "1", "make", 1, 2, false) + claudeCall("s", "m2", "2", "make", 11, 12, false)
	for _, year := range []string{"2099", "1970"} {
		s := loadFiles(t, map[string]string{"s.jsonl": log + strings.ReplaceAll(claudeCall("s", "m3", "3", "make", 13, 13, false), "2026", year)})[0]
		x := s.Audit(s.Visits()[0], session.Measure{Of: session.Seconds})
		if x.Count != 11 || x.Incomplete == "" || count(s, fact.ClockOutlier) == 0 {
			t.Errorf("%s: %+v, %+v", year, x, s.Diagnostics)
		}
		if got := summarise(&s).Incomplete; got != "seconds" {
			t.Errorf("%s: not known are %s", year, got)
		}
	}
}

// TestTokenOverflow checks that sums of tokens do not wrap.
func TestTokenOverflow(t *testing.T) {
	row := `{"type":"assistant","sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"id":"m%d","usage":{"input_tokens":9000000000000000000,"output_tokens":9000000000000000000}}}` + "\n"
	s := loadFiles(t, map[string]string{"s.jsonl": fmt.Sprintf(row, 1) + fmt.Sprintf(row, 2)})[0]
	x := s.Audit(s.Visits()[0], session.Measure{Of: session.TokenSum})
	if x.Count != 1<<63-1 || x.Incomplete == "" || count(s, fact.Overflow) != 1 {
		t.Errorf("got %+v, %+v", x, s.Diagnostics)
	}
	if in := session.Sum(s.Tokens).Input; in == nil || *in != 1<<63-1 {
		t.Errorf("got %v", in)
	}
}
