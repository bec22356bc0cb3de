package agentlog_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// cases runs each line of a file as a case.
func cases[C any](t *testing.T, name string, run func(*testing.T, C)) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var id struct{ ID string }
		var c C
		if err := json.Unmarshal(line, &id); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("%s: %v", id.ID, err)
		}
		t.Run(id.ID, func(t *testing.T) { run(t, c) })
	}
}

// loadFiles reads files with the given texts.
func loadFiles(t *testing.T, files map[string]string) []session.Session {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	sessions, _, err := agentlog.Load(t.Context(), []agentlog.Input{{FS: fsys, Path: "."}}, agentlog.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	return sessions
}

type ingestCase struct {
	Input struct {
		Hooks       []string            `json:"hooks.jsonl"`  //nolint:tagliatelle // the cases name files
		States      []string            `json:"states.jsonl"` //nolint:tagliatelle // the cases name files
		Transcripts map[string][]string `json:"transcripts"`
		Timestamp   string              `json:"timestamp"`
		Start       string              `json:"start"`
		End         *string             `json:"end"`
		Path        string              `json:"path"`
	} `json:"input"`
	Expect struct {
		Recommended struct {
			Commands    []string `json:"commands"`
			Edits       []string `json:"edits"`
			Tools       []string `json:"tools"`
			Start       string   `json:"session_start"`
			End         string   `json:"session_end"`
			Events      int      `json:"total_events"`
			Transitions int      `json:"transitions"`
			Phases      []string `json:"phases"`
			PerVisit    []struct {
				Phase         string
				Turns         int
				Input, Output int64
			} `json:"per_visit"`
			Totals *struct {
				Input, Output int64
				CacheCreation int64 `json:"cache_creation"`
				CacheRead     int64 `json:"cache_read"`
				Turns         int
			} `json:"totals"`
			InRange *bool  `json:"in_range"`
			Slug    string `json:"slug"`
		} `json:"recommended"`
	} `json:"expect"`
}

func TestIngest(t *testing.T) {
	cases(t, "ingest.jsonl", func(t *testing.T, c ingestCase) {
		t.Helper()
		want := c.Expect.Recommended
		switch {
		case want.InRange != nil:
			inRange(t, c)
			return
		case want.Slug != "":
			if got := profile.ClaudeFolder(c.Input.Path); got != want.Slug {
				t.Errorf("got %q, want %q", got, want.Slug)
			}
			return
		}
		files := map[string]string{}
		if c.Input.Hooks != nil {
			files["state/hooks.jsonl"] = strings.Join(c.Input.Hooks, "\n")
		}
		if c.Input.States != nil {
			files["state/states.jsonl"] = strings.Join(c.Input.States, "\n")
		}
		for name, rows := range c.Input.Transcripts {
			files["transcripts/"+name] = strings.Join(rows, "\n")
		}
		sessions := loadFiles(t, files)
		if len(sessions) != 1 {
			t.Fatalf("got %d sessions", len(sessions))
		}
		s := sessions[0]
		var commands, edits, tools []string
		for _, call := range s.Calls {
			if call.Status != fact.OK {
				continue
			}
			switch call.Kind {
			case fact.Command:
				commands = append(commands, call.Command)
			case fact.FileEdit:
				edits, tools = append(edits, call.Paths...), append(tools, call.Name)
			default:
			}
		}
		if diff := cmp.Diff([][]string{want.Commands, want.Edits, want.Tools}, [][]string{commands, edits, tools}, nilIsEmpty); diff != "" {
			t.Error(diff)
		}
		if want.Start != "" && (!s.Start.Equal(instant(t, want.Start)) || !s.End.Equal(instant(t, want.End))) {
			t.Errorf("got %s to %s", s.Start, s.End)
		}
		if want.Events != 0 && s.Sources[0].Rows != want.Events {
			t.Errorf("got %d rows", s.Sources[0].Rows)
		}
		if want.Transitions != len(s.Phases) && want.PerVisit == nil {
			t.Errorf("got %d transitions, want %d", len(s.Phases), want.Transitions)
		}
		for i, name := range want.Phases {
			if s.Phases[i].Name != name {
				t.Errorf("got phase %q, want %q", s.Phases[i].Name, name)
			}
		}
		for i, w := range want.PerVisit {
			v := s.Visits()[i]
			got := sum(t, v.Tokens)
			if v.Phase.Name != w.Phase || got.Calls != w.Turns || got.Input != w.Input || got.Output != w.Output {
				t.Errorf("got %s with %+v, want %+v", v.Phase.Name, got, w)
			}
		}
		if w := want.Totals; w != nil {
			if diff := cmp.Diff(sums{w.Input, w.Output, w.CacheRead, w.CacheCreation, w.Turns}, sum(t, s.Tokens)); diff != "" {
				t.Error(diff)
			}
		}
	})
}

var nilIsEmpty = cmp.Transformer("nil", func(s []string) string { return strings.Join(s, "\n") })

func inRange(t *testing.T, c ingestCase) {
	t.Helper()
	at := instant(t, c.Input.Timestamp)
	s := session.Session{
		Start:  at,
		End:    at,
		Phases: []session.Phase{{Name: "code", Start: instant(t, c.Input.Start)}},
		Calls:  []session.ToolCall{{At: at}},
	}
	if c.Input.End != nil {
		s.Phases[0].End = instant(t, *c.Input.End)
	}
	if got := len(s.Visits()[0].Calls) == 1; got != *c.Expect.Recommended.InRange {
		t.Errorf("got %v", got)
	}
}

type archiveCase struct {
	Files  map[string]json.RawMessage `json:"archive_files"`
	ID     string                     `json:"workflow_id"`
	Expect struct {
		Recommended struct {
			Valid   *bool  `json:"valid"`
			Warning string `json:"warning"`
		} `json:"recommended"`
	} `json:"expect"`
}

func TestArchiveCases(t *testing.T) {
	cases(t, "archive.jsonl", func(t *testing.T, c archiveCase) {
		t.Helper()
		if valid := c.Expect.Recommended.Valid; valid != nil {
			sessions := loadFiles(t, map[string]string{"a.json": `{"workflow_id":"` + c.ID + `","phases":[]}`})
			if got := count(sessions[0], fact.WrongType) == 0; got != *valid {
				t.Errorf("got valid %v", got)
			}
			return
		}
		for name, document := range c.Files {
			s := loadFiles(t, map[string]string{"archive/" + name: string(document)})[0]
			if got := count(s, fact.Misnamed); (got > 0) != (c.Expect.Recommended.Warning != "") {
				t.Errorf("got %d warnings", got)
			}
			archived(t, document, s)
		}
	})
}

func count(s session.Session, code fact.Code) int {
	n := 0
	for _, d := range s.Diagnostics {
		if d.Code == code {
			n += d.Count
		}
	}
	return n
}

// archived compares a session with the archive it was read from.
func archived(t *testing.T, document []byte, s session.Session) {
	t.Helper()
	var want struct {
		Mode   string
		Phases []struct {
			Name   string    `json:"phase_name"`
			Start  time.Time `json:"start_time"`
			End    time.Time `json:"end_time"`
			Tokens struct{ Input, Output int64 }
			Bash   []struct{ Count int } `json:"bash_commands"`
			Files  []struct{ Count int } `json:"file_modifications"`
		}
	}
	if err := json.Unmarshal(document, &want); err != nil {
		t.Fatal(err)
	}
	visits := s.Visits()
	if len(s.Phases) == 0 {
		visits = nil // a session without phases is a visit
	}
	if len(visits) != len(want.Phases) {
		t.Fatalf("got %d visits, want %d", len(visits), len(want.Phases))
	}
	for i, w := range want.Phases {
		v := visits[i]
		calls := 0
		for _, group := range append(w.Bash, w.Files...) {
			calls += group.Count
		}
		if v.Phase.Name != w.Name || v.Phase.Workflow != want.Mode || !v.Start.Equal(w.Start) || !v.Phase.End.Equal(w.End) ||
			*v.Phase.Totals.Input != w.Tokens.Input || *v.Phase.Totals.Output != w.Tokens.Output || len(v.Calls) != calls ||
			v.Phase.Terminal != (w.Name == "done" || w.Name == "aborted") {
			t.Errorf("got %+v with %d calls, want %+v", *v.Phase, len(v.Calls), w)
		}
	}
}

type adapterCase struct {
	Adapter string            `json:"adapter"`
	Inputs  []json.RawMessage `json:"inputs"`
	Expect  json.RawMessage   `json:"expect"`
}

type adapted struct {
	Event   string   `json:"event_type"`
	Tool    string   `json:"tool_name"`
	Command string   `json:"command"`
	Cwd     string   `json:"cwd"`
	Input   *int64   `json:"input"`
	Cached  *int64   `json:"cached_input"`
	Output  *int64   `json:"output"`
	Kind    string   `json:"kind"`
	Paths   []string `json:"paths"`
}

func TestAdapters(t *testing.T) {
	cases(t, "adapters.jsonl", func(t *testing.T, c adapterCase) {
		t.Helper()
		if c.Adapter == "cursor" { // payloads without a time, which are no log: see package dialect
			return
		}
		var want []*adapted
		if json.Unmarshal(c.Expect, &want) != nil {
			var profiles struct{ Recommended []*adapted }
			if err := json.Unmarshal(c.Expect, &profiles); err != nil {
				t.Fatal(err)
			}
			want = profiles.Recommended
		}
		var rows strings.Builder
		for _, row := range c.Inputs {
			rows.WriteString(string(row) + "\n")
		}
		sessions := loadFiles(t, map[string]string{"log.jsonl": rows.String()})
		if len(sessions) != 1 {
			t.Fatalf("got %+v", sessions)
		}
		s := sessions[0]
		nameless := want[0] != nil && want[0].Event == "PostToolUseFailure" && want[0].Tool == ""
		if got := count(s, fact.WrongType) == 1; got != nameless {
			t.Errorf("got %+v", s.Diagnostics)
		}
		calls := s.Calls
		tokens := slices.DeleteFunc(s.Tokens, func(t session.Tokens) bool { return t.Output == nil }) // of an answer without a counter
		for _, w := range want {
			switch {
			case w == nil:
			case w.Input != nil:
				got := tokens[0]
				tokens = tokens[1:]
				if *got.Input+*got.CacheRead != *w.Input || *got.CacheRead != *w.Cached || *got.Output != *w.Output {
					t.Errorf("got %+v, want %+v", got, w)
				}
			case w.Kind == "edit" || w.Kind == "command" || w.Tool != "":
				got := calls[0]
				calls = calls[1:]
				if got.Command != w.Command || w.Tool != "" && got.Name != w.Tool || s.Cwd != w.Cwd || !cmp.Equal(got.Paths, w.Paths, nilIsEmpty) {
					t.Errorf("got %+v, want %+v", got, w)
				}
			}
		}
		if len(calls)+len(tokens) > 0 {
			t.Errorf("unexpected %+v, %+v", calls, tokens)
		}
	})
}
