package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/gittest"
)

// longRules are the rules of a long session.
var longRules = map[string]string{
	"force.md": "---\nname: Force\ntool: {command_pattern: '^git push( --[a-z-]+)* --force( |$)', effect: deny}\n---\nNo.\n",
	"moves.md": "---\nname: Migrations\ntool: {paths: 'migrations/*.sql', effect: deny}\n---\nNo.\n",
	"fetch.md": "---\nname: Fetch\ntool: {tools: WebFetch, effect: ask}\n---\nReally?\n",
	"npm.md":   "---\nname: Installs\ntool: {command_pattern: '^npm install', effect: warn}\n---\nUse npm ci.\n",
	"tests.md": "---\nname: Tests\npair: {trigger: 'src/{m}.py', expects: 'tests/{m}_test.p?'}\ncompare_to: prompt\n---\nTest it.\n",
	"pages.md": "---\nname: Pages\ntrigger: 'docs/*.md'\ncompare_to: prompt\n---\nRead the guide.\n",
}

// longCalls are tool calls, with what is decided about them.
var longCalls = []struct{ tool, input, want string }{
	{"Bash", `{"command":"go test ./... | tail -%d"}`, ""},
	{"Bash", `{"command":"git push origin main # %d"}`, ""},
	{"Bash", `{"command":"git push -u origin main --force; echo %d"}`, "deny"},
	{"Bash", `{"command":"cd migrations && echo %d > 1.sql"}`, "deny"},
	{"Edit", `{"file_path":"migrations/%d.sql","old_string":"a","new_string":"b"}`, "deny"},
	{"Edit", `{"file_path":"src/a%d.py","old_string":"a","new_string":"b"}`, ""},
	{"Read", `{"file_path":"migrations/%d.sql"}`, ""},
	{"WebFetch", `{"url":"https://example.com/%d"}`, "ask"},
	{"Bash", `{"command":"npm install left-pad@%d"}`, "warn"},
	{"Bash", `{"command":"bash -c 'npm install x%d && git push --force'"}`, "deny"},
}

// longSession is an agent at work, and the history of everything that it did.
type longSession struct {
	*testing.T
	*gittest.Repository
	random  *rand.Rand
	history []happening
	session string
	events  int
	took    map[string][]time.Duration // by kind of event
	journal []int64                    // its size after each event
}

// TestLongSession compares each decision in a long session with a model that replays the
// history. LONG_SESSION is the number of tool calls.
func TestLongSession(t *testing.T) {
	t.Parallel()
	calls := 150
	if testing.Short() {
		calls = 30
	}
	if n, err := strconv.Atoi(os.Getenv("LONG_SESSION")); err == nil {
		calls = n
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	l := &longSession{T: t, Repository: gittest.New(t), random: rand.New(rand.NewPCG(seed, 1)), took: map[string][]time.Duration{}}
	for name, text := range longRules {
		l.Write(".rulecheck/rules/"+name, text)
	}
	for _, name := range []string{"docs/kept.md", "src/kept.py", "tests/kept_test.py"} { // no pattern loses its last file
		l.Write(name, "")
	}
	l.Commit("rules")
	refused, stops := 0, 0
	for n := range calls {
		if n%max(1, calls/60) == 0 {
			l.prompt(n * 6 / calls) // half of the calls are in three sessions
		}
		l.call(n)
		for l.random.IntN(3) == 0 {
			l.edit()
		}
		if n%max(1, calls/400) == 0 && (calls > 400 || n%6 == 0) {
			stops++
			for refusals := 0; l.stop(refusals); refusals++ {
				refused++
				if refusals > 8 {
					t.Fatal("the agent never stops")
				}
				if l.random.IntN(2) == 0 {
					l.call(calls + l.events)
				}
				l.edit()
			}
		}
	}
	if want := calls / 500; refused < want { // a short session may have none
		t.Errorf("%d stops refused; want %d or more", refused, want)
	}
	t.Logf("%d events, %d stops, %d refused", l.events, stops, refused)
	l.flat()
}

// send sends an event; every 25th starts a process.
func (l *longSession) send(payload map[string]any) map[string]any {
	l.Helper()
	payload["session_id"], payload["prompt_id"], payload["transcript_path"] = l.session, fmt.Sprint("p", l.events), "/home/a/.claude/projects/x/s.jsonl"
	text, err := json.Marshal(payload)
	if err != nil {
		l.Fatal(err)
	}
	l.events++
	began := time.Now()
	var got hook.Answer
	if l.events%25 == 0 {
		got = wholeProcess(l.T, l.Dir, text)
	} else {
		got = runHook(l.T, l.Dir, bytes.NewReader(text), "claude")
	}
	kind := fmt.Sprint(payload["hook_event_name"])
	l.took[kind] = append(l.took[kind], time.Since(began))
	if info, err := os.Stat(filepath.Join(l.Dir, ".git", "rulecheck", "journal", "claude-"+l.session+".ndjson")); err == nil {
		l.journal = append(l.journal, info.Size())
	}
	var answer map[string]any
	if got.Status != 0 || got.Stderr != "" || got.Stdout != "" && json.Unmarshal([]byte(got.Stdout), &answer) != nil {
		l.Fatalf("%s: %+v", text, got)
	}
	return answer
}

// wholeProcess runs rulecheck hook as an agent does.
func wholeProcess(t *testing.T, dir string, payload []byte) hook.Answer {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	cmd := exec.Cmd{
		Path: self, Args: []string{"rulecheck", "hook", "claude"}, Dir: dir, Stdin: bytes.NewReader(payload), Stdout: &out, Stderr: &errs,
		Env: append(os.Environ(), "CLAUDE_PROJECT_DIR="+dir, "CI=", "GITHUB_ACTIONS="),
	}
	_ = cmd.Run()
	return hook.Answer{Stdout: out.String(), Stderr: errs.String(), Status: cmd.ProcessState.ExitCode()}
}

func (l *longSession) prompt(session int) {
	l.Helper()
	l.session = fmt.Sprint("s", session)
	if a := l.send(map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": fmt.Sprint("do ", l.events)}); a != nil {
		l.Fatalf("a prompt: %v; want silence", a)
	}
	l.history = append(l.history, happening{kind: "prompt", session: l.session})
}

// call makes a tool call, before it and after it.
func (l *longSession) call(n int) {
	l.Helper()
	c := longCalls[l.random.IntN(len(longCalls))]
	var input map[string]any
	if err := json.Unmarshal(fmt.Appendf(nil, c.input, n), &input); err != nil {
		l.Fatal(err)
	}
	payload := map[string]any{"hook_event_name": "PreToolUse", "tool_name": c.tool, "tool_input": input, "tool_use_id": fmt.Sprint("t", n)}
	answer := l.send(payload)
	inner, _ := answer["hookSpecificOutput"].(map[string]any)
	got, _ := inner["permissionDecision"].(string)
	if inner["additionalContext"] != nil {
		got = "warn"
	}
	if got != c.want {
		l.Fatalf("%s %v: %q in %v; want %q", c.tool, input, got, answer, c.want)
	}
	l.history = append(l.history, happening{kind: "call", session: l.session})
	if c.want != "deny" {
		payload["hook_event_name"], payload["tool_response"] = "PostToolUse", map[string]any{}
		if a := l.send(payload); a != nil {
			l.Fatalf("after %v: %v; want silence", input, a)
		}
	}
}

// edit changes a file, also back to what it was.
func (l *longSession) edit() {
	l.Helper()
	stem := string(rune('a' + l.random.IntN(4)))
	file := []string{"src/" + stem + ".py", "src/" + stem + ".py", "tests/" + stem + "_test.py", "docs/" + stem + ".md"}[l.random.IntN(4)]
	text := []string{"", "1\n", "2\n", "3\n", "4\n"}[l.random.IntN(5)]
	if text == "" && strings.HasPrefix(file, "tests/") {
		text = "0\n" // the pattern of its source would lose its last file, which is another finding
	}
	if text != "" {
		text = file + " " + text // no other file has it: nothing is renamed
	}
	l.history = append(l.history, happening{kind: "write", session: l.session, file: file, text: text})
	if text != "" {
		l.Write(file, text)
		return
	}
	if err := os.Remove(filepath.Join(l.Dir, filepath.FromSlash(file))); err != nil && !os.IsNotExist(err) {
		l.Fatal(err)
	}
}

var (
	ruleHeading = regexp.MustCompile(`(?m)^## (\w+)$`)
	stopped     = regexp.MustCompile(`the agent stopped with (\d+) open finding`)
)

// stop stops, and reports whether that was refused.
func (l *longSession) stop(refusals int) bool {
	l.Helper()
	h := happening{kind: "stop", session: l.session, continued: refusals > 0}
	answer := fmt.Sprint("done ", l.events)
	if l.random.IntN(6) == 0 {
		h.promise = []string{"Tests", "Pages"}[l.random.IntN(2)]
		answer += " <promise>" + h.promise + "</promise>"
	}
	l.history = append(l.history, h)
	got := l.send(map[string]any{"hook_event_name": "Stop", "stop_hook_active": h.continued, "last_assistant_message": answer, "background_tasks": []any{}})
	var rules []string
	reason, _ := got["reason"].(string)
	for _, m := range ruleHeading.FindAllStringSubmatch(reason, -1) {
		rules = append(rules, m[1])
	}
	slices.Sort(rules)
	notice, _ := got["systemMessage"].(string)
	open := 0
	if m := stopped.FindStringSubmatch(notice); m != nil {
		open, _ = strconv.Atoi(m[1])
	}
	want, wantOpen := verdictOf(l.history)
	if !slices.Equal(rules, want) || open != wantOpen || (got["decision"] == "block") != (len(want) > 0) {
		l.Fatalf("event %d, session %s, after %+v: refused by %v, %d open; want %v and %d\n%v", l.events, l.session, l.history[max(0, len(l.history)-12):], rules, open, want, wantOpen, got)
	}
	return len(want) > 0
}

// flat looks at what the session has left behind: files do not grow with it, but for the
// journal, by a row of the same size for each event.
func (l *longSession) flat() {
	l.Helper()
	var largest int64
	count := map[string]int{}
	state := filepath.Join(l.Dir, ".git", "rulecheck")
	err := filepath.WalkDir(state, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Base(filepath.Dir(name)) == "journal" {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		below, _ := filepath.Rel(state, name)
		part, _, _ := strings.Cut(filepath.ToSlash(below), "/")
		count[part]++
		largest = max(largest, info.Size())
		return nil
	})
	if err != nil {
		l.Fatal(err)
	}
	if largest > 16<<10 {
		l.Errorf("a file of the state has %d bytes; want few", largest)
	}
	l.Logf("files of the state besides the journal: %v, the largest of %d bytes", count, largest)
	for kind, list := range l.took {
		tenth := max(1, len(list)/10)
		first, last := slices.Sorted(slices.Values(list[:tenth])), slices.Sorted(slices.Values(list[len(list)-tenth:]))
		l.Logf("%s: %d times; median of the last tenth %v, of the first %v", kind, len(list), last[tenth/2], first[tenth/2])
	}
	rows := float64(l.journal[len(l.journal)-1]) / float64(max(1, l.lastSession()))
	if rows > 500 {
		l.Errorf("a row of the journal has %.0f bytes; want few", rows)
	}
}

// lastSession returns the number of events of the last session.
func (l *longSession) lastSession() int {
	n := 0
	for i := len(l.journal) - 1; i > 0 && l.journal[i-1] < l.journal[i]; i-- {
		n++
	}
	return n + 1
}
