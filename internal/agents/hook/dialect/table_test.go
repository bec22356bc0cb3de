package dialect_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
)

// decisionOf returns a decision with short texts.
func decisionOf(v hook.Verdict) hook.Decision {
	d := hook.Decision{Verdict: v}
	switch v {
	case hook.Deny, hook.Ask, hook.Block:
		d.Reason = "R"
	case hook.Context:
		d.Context = "C"
	case hook.Allow:
	}
	return d
}

// TestTable compares every answer of every dialect, byte for byte. UPDATE=1 rewrites the
// goldens.
func TestTable(t *testing.T) {
	for _, d := range dialect.Dialects() {
		t.Run(d.Name, func(t *testing.T) {
			var answers strings.Builder
			for _, event := range d.Events {
				samples, err := filepath.Glob(filepath.Join("testdata", "payloads", d.Name, event.Name+".json"))
				if err != nil || len(samples) == 0 {
					t.Errorf("event %s has no sample; want testdata/payloads/%s/%s.json", event.Name, d.Name, event.Name)
				}
			}
			samples, err := filepath.Glob(filepath.Join("testdata", "payloads", d.Name, "*.json"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range samples {
				writeAnswers(t, &answers, d, file)
			}
			golden := filepath.Join("testdata", "answers", d.Name+".golden")
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(golden, []byte(answers.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatalf("%v; run: make update", err)
			}
			if diff := cmp.Diff(string(want), answers.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", golden, diff)
			}
		})
	}
}

// writeAnswers writes the event that a sample is and the answers to it.
func writeAnswers(t *testing.T, w *strings.Builder, d dialect.Dialect, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimSuffix(filepath.Base(file), ".json")
	event, _, variant := strings.Cut(name, "@")
	p := hook.ParsePayload(text)
	if !p.Whole {
		t.Fatalf("%s: not a JSON object", file)
	}
	if got := dialect.Of(p, d.Name); got.Name != d.Name {
		t.Errorf("%s is taken for %s", file, got.Name)
	}
	e := d.Event(p, event)
	for _, row := range d.Events {
		if row.Name == event && (e.Kind != row.Kind || e.Session == "") {
			t.Errorf("%s: read as %q in session %q; want %q and a session", file, e.Kind, e.Session, row.Kind)
		}
	}
	if variant && e.Kind == hook.Other {
		t.Errorf("%s: its event is not known", file)
	}
	fmt.Fprintf(w, "== %s: %s", name, e.Kind)
	if e.Kind == hook.BeforeTool || e.Kind == hook.AfterTool {
		fmt.Fprintf(w, " %s %s command=%q paths=%q mcp=%s/%s status=%s", e.Call.Name, e.Call.Kind, e.Call.Command, e.Call.Paths, e.Server, e.Tool, e.Call.Status)
	}
	fmt.Fprintln(w)
	for _, v := range hook.Verdicts() {
		writeAnswer(w, string(v), d.Answer(e, decisionOf(v)))
	}
	writeAnswer(w, "notice", d.Answer(e, hook.Decision{Verdict: hook.Allow, Notice: "N"}))
	writeAnswer(w, "fault, allowed", d.Fault(e, "F", false))
	writeAnswer(w, "fault, blocked", d.Fault(e, "F", true))
}

func writeAnswer(w *strings.Builder, of string, a hook.Answer) {
	fmt.Fprintf(w, "%s: %d", of, a.Status)
	if a.Stdout != "" {
		fmt.Fprintf(w, " stdout %s", strings.TrimSuffix(a.Stdout, "\n"))
	}
	if a.Stderr != "" {
		fmt.Fprintf(w, " stderr %q", a.Stderr)
	}
	fmt.Fprintln(w)
}
