package agentlog_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// damagedRows are rows that crashes and other writers leave. Each complete one uses 10 + 1
// tokens.
var damagedRows = []string{
	"\xef\xbb\xbf" + `{"type":"assistant","sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"id":"m1","usage":{"input_tokens":10,"output_tokens":1}}}` + "\r",
	`{ "type" : "assistant" , "timestamp" : "2026-01-01T00:00:02Z" , "message" : { "id" : "m2" , "usage" : { "input_tokens" : 10 , "output_tokens" : 1 } } }`,
	`{"t\u0079pe":"\u0061ssistant","timestamp":"2026-01-01T00:00:03Z","mess\u0061ge":{"id":"m3","\u0075sage":{"input_tokens":1e1,"output_tokens":1.0}}}`,
	`{"type":"assistant","timestamp":"2026-01-01T00:00:04Z","message":{"id":"m4","usage":{"input_tokens":"10","output_tokens":1,"cache_read_input_tokens":null}}}` + "\x00\x00",
	"",
	"   \r",
	`{"type":"assistant","timestamp":"2026-01-01T00:00:05Z","message":{"id":"m5","usage":{"input_tokens":10,"output_tokens":1}}`,
	`{"type":"assistant","timestamp":"2026-01-01T00:00:06Z","message":{"id":"m6","usage":{"input_tokens":10,"output_tokens":{}}}}`,
	`{"type":"assistant","timestamp":"2026-01-01T00:00:07Z","message":{"id":"m7","usage":{"input_tokens":7.5,"output_tokens":-1}}}`,
	`{"type":"assistant","timestamp":"yesterday","message":{"id":"m8","usage":{"input_tokens":10,"output_tokens":1}}}`,
	`{"type":"assistant","timestamp":"2026-01-01T00:00:09Z","message":{"id":"m9","content":"` + "\xff\xfe" + `","usage":{"input_tokens":10,"output_tokens":1}}}`,
	`{"type":"assistant","timestamp":"2026-01-01T00:00:10Z","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":7}},` +
		`{"type":"tool_use","id":"t2","name":"Edit","input":[]},{"type":"tool_use","id":"t3","name":"Edit","input":{"file_path":null}},` +
		`{"type":"tool_use","id":"t4","name":"Bash","input":{"command":"a\"b\\c\/\u00e9\ud83d\ude00\n\ud800\q"}}, 7]}}`,
	`{"type":"assistant","message":"a string","toolUseResult":[],"forkedFrom":7,"usage":3}`,
	`{"type":"user","type2":tru}`,
	`[]`,
	strings.Repeat("\x00", 512),
}

func TestDamagedRows(t *testing.T) {
	s := loadFiles(t, map[string]string{"log.jsonl": strings.Join(damagedRows, "\n")})[0]
	type spent struct {
		ID            string
		Input, Output int64
	}
	const rowOf = "an answer without an id"
	number := func(n *int64) int64 {
		if n == nil {
			return -1
		}
		return *n
	}
	var got []spent
	for _, tokens := range s.Tokens {
		if strings.HasPrefix(tokens.CallID, "row ") {
			tokens.CallID = rowOf
		}
		got = append(got, spent{tokens.CallID, number(tokens.Input), number(tokens.Output)})
	}
	want := []spent{
		{"m8", 10, 1}, {"m1", 10, 1}, {"m2", 10, 1}, {"m3", 10, 1}, {"m4", 10, 1}, {"m6", 10, -1}, {"m7", -1, -1}, {"m9", 10, 1}, {rowOf, -1, -1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if command := s.Calls[3].Command; command != "a\"b\\c/é😀\n\uFFFD\\q" {
		t.Errorf("got command %q", command)
	}
	var said []fact.Diagnostic
	for _, d := range s.Diagnostics {
		d.Message = ""
		d.File = ""
		said = append(said, d)
	}
	at := func(line int) fact.Place { return fact.Place{Line: line} }
	wantSaid := []fact.Diagnostic{
		{Place: at(1), Code: fact.Padded, Count: 3},
		{Place: at(5), Code: fact.Blank, Count: 3},
		{Place: at(7), Code: fact.Damaged, Count: 3, Loss: true},
		{Place: at(8), Code: fact.WrongTokens, Count: 2, Loss: true},
		{Place: at(10), Code: fact.NoTime, Count: 1, Loss: true},
		{Place: at(12), Code: fact.WrongType, Count: 1, Loss: true},
		{Place: at(12), Code: fact.WrongType, Count: 1, Loss: true},
		{Place: at(12), Code: fact.WrongType, Count: 1, Loss: true},
		{Place: at(13), Code: fact.WrongType, Count: 1, Loss: true},
	}
	if diff := cmp.Diff(wantSaid, said); diff != "" {
		t.Errorf("%s\n%+v", diff, s.Diagnostics)
	}
}

// TestLongLines reads a line with one huge text, whose other fields are kept, and one with
// very many small texts, which is skipped.
func TestLongLines(t *testing.T) {
	const row = `{"type":"user","timestamp":"2026-01-01T00:00:02Z","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":`
	long := io.MultiReader(
		strings.NewReader(`{"type":"assistant","sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make"}}]}}`+"\n"),
		strings.NewReader(row), strings.NewReader(`"Exit code 3\n`), strings.NewReader(strings.Repeat(`\u00e9"`[:6], 1_000_000)), strings.NewReader(`","is_error":true}]}}`+"\n"),
		strings.NewReader(`{"type":"file-history-snapshot","a":[`), strings.NewReader(strings.Repeat(`"x",`, 2_200_000)), strings.NewReader(`""]}`+"\n"),
		strings.NewReader(row+`[`), strings.NewReader(strings.Repeat(`"x",`, 2_200_000)), strings.NewReader(`""]}]}}`+"\n"),
		strings.NewReader(`{"type":"user","message":{"content":"go on"},"timestamp":"2026-01-01T00:00:03Z"}`),
	)
	sessions, summary, err := agentlog.Load(t.Context(), []agentlog.Input{{Reader: long, Path: "stdin"}}, agentlog.Options{})
	if err != nil || len(sessions) != 1 {
		t.Fatalf("got %v, %v", sessions, err)
	}
	s := sessions[0]
	if c := s.Calls[0]; c.Status != fact.Error || *c.ExitCode != 3 || c.End.IsZero() {
		t.Errorf("got %+v", c)
	}
	if len(s.Prompts) != 1 || s.Prompts[0].Line != 5 || summary.Rows != 5 {
		t.Errorf("got prompts %+v in %d rows", s.Prompts, summary.Rows)
	}
	want := []fact.Diagnostic{
		{Place: fact.Place{File: "stdin", Line: 2}, Code: fact.Elided, Count: 1, Message: "the long texts of a very long line were cut"},
		{Place: fact.Place{File: "stdin", Line: 3}, Code: fact.TooLong, Count: 2, Message: "a line was too long to read", Loss: true},
	}
	if diff := cmp.Diff(want, s.Diagnostics); diff != "" {
		t.Error(diff)
	}
}

const call = `{"type":"assistant","sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"id":"m1","usage":{"input_tokens":10,"output_tokens":1}}}` + "\n"

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestInputs(t *testing.T) {
	dir := t.TempDir()
	gz := packed(t, strings.Repeat(call, 5000))
	write := func(name string, data []byte) string {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	write("a/one.jsonl.gz", gz)
	write("a/notes.md", []byte("no log"))
	write("a/settings.json", []byte("{\n  \"theme\": \"dark\"\n}\n"))
	write("a/list.json", []byte(`["x"]`))
	write("a/empty.jsonl", nil)
	write("a/torn.jsonl.gz", gz[:len(gz)-9])
	write("a/bad.jsonl.gz", []byte{0x1f, 0x8b, 0})
	named := write("b/log.txt", []byte(strings.ReplaceAll(call, "m1", "m2")))
	if err := os.Symlink(filepath.Join(dir, "a"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	sessions, summary := load(t, agentlog.Options{}, filepath.Join(dir, "link"), named, named)
	if len(sessions) != 1 || len(sessions[0].Tokens) != 2 || summary.Files != 7 {
		t.Errorf("got %+v from %d files", sessions, summary.Files)
	}
	got := map[string]bool{} // by file and code: whether anything is lost
	for _, d := range append(summary.Diagnostics, sessions[0].Diagnostics...) {
		got[filepath.Base(d.File)+" "+string(d.Code)] = d.Loss
	}
	want := map[string]bool{
		"bad.jsonl.gz unreadable": true, "torn.jsonl.gz unreadable": true,
		"settings.json unrecognised": false, "list.json unrecognised": false,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	stream := agentlog.Input{Path: "-", Reader: bytes.NewReader(gz)}
	var reported []int
	progress := agentlog.Options{Progress: func(read, all int) { reported = append(reported, read, all) }}
	if s, _, err := agentlog.Load(t.Context(), []agentlog.Input{stream}, progress); !slices.Equal(reported, []int{1, 1}) || err != nil || len(s) != 1 || s[0].Sources[0].Rows != 5000 {
		t.Errorf("got %+v, %v", s, err)
	}
}

// brokenFS has a file and a directory that cannot be opened.
type brokenFS struct{ fstest.MapFS }

func (b brokenFS) Open(name string) (fs.File, error) {
	if strings.Contains(name, "broken") {
		return nil, fs.ErrPermission
	}
	return b.MapFS.Open(name)
}

func TestErrors(t *testing.T) {
	fsys := brokenFS{fstest.MapFS{
		"broken.jsonl": {Data: []byte(call)}, "brokendir/a.jsonl": {Data: []byte(call)}, "good.jsonl": {Data: []byte(call)},
	}}
	all := []agentlog.Input{{FS: fsys, Path: "."}}
	sessions, summary, err := agentlog.Load(t.Context(), all, agentlog.Options{})
	if err != nil || len(sessions) != 1 || len(summary.Diagnostics) != 2 || summary.Diagnostics[0].Code != fact.Unreadable {
		t.Errorf("got %v, %v, %v", sessions, summary.Diagnostics, err)
	}
	for _, in := range []agentlog.Input{{FS: fsys, Path: "missing.jsonl"}, {Path: filepath.Join(t.TempDir(), "missing")}} {
		if _, _, err := agentlog.Load(t.Context(), []agentlog.Input{in}, agentlog.Options{}); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("got %v", err)
		}
	}
	stop := errors.New("stop")
	if _, err := agentlog.Each(t.Context(), all, agentlog.Options{}, func(session.Session) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := agentlog.Load(ctx, all, agentlog.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	failing := io.MultiReader(strings.NewReader(call+call), iotestErr{})
	sessions, _, err = agentlog.Load(t.Context(), []agentlog.Input{{Reader: failing}}, agentlog.Options{})
	if err != nil || count(sessions[0], fact.Unreadable) != 1 {
		t.Errorf("got %v, %v", sessions, err)
	}
}

type iotestErr struct{}

func (iotestErr) Read([]byte) (int, error) { return 0, errors.New("input/output error") }
