package clinetasks_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/clinetasks"
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
)

const (
	dir    = "/home/dev/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/17/"
	said   = dir + "api_conversation_history.json"
	shown  = dir + "ui_messages.json"
	about  = dir + "history_item.json"
	prompt = `{"ts":1795932753723,"type":"say","say":"text","text":"go"}`
)

// read reads the files of tasks.
func read(t *testing.T, texts map[string]string) (logs []*record.Log) {
	t.Helper()
	for name := range texts {
		if !clinetasks.Reader.Claims(record.First{Path: name}) {
			t.Errorf("%s is not claimed", name)
		}
	}
	sessions, err := clinetasks.Reader.Sessions(&record.File{Log: record.New("x", nil), Names: slices.Sorted(maps.Keys(texts)), ReadFile: func(name string) ([]byte, error) {
		if texts[name] == "" {
			return nil, errors.New("no permission")
		}
		return []byte(texts[name]), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		l := record.New("x", nil)
		s.Read(l)
		l.Finish()
		logs = append(logs, l)
	}
	return logs
}

// conversation returns a conversation of an answer with one part, and of the message after it.
func conversation(answer, result string) string {
	return `[{"role":"user","content":"<task>go</task>","ts":1},{"role":"assistant","content":[` + answer + `],"ts":2},{"role":"user","content":[` + result + `],"ts":3}]`
}

func text(of string) string {
	value, err := json.Marshal(of)
	if err != nil {
		panic(err)
	}
	return `{"type":"text","text":` + string(value) + `}`
}

// TestTask reads a task that another started, of an agent that its directory names.
func TestTask(t *testing.T) {
	logs := read(t, map[string]string{
		about: `{"id":"17","parentTaskId":"16","workspace":"/r"}`, shown: "[" + prompt + "]",
		said:                                conversation(`{"type":"tool_use","id":"c","name":"execute_command","input":{"command":"a &amp;&amp; b"}}`, `{"type":"tool_result","tool_use_id":"c","content":"Command executed in '/r'. Process terminated by signal SIGKILL\n"}`),
		dir + "task_metadata.json":          `{}`,
		"tasks/_index.json":                 `{}`,
		dir + "../18/" + "ui_messages.json": "[" + prompt + "]",
	})
	if len(logs) != 2 {
		t.Fatalf("got %d tasks", len(logs))
	}
	l := logs[0]
	if l.HasLoss() || l.Agent != "roo" || l.ID != "17" || l.Parent != "16" || l.Cwd != "/r" || len(l.Prompts) != 0 || len(l.Calls) != 1 {
		t.Fatalf("got %+v, %v", l.Session, l.Diagnostics)
	}
	if c := l.Calls[0]; c.Command != "a && b" || !c.Sidechain || c.Status != "error" || c.ExitCode != nil {
		t.Errorf("got %+v", c)
	}
	if !logs[1].HasLoss() {
		t.Error("a task without its conversation: want a loss")
	}
}

// TestElements reads the calls that a model wrote in texts, and finds their results.
func TestElements(t *testing.T) {
	for _, test := range []struct{ answer, result, want string }{
		{"<execute_command><command>a</command></execute_command>", "[execute_command for 'a'] Result:\nCommand executed.\n", "execute_command a[]: unknown"},
		{"<execute_command>\n<command>a] Result: 'b'</command>\n</execute_command>", "[execute_command for 'a] Result: 'b''] Result:\nCommand failed with exit code 2.", "execute_command a] Result: 'b'[]: error"},
		{"<write_to_file><content><path>no</path></x></content><path>f</path></write_to_file> <b>", "[write_to_file for 'f'] Result:\nThe user denied this operation.", "write_to_file [f]: rejected"},
		{"<read_file><args><file><path>f</path></file><file><path>g</path></file></args></read_file>", "[read_file for 2 files] Result:\nx", "read_file [f g]: ok"},
		{"<apply_diff><path>f</path><diff>x</diff></apply_diff>", "[apply_diff to 'f'] Result:\nError: no", "apply_diff [f]: error"},
		{"<execute_command><command>a</command>", "", ""},
		{"<nothing><command>a</command></nothing> < <A> <execute_command", "", ""},
		{"<attempt_completion><result>x</result><command>make show</command></attempt_completion>", "[attempt_completion] Result:\nfine", "attempt_completion make show[]: unknown"},
		{"<execute_command><command>a</command></execute_command>", "Skipping tool due to user rejecting a previous tool.", "execute_command a[]: rejected"},
	} {
		l := read(t, map[string]string{shown: "[" + prompt + "]", said: conversation(text(test.answer), text(test.result))})[0]
		var got []string
		for _, c := range l.Calls {
			got = append(got, fmt.Sprintf("%s %s%v: %s", c.Name, c.Command, c.Paths, c.Status))
		}
		if diff := cmp.Diff(test.want, strings.Join(got, "")); diff != "" || l.HasLoss() {
			t.Errorf("%s: %s\n%v", test.answer, diff, l.Diagnostics)
		}
	}
}

// TestNotUnderstood wants a loss for each part that is not known, is missing or cannot be read.
func TestNotUnderstood(t *testing.T) {
	whole := map[string]string{about: `{"id":"17"}`, said: "[]", shown: "[" + prompt + "]"}
	if l := read(t, whole)[0]; l.HasLoss() {
		t.Fatalf("got %v", l.Diagnostics)
	}
	for file, list := range map[string][]string{
		said: {
			"", "{}", `[{"role":"critic","content":[]}]`, `[{"role":"user","content":[{"type":"tool_use_v2"}]}]`, `[7]`, `[{"role":"user","content":7}]`,
			conversation(`{"type":"tool_use","id":"c","name":"write_to_file","input":{}}`, text("x")), conversation(`{"type":"tool_use","id":"c","name":"teleport","input":{}}`, text("x")),
			conversation(text("x"), text("[execute_command for 'a'] Result:\nx")), conversation(text("x"), `{"type":"tool_result","tool_use_id":"c","content":"x"}`),
			`[{"role":"user","content":"x","isSummary":true}]`, conversation(`{"type":"tool_use","id":"c","name":"use_subagents","input":{}}`, text("x")), `[{"role":"user","content":"x","ts":"soon"}]`,
		},
		shown: {
			"", "{}", "[7]", `[{"ts":1,"type":"say","say":"error"}]`, `[{"type":"say","say":"text","text":"go"}]`, "[" + prompt + `,{"ts":1,"type":"say","say":7}]`,
			"[" + prompt + `,{"ts":1,"type":"say","say":"deleted_api_reqs","text":"{}"}]`, "[" + prompt + `,{"ts":1,"type":"say","say":"api_req_started","text":"x"}]`,
			"[" + prompt + `,{"ts":1,"type":"say","say":"api_req_started","text":"{\"tokensIn\":-1}"}]`,
		},
		about: {"", "[]", `{"id":7}`},
	} {
		for _, text := range list {
			texts := maps.Clone(whole)
			texts[file] = text
			if l := read(t, texts)[0]; !l.HasLoss() {
				t.Errorf("%s: %q: want a loss", file, text)
			}
		}
	}
}

// TestInput wants the input without the tokens of the cache only where the row shows whether the number includes them.
func TestInput(t *testing.T) {
	for _, test := range []struct {
		row   string
		about bool
		want  int64 // -1: it is not known
	}{
		{`"text":"{\"tokensIn\":10,\"tokensOut\":1}"`, false, 10},
		{`"text":"{\"tokensIn\":10,\"tokensOut\":1,\"cacheReads\":8,\"cacheWrites\":3}"`, false, 10},
		{`"text":"{\"tokensIn\":10,\"tokensOut\":1,\"cacheReads\":8}"`, false, -1},
		{`"text":"{\"tokensIn\":10,\"tokensOut\":1,\"cacheReads\":8}","modelInfo":{"providerId":"anthropic"}`, false, 10},
		{`"text":"{\"tokensIn\":10,\"tokensOut\":1,\"cacheReads\":8}","modelInfo":{"providerId":"openai"}`, false, 2},
		{`"text":"{\"tokensIn\":10,\"tokensOut\":1,\"cacheReads\":8,\"apiProtocol\":\"openai\"}"`, false, 2},
		{`"text":"{\"tokensIn\":10,\"tokensOut\":1,\"cacheReads\":8,\"apiProtocol\":\"anthropic\"}"`, false, -1},
		{`"text":"{\"tokensIn\":10,\"tokensOut\":1,\"cacheReads\":8,\"apiProtocol\":\"anthropic\"}"`, true, 2},
		{`"text":"{\"tokensIn\":0,\"tokensOut\":0,\"cacheReads\":0}"`, false, -1},
		{`"text":"{}"`, false, -1},
	} {
		texts := map[string]string{said: "[]", shown: "[" + prompt + `,{"ts":1,"type":"say","say":"api_req_started",` + test.row + "}]"}
		if test.about {
			texts[about] = `{"id":"17"}`
		}
		got := int64(-1)
		l := read(t, texts)[0]
		if in := l.Tokens[0].Input; in != nil {
			got = *in
		}
		if got != test.want || l.HasLoss() {
			t.Errorf("%s: got %d, want %d; %v", test.row, got, test.want, l.Diagnostics)
		}
	}
}

// FuzzFiles reads anything as the files of a task; what it finds can be written as JSON.
func FuzzFiles(f *testing.F) {
	f.Add([]byte(conversation(text("<execute_command><command>a</command></execute_command>"), text("[execute_command for 'a'] Result:\nCommand executed."))), []byte("["+prompt+"]"), []byte(`{"id":"1"}`))
	f.Add([]byte(conversation(`{"type":"tool_use","id":"c","name":"read_file","input":{"files":[{"path":"a"}]}}`, `{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"x"}]}`)), []byte(`[{"ts":1,"type":"say","say":"api_req_started","text":"{\"tokensIn\":1}"},{"say":"api_req_finished","text":"{\"cost\":1}"}]`), []byte(`[]`))
	f.Fuzz(func(t *testing.T, conversation, display, description []byte) {
		texts := map[string][]byte{said: conversation, shown: display, about: description}
		sessions, err := clinetasks.Reader.Sessions(&record.File{Log: record.New("x", nil), Names: slices.Sorted(maps.Keys(texts)), ReadFile: func(name string) ([]byte, error) { return texts[name], nil }})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sessions {
			l := record.New("x", nil)
			s.Read(l)
			l.Finish()
			if _, err := json.Marshal(l.Session); err != nil {
				t.Fatal(err)
			}
		}
	})
}
