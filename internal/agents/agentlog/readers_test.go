package agentlog_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// expectation describes the logs of a sample.
type expectation struct {
	// Origin is where a public or recorded sample is from, and what was cut. Its figures are those of scripts/samples.py.
	Origin        *struct{ From, License string } `json:"origin"`
	Untimed       bool                            `json:"untimed"`        // no event, or not every one, has a time
	UnknownTokens []string                        `json:"unknown_tokens"` // the parts that the log does not state
	PhaseSignal   *struct {
		Tool, Field string
	} `json:"phase_signal"`
	Sessions []struct {
		ID        string `json:"id"`
		Cwd       string `json:"cwd"`
		GitBranch string `json:"git_branch"`
		Prompts   int    `json:"user_prompts"`
		Tokens    sums   `json:"tokens"`
		Commands  []struct {
			At        string `json:"ts"`
			Command   string `json:"command"`
			ID        string `json:"tool_call_id"`
			Status    string `json:"status"`
			ExitCode  *int   `json:"exit_code"`
			Sidechain bool   `json:"sidechain"`
			Made      []session.Made
		} `json:"commands"`
		Edits []struct {
			At     string `json:"ts"`
			Path   string `json:"path"`
			ID     string `json:"tool_call_id"`
			Status string `json:"status"`
		} `json:"edits"`
		Phases []struct {
			Phase    string  `json:"phase"`
			Start    string  `json:"start"`
			End      string  `json:"end"`
			Duration float64 `json:"duration_s"`
			Tokens   sums    `json:"tokens"`
		} `json:"phases"`
		Others []struct {
			Tool  string `json:"tool"`
			Count int    `json:"count"`
		} `json:"other_tool_calls"`
	} `json:"sessions"`
	Diagnostics struct {
		Lines   int      `json:"unparseable_lines"`
		Unknown []string `json:"unknown_types"`
		Tokens  int      `json:"wrong_tokens"`
	} `json:"parser_diagnostics"`
}

// sums holds token counts summed over calls.
type sums struct {
	Input      int64 `json:"input"`
	Output     int64 `json:"output"`
	CacheRead  int64 `json:"cache_read"`
	CacheWrite int64 `json:"cache_write"`
	Calls      int   `json:"api_calls"`
}

func sum(t *testing.T, tokens []session.Tokens, unknown ...string) sums {
	t.Helper()
	s := sums{Calls: len(tokens)}
	for _, call := range tokens {
		for _, part := range []struct {
			name string
			to   *int64
			from *int64
		}{{"input", &s.Input, call.Input}, {"output", &s.Output, call.Output}, {"cache_read", &s.CacheRead, call.CacheRead}, {"cache_write", &s.CacheWrite, call.CacheWrite}} {
			if (part.from == nil) != slices.Contains(unknown, part.name) {
				t.Errorf("%s:%d: %s of %s: unknown is %t", call.File, call.Line, part.name, call.CallID, part.from == nil)
			}
			if part.from != nil {
				*part.to += *part.from
			}
		}
	}
	return s
}

func instant(t *testing.T, text string) time.Time {
	t.Helper()
	if text == "" {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at.UTC()
}

func load(t *testing.T, o agentlog.Options, paths ...string) ([]session.Session, agentlog.Summary) {
	t.Helper()
	inputs := make([]agentlog.Input, len(paths))
	for i, p := range paths {
		inputs[i].Path = p
	}
	sessions, summary, err := agentlog.Load(t.Context(), inputs, o)
	if err != nil {
		t.Fatal(err)
	}
	return sessions, summary
}

// TestReaders reads the samples of every reader. A reader without a sample fails, and so
// does a sample without its expectation or in another format.
func TestReaders(t *testing.T) {
	for _, reader := range agentlog.Readers() {
		t.Run(reader, func(t *testing.T) {
			samples, err := filepath.Glob(filepath.Join("testdata", reader, "*"))
			if err != nil || len(samples) == 0 {
				t.Fatalf("testdata/%s has no sample (%v); want a directory with a log and expected.json", reader, err)
			}
			for _, sample := range samples {
				t.Run(filepath.Base(sample), func(t *testing.T) { readSample(t, reader, sample) })
			}
		})
	}
}

// TestSources wants a row for the package of each reader, and in its comment the page or the
// versions that it was read from.
func TestSources(t *testing.T) {
	files, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]bool{"record": true} // which reads no format
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		comment, _, _ := strings.Cut(string(text), "\npackage ")
		sources[filepath.Dir(file)] = sources[filepath.Dir(file)] || strings.Contains(comment, "\n// Source: ")
	}
	table, err := os.ReadFile("readers.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, named := range sources {
		if name != "record" && !strings.Contains(string(table), "agentlog/"+name+`"`) {
			t.Errorf("no row of readers in readers.go is package %s; want {%s.Reader, …}", name, name)
		}
		if !named {
			t.Errorf("package %s does not name its source; want a line of its comment that begins with Source:, with an address and a version", name)
		}
	}
}

// TestSamplesHaveReaders fails for the samples of a reader that does not exist.
func TestSamplesHaveReaders(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	known := append(agentlog.Readers(), "fuzz", "s1", "recorded") // crashers, a conformance case of several readers, and rows of databases
	for _, e := range entries {
		if e.IsDir() && !slices.Contains(known, e.Name()) {
			t.Errorf("testdata/%s belongs to no reader; want one of %q", e.Name(), agentlog.Readers())
		}
	}
}

func readSample(t *testing.T, reader, sample string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(sample, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want expectation
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if o := want.Origin; o != nil && (o.From == "" || o.License == "") {
		t.Errorf("%s: origin is %+v; want from and license", sample, *o)
	}
	var o agentlog.Options
	if want.PhaseSignal != nil {
		o.PhaseSignals = []agentlog.PhaseSignal{{Tool: want.PhaseSignal.Tool, Field: want.PhaseSignal.Field}}
	}
	sessions, summary := load(t, o, logsOf(t, sample)...)
	if len(summary.Diagnostics) > 0 {
		t.Errorf("unexpected %v", summary.Diagnostics)
	}
	claimed := func(s session.Session) bool {
		return slices.ContainsFunc(s.Sources, func(from session.Source) bool { return from.Reader == reader })
	}
	if !slices.ContainsFunc(sessions, claimed) {
		t.Errorf("reader %s claims no file of %s", reader, sample)
	}
	holds(t, sessions, want)
}

// logsOf returns the logs of a sample: everything but its expectation.
func logsOf(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var logs []string
	for _, e := range entries {
		if e.Name() != "expected.json" {
			logs = append(logs, filepath.Join(dir, e.Name()))
		}
	}
	return logs
}

func holds(t *testing.T, sessions []session.Session, want expectation) {
	t.Helper()
	if len(sessions) != len(want.Sessions) {
		t.Fatalf("got %d sessions, want %d", len(sessions), len(want.Sessions))
	}
	damaged, wrong := 0, 0
	var unknown []string
	for i, w := range want.Sessions {
		s := sessions[i]
		if s.ID != w.ID || s.Cwd != w.Cwd || s.GitBranch != w.GitBranch || len(s.Prompts) != w.Prompts {
			t.Errorf("got session %s in %s on %s with %d prompts, want %s, %s, %s, %d",
				s.ID, s.Cwd, s.GitBranch, len(s.Prompts), w.ID, w.Cwd, w.GitBranch, w.Prompts)
		}
		if diff := cmp.Diff(w.Tokens, sum(t, s.Tokens, want.UnknownTokens...)); diff != "" {
			t.Errorf("tokens:\n%s", diff)
		}
		var commands, edits []session.ToolCall
		others := map[string]int{}
		for _, c := range s.Calls {
			if c.File == "" || c.Line == 0 {
				t.Errorf("call %s has no place", c.ID)
			}
			c.End, c.Place = time.Time{}, fact.Place{}
			switch c.Kind {
			case fact.Command:
				c.Name = ""
				commands = append(commands, c)
			case fact.FileEdit:
				for _, p := range c.Paths {
					edits = append(edits, session.ToolCall{ID: c.ID, At: c.At, Paths: []string{p}, Status: c.Status})
				}
			default:
				others[c.Name]++
			}
		}
		var wantCommands, wantEdits []session.ToolCall
		for _, c := range w.Commands {
			wantCommands = append(wantCommands, session.ToolCall{
				ID: c.ID, Kind: fact.Command, At: instant(t, c.At), Command: c.Command,
				Status: fact.Status(c.Status), ExitCode: c.ExitCode, Sidechain: c.Sidechain, Made: c.Made,
			})
		}
		for _, e := range w.Edits {
			wantEdits = append(wantEdits, session.ToolCall{ID: e.ID, At: instant(t, e.At), Paths: []string{e.Path}, Status: fact.Status(e.Status)})
		}
		if diff := cmp.Diff(wantCommands, commands); diff != "" {
			t.Errorf("commands:\n%s", diff)
		}
		if diff := cmp.Diff(wantEdits, edits); diff != "" {
			t.Errorf("edits:\n%s", diff)
		}
		for _, o := range w.Others {
			if others[o.Tool] != o.Count {
				t.Errorf("got %d calls of %s, want %d", others[o.Tool], o.Tool, o.Count)
			}
		}
		if visits := s.Visits(); len(w.Phases) > 0 {
			for j, p := range w.Phases {
				v := visits[j]
				if v.Phase.Name != p.Phase || !v.Start.Equal(instant(t, p.Start)) || !v.End.Equal(instant(t, p.End)) || v.End.Sub(v.Start).Seconds() != p.Duration {
					t.Errorf("got visit %s from %s to %s, want %+v", v.Phase.Name, v.Start, v.End, p)
				}
				used := v.Tokens
				if v.Phase.Totals != nil {
					used = []session.Tokens{{TokenCount: *v.Phase.Totals}}
					p.Tokens.Calls = 1
				}
				if diff := cmp.Diff(p.Tokens, sum(t, used)); diff != "" {
					t.Errorf("tokens of %s:\n%s", p.Phase, diff)
				}
			}
		}
		for _, d := range s.Diagnostics {
			switch d.Code {
			case fact.Damaged, fact.Unended:
				damaged += d.Count
			case fact.UnknownType:
				unknown = append(unknown, d.Message)
			case fact.WrongTokens:
				wrong += d.Count
			case fact.NoTime:
				if !want.Untimed {
					t.Errorf("unexpected %+v", d)
				}
			default:
				t.Errorf("unexpected %+v", d)
			}
		}
	}
	if damaged != want.Diagnostics.Lines || wrong != want.Diagnostics.Tokens || len(unknown) != len(want.Diagnostics.Unknown) {
		t.Errorf("got %d damaged lines, %d wrong tokens and %q, want %+v", damaged, wrong, unknown, want.Diagnostics)
	}
}
