package agentlog_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	neutral "github.com/rulecheck/rulecheck/internal/agents/agentlog/events"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestEventsLaw writes the sessions of random archives of every generator as
// rulecheck.events/v1 and reads them again: sessions and counts remain.
func TestEventsLaw(t *testing.T) {
	dir := t.TempDir()
	generators := map[string]func(w *archive){
		"copilot":  func(w *archive) { w.copilot() },
		"opencode": func(w *archive) { w.openCode(dir) },
	}
	lawtest.Check(t, func(t *rapid.T) {
		w := drawArchive(t)
		for _, name := range []string{"copilot", "opencode"} {
			if w.chance(name, 3) {
				w.now = w.now.Add(time.Hour)
				generators[name](w)
				w.inputs = []string{"."}
			}
		}
		fsys := fstest.MapFS{}
		for name, text := range w.files {
			fsys[name] = &fstest.MapFile{Data: text}
		}
		var inputs []agentlog.Input
		for _, name := range w.inputs {
			inputs = append(inputs, agentlog.Input{FS: fsys, Path: name})
		}
		remains(t, inputs)
	})
}

// TestEventsOfSamples does the same with the samples of every reader.
func TestEventsOfSamples(t *testing.T) {
	samples, err := filepath.Glob(filepath.Join("testdata", "*", "*", "*"))
	if err != nil || len(samples) < len(agentlog.Readers()) {
		t.Fatal(samples, err)
	}
	for _, sample := range samples {
		if filepath.Base(sample) != "expected.json" && !strings.HasPrefix(sample, filepath.Join("testdata", "fuzz")) {
			t.Run(sample, func(t *testing.T) { remains(t, []agentlog.Input{{Path: sample}}) })
		}
	}
}

// remains checks that the sessions of logs are the same after they were written and read.
func remains(t rapid.TB, inputs []agentlog.Input) {
	o := agentlog.Options{Jobs: 2, PhaseSignals: []agentlog.PhaseSignal{{Tool: "mcp__workflow__advance", Field: "to"}}}
	want, before, err := agentlog.Load(context.Background(), inputs, o)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	w := neutral.NewWriter(&text)
	for i := range want {
		if err := w.Session(&want[i]); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range before.Diagnostics {
		if err := w.Diagnostic(d); err != nil {
			t.Fatal(err)
		}
	}
	validate(t, text.Bytes())
	fsys := fstest.MapFS{"all.ndjson": {Data: text.Bytes()}, "copy.ndjson": {Data: text.Bytes()}}
	again := fstest.MapFS{"again.ndjson": {Data: deliveredAgain(text.Bytes())}}
	if got, _, err := agentlog.Load(context.Background(), []agentlog.Input{{FS: again, Path: "."}}, o); err != nil {
		t.Fatal(err)
	} else if diff := gocmp.Diff(counted(want), counted(got)); diff != "" {
		t.Fatalf("delivered again: counts\n%s\n%s", diff, again["again.ndjson"].Data)
	}
	for _, path := range []string{"all.ndjson", "."} {
		got, after, err := agentlog.Load(context.Background(), []agentlog.Input{{FS: fsys, Path: path}}, o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(counted(want), counted(got)); diff != "" {
			t.Fatalf("%s: counts\n%s\n%s", path, diff, text.String())
		}
		if path == "." {
			continue // of a copy, the diagnostics are reported twice
		}
		if len(want)+len(before.Diagnostics) == 0 {
			return
		}
		if diff := gocmp.Diff(bare(want), bare(got), cmpopts.EquateEmpty(), cmpopts.IgnoreTypes(fact.Place{}, session.Source{})); diff != "" {
			t.Fatalf("%s: sessions\n%s\n%s", path, diff, text.String())
		}
		if diff := gocmp.Diff(before.Diagnostics, after.Diagnostics, cmpopts.EquateEmpty(), cmpopts.IgnoreTypes(fact.Place{})); diff != "" {
			t.Fatalf("%s: %s", path, diff)
		}
	}
}

// deliveredAgain returns the rows of events, those with ids twice, and calls with an end before it, too, as
// running.
func deliveredAgain(text []byte) []byte {
	var all []byte
	for line := range bytes.Lines(text) {
		var row map[string]any
		if err := json.Unmarshal(line, &row); err != nil {
			panic(err)
		}
		id, _ := row["id"].(string)
		if row["type"] == "call" && id != "" {
			running := maps.Clone(row)
			running["status"] = "running"
			delete(running, "end")
			delete(running, "exit_code")
			all = append(all, jsonLines([]logRow{running})...)
		}
		all = append(all, line...)
		if row["type"] == "call" && id != "" || row["type"] == "tokens" || row["type"] == "prompt" {
			all = append(all, line...)
		}
	}
	return all
}

// bare returns sessions without what names a log, in the same order.
func bare(sessions []session.Session) []session.Session {
	sessions = slices.Clone(sessions)
	for i := range sessions {
		s := &sessions[i]
		s.Prompts, s.Tokens, s.Calls = slices.Clone(s.Prompts), slices.Clone(s.Tokens), slices.Clone(s.Calls)
		for j := range s.Calls { // an id that a model used again has a number
			s.Calls[j].ID, _, _ = strings.Cut(s.Calls[j].ID, "#")
		}
		s.Compactions, s.Interrupts = slices.Clone(s.Compactions), slices.Clone(s.Interrupts)
		for _, list := range [][]session.Incident{s.Compactions, s.Interrupts} {
			for j := range list {
				list[j].ID = ""
			}
		}
		for j := range s.Prompts {
			s.Prompts[j].ID = ""
		}
		for j := range s.Tokens {
			s.Tokens[j].CallID = ""
		}
	}
	slices.SortFunc(sessions, func(a, b session.Session) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Agent, b.Agent), a.Start.Compare(b.Start))
	})
	return sessions
}

// counted returns what rules count in all visits of sessions.
func counted(sessions []session.Session) []string {
	var counts []string
	for i := range sessions {
		s := &sessions[i]
		for _, v := range s.Visits() {
			for quantity, measure := range quantities {
				r := s.Audit(v, measure)
				phase := ""
				if v.Phase != nil {
					phase = v.Phase.Name
				}
				counts = append(counts, strings.Join([]string{s.ID, s.Agent, phase, v.Start.String(), quantity, strconv.FormatInt(r.Count, 10), r.Incomplete}, " "))
			}
		}
	}
	slices.Sort(counts)
	return counts
}

var eventsSchema = sync.OnceValue(func() *jsonschema.Schema {
	source, err := json.Marshal(neutral.JSONSchema())
	if err != nil {
		panic(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(source))
	if err != nil {
		panic(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("events.json", doc); err != nil {
		panic(err)
	}
	return compiler.MustCompile("events.json")
})

// validate checks each line against the schema of the format.
func validate(t rapid.TB, text []byte) {
	for line := range bytes.Lines(text) {
		row, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		if err := eventsSchema().Validate(row); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
}
