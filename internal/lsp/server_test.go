package lsp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/lsp"
	"github.com/rulecheck/rulecheck/internal/past/history"
	"github.com/rulecheck/rulecheck/internal/past/replay"
	"github.com/rulecheck/rulecheck/internal/setup"
)

// client speaks with a server over pipes.
type client struct {
	t    *testing.T
	repo *gittest.Repository
	in   io.WriteCloser
	out  chan answer // is closed when the server ends
	last int
	end  chan error

	refuses bool      // unsaved text
	opened  chan bool // whether that was with unsaved text
}

// answer is a message of the server.
type answer struct {
	ID     json.RawMessage
	Method string
	Params struct {
		URI         string
		Diagnostics []diagnostic
		Message     string
	}
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

type diagnostic struct {
	Range    struct{ Start, End struct{ Line, Character int } }
	Severity int
	Code     string
	Message  string
}

// connect starts a server in a new repository, which has a rule and a file that the rule is about.
func connect(t *testing.T) *client {
	t.Helper()
	repo := gittest.New(t)
	dir, err := filepath.EvalSymlinks(repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	repo.Dir = dir
	repo.Rule("pair", pairRule)
	repo.Write("src/a.py", "1\n")
	repo.Commit("first")
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	c := &client{t: t, repo: repo, in: toServer, out: make(chan answer, 1<<16), end: make(chan error, 1), opened: make(chan bool, 1<<16)}
	go c.read(fromServer)
	go func() {
		c.end <- lsp.Serve(context.Background(), in, out, lsp.Options{Version: "v1.2.3", Dir: dir, WorkflowSchema: workflow.Schema, Open: func(ctx context.Context, dir string, texts map[string][]byte) (lsp.Repository, error) {
			if c.opened <- len(texts) > 0; c.refuses && len(texts) > 0 {
				return lsp.Repository{}, diff.NeedsGit("this test")
			}
			engine, err := program.Open(ctx, git.Options{Dir: dir, Env: repo.Env})
			if err != nil {
				return lsp.Repository{}, err
			}
			return lsp.Repository{Engine: engine, Check: func(ctx context.Context) (*check.Result, error) {
				return check.Complete(ctx, engine, check.Options{Commands: check.Commands{Off: "a test"}})
			}, Replay: func(ctx context.Context, id string) (*replay.Report, error) {
				return replay.Run(ctx, engine, engine.Repo(), replay.Options{
					Range: history.Range{Max: lsp.Units},
					Check: check.Options{RulesFrom: check.RulesFromWorktree, Selection: setup.Selection{Only: []string{id}}},
				})
			}}, nil
		}})
		_ = out.Close()
	}()
	t.Cleanup(func() { _ = toServer.Close() })
	return c
}

const pairRule = "---\npair:\n  trigger: src/{path}.py\n  expects: tests/{path}_test.py\n---\nTest {trigger_files}.\n"

// started is a client after the first check.
func started(t *testing.T) *client {
	t.Helper()
	c := connect(t)
	c.ask("initialize", `{"capabilities": {"workspace": {"workspaceEdit": {"resourceOperations": ["create"]}}, "window": {"showDocument": {"support": true}}}}`)
	c.note("initialized", `{}`)
	c.check()
	return c
}

func (c *client) uri(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(c.repo.Dir, path))}).String()
}

func (c *client) raw(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, text); err != nil {
		c.t.Fatal(err)
	}
}

func framed(text string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text) }

func (c *client) send(text string) { c.t.Helper(); c.raw(framed(text)) }

// note sends a notification.
func (c *client) note(method, params string) {
	c.t.Helper()
	c.send(fmt.Sprintf(`{"jsonrpc": "2.0", "method": %q, "params": %s}`, method, params))
}

// ask sends a request and returns its answer.
func (c *client) ask(method, params string) answer {
	c.t.Helper()
	c.last++
	c.send(fmt.Sprintf(`{"jsonrpc": "2.0", "id": %d, "method": %q, "params": %s}`, c.last, method, params))
	return c.until(func(a answer) bool { return string(a.ID) == strconv.Itoa(c.last) && a.Method == "" })
}

// check has the server check, and returns the diagnostics that it published meanwhile.
func (c *client) check() map[string][]diagnostic {
	c.t.Helper()
	published := map[string][]diagnostic{}
	c.last++
	c.send(fmt.Sprintf(`{"jsonrpc": "2.0", "id": %d, "method": "workspace/executeCommand", "params": {"command": "rulecheck.check"}}`, c.last))
	c.until(func(a answer) bool {
		if a.Params.URI != "" {
			published[strings.TrimPrefix(a.Params.URI, c.uri("")+"/")] = a.Params.Diagnostics
		}
		return string(a.ID) == strconv.Itoa(c.last)
	})
	return published
}

// open opens a document with a text.
func (c *client) open(path, text string) {
	c.t.Helper()
	c.note("textDocument/didOpen", fmt.Sprintf(`{"textDocument": {"uri": %q, "languageId": "x", "version": 1, "text": %q}}`, c.uri(path), text))
}

// at returns the parameters of a request about a place in a document.
func (c *client) at(path string, line, character int) string {
	return fmt.Sprintf(`{"textDocument": {"uri": %q}, "position": {"line": %d, "character": %d}}`, c.uri(path), line, character)
}

// read reads all messages, as editors do, whether a test waits for one or not.
func (c *client) read(from io.Reader) {
	defer close(c.out)
	r := bufio.NewReader(from)
	for {
		header, err := textproto.NewReader(r).ReadMIMEHeader()
		if errors.Is(err, io.EOF) {
			return
		}
		n, failed := strconv.Atoi(header.Get("Content-Length"))
		text := make([]byte, max(0, n))
		var a answer
		if _, cut := io.ReadFull(r, text); err != nil || failed != nil || cut != nil || json.Unmarshal(text, &a) != nil {
			c.t.Errorf("the server sent %v: %.200s", header, text)
			return
		}
		c.out <- a
	}
}

// until waits for a message.
func (c *client) until(wanted func(answer) bool) answer {
	c.t.Helper()
	for a := range c.out {
		if wanted(a) {
			return a
		}
	}
	c.t.Fatal("the server ended")
	panic("unreachable")
}

// alive checks that the server still answers.
func (c *client) alive(after string) {
	c.t.Helper()
	if a := c.ask("workspace/executeCommand", `{"command": "rulecheck.check"}`); a.Error != nil {
		c.t.Errorf("after %s: %v", after, a.Error)
	}
}

func refused(a answer) bool { return a.Error != nil }

// TestHostileMessages sends what no editor sends. Each gets an error of the protocol, and the
// server goes on.
func TestHostileMessages(t *testing.T) {
	t.Parallel()
	c := started(t)
	for _, x := range []struct {
		name, raw string
		code      int
	}{
		{"no header", "\r\n\r\nhello\r\n\r\n", -32700},
		{"a negative length", "Content-Length: -5\r\n\r\n", -32700},
		{"a length that is no number", "Content-Length: 0x5\r\n\r\n", -32700},
		{"a length beyond all numbers", "Content-Length: 99999999999999999999\r\n\r\n", -32700},
		{"a long header", strings.Repeat("x", 1<<20) + "\r\n\r\n", -32700},
		{"a message that is too long", "Content-Length: 67108865\r\n\r\n" + strings.Repeat("x", 67108865), -32600},
		{"an empty message", "Content-Length: 0\r\n\r\n", -32700},
		{"no JSON", "Content-Length: 3\r\n\r\n{x}", -32700},
		{"deep JSON", "Content-Length: 100000\r\n\r\n" + strings.Repeat("[", 100000), -32700},
		{"a cut message", "Content-Length: 200\r\n\r\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"met" + strings.Repeat(" ", 168), -32700},
		{"a batch", "Content-Length: 2\r\n\r\n[]", -32600},
		{"a text", "Content-Length: 2\r\n\r\n\"\"", -32600},
		{"no method", "Content-Length: 9\r\n\r\n{\"id\": 1}", -32600},
		{"a method that is a number", "Content-Length: 23\r\n\r\n{\"id\": 1, \"method\": 15}", -32600},
		{"an id that is an object", "Content-Length: 28\r\n\r\n{\"id\": {}, \"method\": \"what\"}", -32600},
		{"an unknown method", "Content-Length: 28\r\n\r\n{\"id\": 77, \"method\": \"what\"}", -32601},
	} {
		go io.WriteString(c.in, x.raw)
		if a := c.until(refused); a.Error.Code != x.code {
			t.Errorf("%s: %d %s; want %d", x.name, a.Error.Code, a.Error.Message, x.code)
		}
		c.alive(x.name)
	}
}

// TestRefusals checks that a request that makes no sense gets an error, and a notification an
// entry of the log.
func TestRefusals(t *testing.T) {
	t.Parallel()
	c := started(t)
	c.open("src/a.py", "1\n")
	for _, uri := range []string{
		"untitled:Untitled-1", "https://example.com/a", "file://other/src/a.py", "file:///etc/passwd", c.uri("../x"), c.uri(""), "file:///%zz", "",
		"file:///" + strings.Repeat("x", 10000), c.uri("src/never.py"), "file:///a%00b", c.uri("src") + "/../../../etc/passwd",
	} {
		params := fmt.Sprintf(`{"textDocument": {"uri": %q}, "position": {"line": 0, "character": 0}}`, uri)
		for _, method := range []string{"completion", "hover", "codeLens", "codeAction", "definition", "rename"} {
			if a := c.ask("textDocument/"+method, params); a.Error == nil || a.Error.Code != -32602 {
				t.Errorf("%s of %q: %s", method, uri, a.Result)
			}
		}
		for _, method := range []string{"didChange", "didClose", "didSave"} {
			c.note("textDocument/"+method, params)
			if a := c.until(func(a answer) bool { return a.Method == "window/logMessage" }); !strings.HasPrefix(a.Params.Message, "textDocument/"+method+": ") {
				t.Errorf("%s of %q: %s", method, uri, a.Params.Message)
			}
		}
	}
	for _, params := range []string{
		`null`, `[]`, `5`, `{"textDocument": 5}`, `{"command": "rm"}`, `{"command": "rulecheck.open"}`, `{"command": "rulecheck.open", "arguments": ["file:///etc/passwd"]}`,
		`{"command": "rulecheck.open", "arguments": ["https://example.com/"]}`, `{"command": "rulecheck.run", "arguments": ["pair"]}`, `{"command": "rulecheck.run", "arguments": ["pair", "file:///etc/passwd"]}`,
		fmt.Sprintf(`{"command": "rulecheck.run", "arguments": ["pair", %q]}`, c.uri("src/a.py")), `{"command": "rulecheck.run", "arguments": [{}, []]}`,
	} {
		for _, method := range []string{"textDocument/completion", "textDocument/codeAction", "workspace/executeCommand"} {
			if a := c.ask(method, params); a.Error == nil || a.Error.Code != -32602 {
				t.Errorf("%s %s: %s", method, params, a.Result)
			}
		}
	}
	c.open(".rulecheck/rules/pair.md", pairRule)
	for _, change := range []string{
		`{"range": {"start": {"line": 3, "character": 0}, "end": {"line": 1, "character": 0}}, "text": "x"}`,
		`{"range": {"start": {"line": -1, "character": -7}, "end": {"line": 1000000000, "character": 1000000000}}, "text": ""}`,
		`{"range": {}, "text": "\ud800"}`, `{}`,
	} {
		c.note("textDocument/didChange", fmt.Sprintf(`{"textDocument": {"uri": %q}, "contentChanges": [%s]}`, c.uri(".rulecheck/rules/pair.md"), change))
		for _, place := range [][2]int{{-1, -1}, {0, 0}, {1 << 30, 1 << 30}} {
			for _, method := range []string{"completion", "hover", "codeLens", "codeAction"} {
				if a := c.ask("textDocument/"+method, c.at(".rulecheck/rules/pair.md", place[0], place[1])); a.Error != nil {
					t.Errorf("%s after %s: %v", method, change, a.Error)
				}
			}
		}
	}
	c.alive("refusals")
}

// TestLife checks the order of requests that a connection has.
func TestLife(t *testing.T) {
	t.Parallel()
	c := connect(t)
	if a := c.ask("textDocument/hover", `{}`); a.Error == nil || a.Error.Code != -32002 {
		t.Errorf("before initialize: %v", a.Error)
	}
	for _, params := range []string{`{"rootUri": "untitled:x"}`, `[]`} {
		if a := c.ask("initialize", params); a.Error == nil {
			t.Errorf("initialize %s: %s", params, a.Result)
		}
	}
	if a := c.ask("initialize", `{}`); a.Error != nil || !strings.Contains(string(a.Result), `"version":"v1.2.3"`) {
		t.Errorf("initialize: %v %s", a.Error, a.Result)
	}
	if a := c.ask("initialize", `{}`); a.Error == nil {
		t.Error("it was initialized twice")
	}
	if a := c.ask("shutdown", `null`); a.Error != nil || string(a.Result) != "null" {
		t.Errorf("shutdown: %v %s", a.Error, a.Result)
	}
	if a := c.ask("textDocument/hover", `{}`); a.Error == nil || a.Error.Code != -32600 {
		t.Errorf("after shutdown: %v", a.Error)
	}
	c.note("exit", `null`)
	if err := <-c.end; err != nil {
		t.Error(err)
	}
	early := started(t)
	early.note("exit", `null`)
	if err := <-early.end; !errors.Is(err, lsp.ErrNoShutdown) {
		t.Errorf("exit before shutdown: %v", err)
	}
}

// TestCancelledRequests sends a thousand requests and cancels them: each gets one answer.
func TestCancelledRequests(t *testing.T) {
	t.Parallel()
	c := started(t)
	c.open(".rulecheck/rules/pair.md", pairRule)
	const n = 1000
	var all strings.Builder
	for i := range n {
		all.WriteString(framed(fmt.Sprintf(`{"jsonrpc": "2.0", "id": "r%d", "method": "textDocument/codeLens", "params": %s}`, i, c.at(".rulecheck/rules/pair.md", 0, 0))))
		all.WriteString(framed(fmt.Sprintf(`{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "r%d"}}`, i)))
	}
	go io.WriteString(c.in, all.String())
	answers := map[string]int{}
	for range n {
		a := c.until(func(a answer) bool { return strings.HasPrefix(string(a.ID), `"r`) })
		answers[string(a.ID)]++
		if a.Error != nil && a.Error.Code != -32800 {
			t.Errorf("%s: %v", a.ID, a.Error)
		}
	}
	if len(answers) != n {
		t.Errorf("%d requests have an answer; want %d", len(answers), n)
	}
	c.alive("cancelled requests")
}

// TestCancelledChecks asks for a thousand checks and cancels them: each request gets one answer.
func TestCancelledChecks(t *testing.T) {
	t.Parallel()
	c := started(t)
	const n = 1000
	go func() {
		for i := range n {
			io.WriteString(c.in, framed(fmt.Sprintf(`{"jsonrpc": "2.0", "id": "r%d", "method": "workspace/executeCommand", "params": {"command": "rulecheck.check"}}`, i)))
			io.WriteString(c.in, framed(fmt.Sprintf(`{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "r%d"}}`, i)))
		}
		for _, params := range []string{`{}`, `{"id": {}}`, `null`, `{"id": "never"}`} {
			io.WriteString(c.in, framed(fmt.Sprintf(`{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": %s}`, params)))
		}
	}()
	answers := map[string]bool{}
	for range n {
		a := c.until(func(a answer) bool { return strings.HasPrefix(string(a.ID), `"r`) })
		answers[string(a.ID)] = true
		if a.Error != nil && a.Error.Code != -32800 {
			t.Errorf("%s: %v", a.ID, a.Error)
		}
	}
	if len(answers) != n {
		t.Errorf("%d requests have an answer; want %d", len(answers), n)
	}
	c.alive("cancelled checks")
}

// TestCutStream ends the input in the middle of a message.
func TestCutStream(t *testing.T) {
	t.Parallel()
	for _, cut := range []string{"Content-Le", "Content-Length: 200\r\n\r\n{\"jsonrpc\": \"2.0\", \"id\""} {
		c := started(t)
		c.raw(cut)
		_ = c.in.Close()
		if err := <-c.end; err != nil {
			t.Errorf("%q: %v", cut, err)
		}
	}
}

// TestPast checks that a lens follows the commits, and is not there while the rule is not saved.
func TestPast(t *testing.T) {
	t.Parallel()
	c := started(t)
	const file = ".rulecheck/rules/pair.md"
	titles := func() string {
		var lenses []struct {
			Command struct{ Title, Command string }
		}
		a := c.ask("textDocument/codeLens", c.at(file, 0, 0))
		if err := json.Unmarshal(a.Result, &lenses); err != nil {
			t.Fatalf("%v: %s", err, a.Result)
		}
		var list []string
		for _, l := range lenses {
			if !strings.Contains(l.Command.Title, ": matches ") {
				list = append(list, l.Command.Title)
			}
		}
		return strings.Join(list, "; ")
	}
	wait := func(want string) {
		t.Helper()
		for { // until the test times out
			got := titles()
			switch {
			case strings.HasPrefix(got, want):
				return
			case got != "":
				t.Fatalf("%q; want %s", got, want)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	c.open(file, pairRule)
	wait("fired in 1 of 1 commit; ")
	c.repo.Write("src/b.py", "1\n")
	c.repo.Commit("evil \x1b[31m\u202e subject")
	c.check()
	wait("fired in 2 of 2 commits; ")
	if got := titles(); strings.ContainsAny(got, "\x1b\u202e") {
		t.Errorf("%q", got)
	}
	c.note("textDocument/didChange", fmt.Sprintf(`{"textDocument": {"uri": %q}, "contentChanges": [{"text": %q}]}`, c.uri(file), pairRule+"\n"))
	if got := titles(); got != "" {
		t.Errorf("while the rule is not saved: %q", got)
	}
}

// TestSymlinkedRoot checks that the server names files as the client does.
func TestSymlinkedRoot(t *testing.T) {
	t.Parallel()
	c := connect(t)
	c.repo.Write("src/a.py", "1\n2\n")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(c.repo.Dir, link); err != nil {
		t.Skip(err)
	}
	c.repo.Dir = link
	c.ask("initialize", fmt.Sprintf(`{"workspaceFolders": [{"uri": %q}]}`, c.uri("src")))
	c.note("initialized", `{}`)
	if got := c.check(); len(got["src/a.py"]) != 1 {
		t.Errorf("%v", got)
	}
	c.open("src/a.py", "")
	if a := c.ask("textDocument/hover", c.at("src/a.py", 1, 0)); !strings.Contains(string(a.Result), "pair: Test") {
		t.Errorf("hover: %v %s", a.Error, a.Result)
	}
}

// TestPauseWithoutCheck checks that what is saved is not checked again in each pause in typing, where unsaved text cannot be.
func TestPauseWithoutCheck(t *testing.T) {
	t.Parallel()
	c := started(t)
	c.refuses = true
	c.open("src/a.py", "1\n")
	c.check()
	for len(c.opened) > 0 {
		<-c.opened
	}
	c.note("textDocument/didChange", fmt.Sprintf(`{"textDocument": {"uri": %q}, "contentChanges": [{"text": "2\n"}]}`, c.uri("src/a.py")))
	if !<-c.opened {
		t.Error("what is saved was checked in a pause")
	}
	c.check()
	if first, second := <-c.opened, <-c.opened; !first || second || len(c.opened) > 0 {
		t.Errorf("opened with unsaved text: %v, %v, and %d more; want true, false", first, second, len(c.opened))
	}
}

// TestUnchecked checks that what could not be checked is shown where the user looks.
func TestUnchecked(t *testing.T) {
	t.Parallel()
	c := started(t)
	c.open("src/a.py", "1\n")
	c.repo.Write(".git/HEAD", "nonsense\n")
	got := c.check()["src/a.py"]
	if len(got) != 1 || got[0].Code != "not_evaluated" || !strings.HasPrefix(got[0].Message, "could not be checked: ") {
		t.Errorf("%v", got)
	}
	c.repo.Write(".git/HEAD", "ref: refs/heads/main\n")
	if got, ok := c.check()["src/a.py"]; !ok || len(got) != 0 {
		t.Errorf("when it could be checked again: %v", got)
	}
}
