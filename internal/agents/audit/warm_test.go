package audit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/audit"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/report"
)

// audited is the result of an audit as bytes, and whether it read the logs.
type audited struct {
	text string
	read bool
}

// auditNow is when logs are audited that are written in a test: long after that.
var auditNow = time.Now().Add(time.Hour)

func auditOf(t rapid.TB, r *gittest.Repository, dir string, cache audit.Cache) audited {
	read := false
	o := audit.Options{Cache: cache, Logs: audit.Logs{Now: auditNow, Paths: []string{dir}, Timeline: true, Progress: func(int, int) { read = true }}}
	rep, err := audit.Run(context.Background(), r.Open(), o)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(rep)
	if err != nil {
		t.Fatal(err)
	}
	rest, err := json.Marshal(bodies(rep))
	if err != nil {
		t.Fatal(err)
	}
	return audited{string(text) + string(rest), read}
}

// bodies returns all that reports show besides their JSON form.
func bodies(rep *report.Report) []any {
	var all []any
	for _, f := range rep.Findings {
		all = append(all, f.Body, f.LineHash, f.Session.Title, f.Session.Log)
	}
	for _, s := range rep.Sessions {
		all = append(all, slices.Collect(s.Timeline.All()))
	}
	return all
}

// rows returns rows of a transcript that are longer than what is compared of a file.
func rows(t *rapid.T, session string) []byte {
	var b bytes.Buffer
	at := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
	for i := range rapid.IntRange(1, 8).Draw(t, "rows") {
		at = at.Add(time.Duration(rapid.IntRange(1, 30).Draw(t, "pause")) * time.Second)
		command := rapid.SampledFrom([]string{"make", "go test", "ls"}).Draw(t, "command")
		fmt.Fprintf(&b, `{"type":"assistant","sessionId":%q,"cwd":"/w","timestamp":%q,"message":{"id":"%s-%d","role":"assistant","content":[{"type":"tool_use","id":"%s-%d","name":"Bash","input":{"command":%q,"description":%q}}],"usage":{"input_tokens":%d,"output_tokens":0}}}`+"\n",
			session, at.Format(time.RFC3339), session, i, session, i, command, strings.Repeat("x", 3000), rapid.IntRange(0, 9).Draw(t, "tokens"))
	}
	return b.Bytes()
}

// change edits a file of an archive as programs and people do, or leaves it as it is.
func change(t *rapid.T, dir, name string) (what string) {
	file := filepath.Join(dir, name)
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	what = rapid.SampledFrom([]string{"nothing", "nothing", "touch", "append", "truncate", "same size", "same size and time", "replace", "rename", "delete", "add", "copy", "foreign"}).Draw(t, "change")
	same := bytes.ReplaceAll(content, []byte(`"make"`), []byte(`"mak3"`))
	switch what {
	case "touch":
		err = os.Chtimes(file, time.Time{}, info.ModTime().Add(time.Second))
	case "append":
		err = os.WriteFile(file, slices.Concat(content, rows(t, name)), 0o644)
	case "truncate":
		err = os.Truncate(file, int64(rapid.IntRange(0, len(content)).Draw(t, "size")))
	case "same size":
		err = os.WriteFile(file, same, 0o644)
	case "same size and time":
		if err = os.WriteFile(file, same, 0o644); err == nil {
			err = os.Chtimes(file, time.Time{}, info.ModTime())
		}
	case "replace":
		if err = os.WriteFile(file+".new", rows(t, name), 0o644); err == nil {
			err = os.Rename(file+".new", file)
		}
	case "rename":
		err = os.Rename(file, filepath.Join(dir, "renamed-"+name))
	case "delete":
		err = os.Remove(file)
	case "add":
		err = os.WriteFile(filepath.Join(dir, "added-"+name), rows(t, "added"), 0o644)
	case "copy":
		err = os.WriteFile(filepath.Join(dir, "copied-"+name), content, 0o644)
	case "foreign":
		err = os.WriteFile(filepath.Join(dir, name+".1"), content, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return what
}

// TestWarmLaw holds that audits with results of earlier ones equal audits without, over
// random archives that change, and that logs are not read again exactly if nothing did.
func TestWarmLaw(t *testing.T) {
	r := gittest.New(t)
	r.Rule("again", "---\nrepeated_command: {threshold: 2, window: 60}\n---\nStop.\n")
	r.Rule("tokens", "---\ntoken_budget: {max_tokens: 12}\n---\nStop.\n")
	r.Rule("failing", "---\nrepeated_failure: {threshold: 1}\n---\nStop.\n")
	n := 0
	changes := map[string]int{}
	lawtest.CheckN(t, lawtest.Cases(t, "WARM_ARCHIVES", 12), func(rt *rapid.T) {
		n++
		dir := filepath.Join(t.TempDir(), strconv.Itoa(n))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			rt.Fatal(err)
		}
		var names []string
		for i := range rapid.IntRange(1, 4).Draw(rt, "files") {
			name := fmt.Sprintf("s%d.jsonl", i)
			if err := os.WriteFile(filepath.Join(dir, name), rows(rt, name), 0o644); err != nil {
				rt.Fatal(err)
			}
			names = append(names, name)
		}
		cache := audit.Cache{Dir: filepath.Join(dir+"-cache", "audit"), Program: "test"}
		cold := auditOf(rt, r, dir, cache)
		if again := auditOf(rt, r, dir, cache); again.read || again.text != cold.text {
			rt.Fatal("logs that did not change were read again")
		}
		what := change(rt, dir, rapid.SampledFrom(names).Draw(rt, "file"))
		changes[what]++
		got, want := auditOf(rt, r, dir, cache), auditOf(rt, r, dir, audit.Cache{})
		if got.text != want.text {
			rt.Fatalf("after %q:\n%s\nwant\n%s", what, got.text, want.text)
		}
		if what == "nothing" && got.read || what != "nothing" && what != "delete" && !got.read { // no log may be left
			rt.Fatalf("after %q the logs were read: %v", what, got.read)
		}
	})
	t.Log(n, "archives,", changes)
}

// oneCall is a transcript of one command.
const oneCall = `{"type":"assistant","sessionId":"a","cwd":"/w","timestamp":"2026-05-01T10:00:00Z","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"make"}}]}}` + "\n"

// TestFreshLogsAreReadAgain holds that nothing is kept of a log that changed just now, whose
// next change may have the same time, nor for another rule, option or program.
func TestFreshLogsAreReadAgain(t *testing.T) {
	r := gittest.New(t)
	r.Rule("again", "---\nrepeated_command: {threshold: 1, window: 60}\n---\nStop.\n")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.jsonl"), []byte(oneCall), 0o644); err != nil {
		t.Fatal(err)
	}
	cache := audit.Cache{Dir: filepath.Join(t.TempDir(), "audit"), Program: "test"}
	log := filepath.Join(dir, "a.jsonl")
	if err := os.Chtimes(log, auditNow, auditNow); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if !auditOf(t, r, dir, cache).read {
			t.Error("a log that was just written was not read again")
		}
	}
	if err := os.Chtimes(log, time.Time{}, auditNow.Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	first := auditOf(t, r, dir, cache)
	if again := auditOf(t, r, dir, cache); !first.read || again.read || again.text != first.text {
		t.Errorf("the first audit read %v, the second %v; want only the first to", first.read, again.read)
	}
	other := cache
	other.Program = "newer"
	if !auditOf(t, r, dir, other).read {
		t.Error("another program used the result")
	}
	r.Rule("again", "---\nrepeated_command: {threshold: 1, window: 61}\n---\nStop.\n")
	if !auditOf(t, r, dir, cache).read {
		t.Error("another rule used the result")
	}
	for _, name := range []string{"no directory", "not private"} {
		bad := cache
		bad.Dir = filepath.Join(dir, "a.jsonl", "audit")
		if name == "not private" {
			bad.Dir = filepath.Join(t.TempDir(), "open")
			if err := os.MkdirAll(bad.Dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if got, again := auditOf(t, r, dir, bad), auditOf(t, r, dir, bad); !got.read || !again.read || again.text != got.text {
			t.Errorf("%s: a result was kept", name)
		}
	}
}

// TestEveryOptionHasItsResult holds that an audit with one more option neither uses the
// result of an audit without it, nor is changed by its own.
func TestEveryOptionHasItsResult(t *testing.T) {
	r := gittest.New(t)
	r.Rule("again", "---\nrepeated_command: {threshold: 1, window: 60}\n---\nStop.\n")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.jsonl"), []byte(oneCall), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(logs audit.Logs, cache audit.Cache) (string, bool) {
		read := false
		logs.Now, logs.Paths, logs.Progress = auditNow, []string{dir}, func(int, int) { read = true }
		rep, err := audit.Run(t.Context(), r.Open(), audit.Options{Cache: cache, Logs: logs})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(rep)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range rep.Sessions {
			verdicts, err := json.Marshal(s.Verdicts)
			if err != nil {
				t.Fatal(err)
			}
			text = append(text, verdicts...)
		}
		return string(text), read
	}
	cache := audit.Cache{Dir: filepath.Join(t.TempDir(), "audit"), Program: "test"}
	run(audit.Logs{}, cache)
	options := 0
	for i := range reflect.TypeFor[audit.Logs]().NumField() {
		var logs audit.Logs
		field := reflect.ValueOf(&logs).Elem().Field(i)
		if !field.CanSet() { // of a check
			continue
		}
		name := reflect.TypeFor[audit.Logs]().Field(i).Name
		switch value := field.Addr().Interface().(type) {
		case *bool:
			*value = true
		case *time.Time:
			*value = time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
		default:
			continue
		}
		if name == "Off" || name == "Coverage" || name == "Now" { // which read and keep nothing; no result is kept of what changes
			continue
		}
		options++
		want, _ := run(logs, audit.Cache{})
		for _, first := range []bool{true, false} {
			if got, read := run(logs, cache); got != want || read != first {
				t.Errorf("%s: read %v, want %v:\n%s\nwant\n%s", name, read, first, got, want)
			}
		}
	}
	if options < 6 {
		t.Errorf("%d options were set; want 6", options)
	}
}
