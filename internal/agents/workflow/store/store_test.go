package store_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// fixture is a store and the directory of its files.
type fixture struct {
	*store.Store

	t   testing.TB
	dir string
}

func newFixture(tb testing.TB) *fixture {
	tb.Helper()
	gitDir := tb.TempDir()
	return &fixture{store.New(gitDir), tb, filepath.Join(gitDir, "rulecheck", "sessions")}
}

func (s *fixture) path(name string) string { return filepath.Join(s.dir, name) }

func (s *fixture) read(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(s.path(name))
	s.must(err)
	return string(text)
}

// write replaces a file and sets the right permissions.
func (s *fixture) write(name, text string) {
	s.t.Helper()
	s.must(os.MkdirAll(s.dir, 0o700))
	s.must(os.RemoveAll(s.path(name)))
	s.must(os.WriteFile(s.path(name), []byte(text), 0o600))
}

// files returns the names of all files.
func (s *fixture) files() []string {
	s.t.Helper()
	entries, err := os.ReadDir(s.dir)
	s.must(err)
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func (s *fixture) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *fixture) equal(got, want any) {
	s.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		s.t.Error(diff)
	}
}

// refused asserts the code and words of an [store.Error].
func (s *fixture) refused(err error, code store.Code, words ...string) {
	s.t.Helper()
	refusal := (*store.Error)(nil)
	if !errors.As(err, &refusal) || refusal.Code != code {
		s.t.Fatalf("error %v; want %s", err, code)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			s.t.Errorf("error %q does not contain %q", err, w)
		}
	}
}

func (s *fixture) load(id string) store.Run {
	s.t.Helper()
	session, err := s.Load(s.t.Context(), id)
	s.must(err)
	return session
}

func (s *fixture) history(id string) []store.Record {
	s.t.Helper()
	records, err := s.History(s.t.Context(), id)
	s.must(err)
	return records
}

// start creates a run in phase 1.
func (s *fixture) start(target string) store.Run {
	s.t.Helper()
	session, _, err := s.Create(s.t.Context(), store.Start{
		Workflow: "spec", File: ".rulecheck/workflows/spec.yaml", Target: target, Phase: "1",
	}, noon)
	s.must(err)
	return session
}

// update records events a second after the last record.
func (s *fixture) update(id string, events ...store.Event) store.Run {
	s.t.Helper()
	call := store.Call{At: s.load(id).UpdatedAt.Add(time.Second)}
	out, err := s.Update(s.t.Context(), id, call, always(events...))
	s.must(err)
	return out.Run
}

func always(events ...store.Event) func(store.Run) ([]store.Event, error) {
	return func(store.Run) ([]store.Event, error) { return events, nil }
}

func completed(phase, to string) store.Event {
	return store.Event{Kind: store.EventCompleted, Phase: phase, To: to, Artifact: &store.Artifact{Phase: phase}}
}

func TestSessionIsKept(t *testing.T) {
	s := newFixture(t)
	first := s.start("src/f.py")
	want := store.Run{
		ID: first.ID, Revision: 1, Status: store.Open, Workflow: "spec", File: ".rulecheck/workflows/spec.yaml",
		Target: "src/f.py", Phase: "1", EnteredAt: noon, CreatedAt: noon, UpdatedAt: noon, Completed: []string{},
	}
	s.equal(first, want)
	s.equal(s.load(first.ID), want)

	evidence := map[string]any{"n": json.Number("3.0"), "big": json.Number("9007199254740993"), "text": "<ü>"}
	out, err := s.Update(t.Context(), first.ID, store.Call{At: noon.Add(time.Minute), Key: "k"}, func(own store.Run) ([]store.Event, error) {
		s.equal(own, want)
		own.Phase, own.Completed = "changed", append(own.Completed, "nothing")
		return []store.Event{
			{Kind: store.EventApproval, ID: "ok?", Decision: store.Requested},
			{Kind: store.EventWebhook, ID: "ci", Result: json.RawMessage(`{ "success": true }`)},
			{Kind: store.EventClaimed, Claims: map[string]bool{"spec_ready": true}},
			{Kind: store.EventCompleted, Phase: "1", To: "2", Artifact: &store.Artifact{Phase: "1", Evidence: evidence, Time: noon}},
			{Kind: store.EventApproval, ID: "go?", Decision: store.Requested},
		}, nil
	})
	s.must(err)
	later := noon.Add(time.Minute)
	want.Revision, want.Phase, want.EnteredAt, want.UpdatedAt = 2, "2", later, later
	want.Completed = []string{"1"}
	want.Artifacts = map[string]store.Artifact{"1": {Phase: "1", Evidence: evidence, Time: noon}}
	want.Claims = map[string]bool{"spec_ready": true}
	want.Approvals = map[string]store.Approval{"go?": {Decision: store.Requested, RequestedAt: later, At: later}}
	s.equal(out.Run, want)
	s.equal(s.load(first.ID), want)
	if got := s.load(first.ID); !got.HasCompleted("1") || got.HasCompleted("2") {
		t.Errorf("completed %v", got.Completed)
	}

	answered := s.update(first.ID,
		store.Event{Kind: store.EventApproval, ID: "go?", Decision: store.Approved},
		store.Event{Kind: store.EventWebhook, ID: "ci", Result: json.RawMessage(`{ "a": [1, 2] }`)})
	s.equal(answered.Approvals["go?"], store.Approval{Decision: store.Approved, RequestedAt: later, At: later.Add(time.Second)})
	s.equal(string(answered.Webhooks["ci"]), `{"a":[1,2]}`)

	again := s.update(first.ID, store.Event{Kind: store.EventMoved, Phase: "2", To: "1"}, completed("1", workflow.Done))
	s.equal(again.Completed, []string{"1"})
	s.equal(again.Status, store.Finished)
	s.equal(again.EnteredAt, again.UpdatedAt)
	s.equal(again.Approvals, map[string]store.Approval(nil))
	s.equal(again, s.load(first.ID))
	s.equal(len(s.history(first.ID)), 4)
	s.equal(s.files(), []string{first.ID + ".journal.jsonl", first.ID + ".json"})
}

func TestNothingIsRecorded(t *testing.T) {
	s := newFixture(t)
	id := s.start("").ID
	before := s.load(id)
	out, err := s.Update(t.Context(), id, store.Call{At: noon, Key: "k"}, always())
	s.must(err)
	s.equal(out, store.Outcome{Run: before})

	refusal := errors.New("refused")
	_, err = s.Update(t.Context(), id, store.Call{At: noon}, func(store.Run) ([]store.Event, error) {
		return []store.Event{completed("1", "2")}, refusal
	})
	s.equal(errors.Is(err, refusal), true)
	for _, c := range []struct {
		name   string
		events []store.Event
	}{
		{"another start", []store.Event{{Kind: store.EventStarted, Workflow: "w", To: "1"}}},
		{"no kind", []store.Event{{}}},
		{"unknown kind", []store.Event{{Kind: "lost"}}},
		{"from another phase", []store.Event{completed("2", "3")}},
		{"to nowhere", []store.Event{completed("1", "")}},
		{"completed without an artifact", []store.Event{{Kind: store.EventCompleted, Phase: "1", To: "2"}}},
		{"moved with an artifact", []store.Event{{Kind: store.EventMoved, Phase: "1", To: "2", Artifact: &store.Artifact{}}}},
		{"nameless approval", []store.Event{{Kind: store.EventApproval, Decision: store.Approved}}},
		{"undecided approval", []store.Event{{Kind: store.EventApproval, ID: "a", Decision: "maybe"}}},
		{"empty result", []store.Event{{Kind: store.EventWebhook, ID: "w"}}},
		{"result that is no JSON", []store.Event{{Kind: store.EventWebhook, ID: "w", Result: json.RawMessage("{")}}},
		{"the second is impossible", []store.Event{completed("1", "2"), completed("1", "2")}},
		{"after the end", []store.Event{{Kind: store.EventAborted}, completed("1", "2")}},
	} {
		if out, err := s.Update(t.Context(), id, store.Call{At: noon}, always(c.events...)); err == nil {
			t.Errorf("%s: recorded %v", c.name, out.Record)
		}
	}
	s.equal(s.load(id), before)
	s.equal(len(s.history(id)), 1)

	s.update(id, store.Event{Kind: store.EventAborted})
	_, err = s.Update(t.Context(), id, store.Call{At: noon}, always(completed("1", "2")))
	s.refused(err, store.Closed, "is aborted", "rulecheck workflow start spec")

	for _, start := range []store.Start{{Phase: "1"}, {Workflow: "w"}, {Workflow: "w\xff", Phase: "1"}, {Workflow: "w", Phase: "1", Target: "../x"}, {Workflow: "w", Phase: "1", Target: "/x"}, {Workflow: "w", Phase: "1", Target: "\xff"}} {
		if _, _, err := s.Create(t.Context(), start, noon); err == nil {
			t.Errorf("created %+v", start)
		}
	}
	s.equal(len(s.files()), 2)
}

func TestSameKeyIsRecordedOnce(t *testing.T) {
	s := newFixture(t)
	id := s.start("").ID
	s.update(id, store.Event{Kind: store.EventClaimed, Claims: map[string]bool{"x": false}})
	call := store.Call{At: noon.Add(time.Hour), Key: `the "key"`}
	first, err := s.Update(t.Context(), id, call, always(completed("1", "2")))
	s.must(err)
	s.equal(first.Repeated, false)
	s.update(id, completed("2", "3"))

	call.At = call.At.Add(time.Hour)
	second, err := s.Update(t.Context(), id, call, func(store.Run) ([]store.Event, error) {
		t.Error("decides again")
		return []store.Event{completed("3", "4")}, nil
	})
	s.must(err)
	s.equal(second.Repeated, true)
	s.equal(second.Record, first.Record)
	s.equal(second.Run.Phase, "3")
	s.equal(len(s.history(id)), 4)

	_, err = s.Update(t.Context(), id, store.Call{Key: "\xff"}, always(completed("3", "4")))
	s.refused(err, store.InvalidArgument, `"\xff"`)
	// The key also occurs in other fields, which do not count.
	s.update(id, store.Event{Kind: store.EventClaimed, Claims: map[string]bool{"other": true}})
	out, err := s.Update(t.Context(), id, store.Call{At: noon, Key: "other"}, always(completed("3", "4")))
	s.must(err)
	s.equal(out.Repeated, false)

	journal := s.read(id + ".journal.jsonl")
	altered := strings.Replace(journal, `"claims":{"other":`, `"clams":{ "other":`, 1)
	s.write(id+".journal.jsonl", strings.Replace(altered, "started", "restart", 1)) // of the same length
	_, err = s.Update(t.Context(), id, store.Call{At: noon, Key: "other"}, always())
	s.refused(err, store.Corrupt, "clams")
	_, err = s.History(t.Context(), id)
	s.refused(err, store.Corrupt, "the line of revision 1")
}

func TestCreateResumes(t *testing.T) {
	s := newFixture(t)
	first := s.start("f.py")
	moved := s.update(first.ID, completed("1", "2"))
	session, resumed, err := s.Create(t.Context(), store.Start{Workflow: "spec", File: ".rulecheck/workflows/spec.yaml", Target: "f.py", Phase: "1"}, noon.Add(time.Hour))
	s.must(err)
	s.equal(resumed, true)
	s.equal(session, moved)
	for _, start := range []store.Start{
		{Workflow: "spec", File: ".rulecheck/workflows/spec.yaml", Target: "g.py", Phase: "1"},
		{Workflow: "spec", File: ".rulecheck/workflows/spec.yaml", Phase: "1"},
		{Workflow: "spec", File: ".rulecheck/workflows/other.yaml", Target: "f.py", Phase: "1"},
	} {
		if _, resumed, err := s.Create(t.Context(), start, noon); resumed || err != nil {
			t.Errorf("%+v: resumed %v, %v", start, resumed, err)
		}
	}
	s.update(first.ID, store.Event{Kind: store.EventAborted})
	if again := s.start("f.py"); again.ID == first.ID || again.Phase != "1" {
		t.Errorf("an aborted session is resumed: %+v", again)
	}
}

// TestReadingWhileItIsWritten finds files that do not match and waits for the
// writer before it reports them.
func TestReadingWhileItIsWritten(t *testing.T) {
	s := newFixture(t)
	id := s.start("f").ID
	read := make(chan error)
	_, err := s.Update(t.Context(), id, store.Call{At: noon}, func(store.Run) ([]store.Event, error) {
		state := s.read(id + ".json")
		s.write(id+".json", "damaged")
		go func() {
			_, err := s.Load(t.Context(), id)
			read <- err
		}()
		select {
		case err := <-read:
			t.Errorf("did not wait: %v", err)
			go func() { read <- nil }()
		case <-time.After(50 * time.Millisecond): // time enough to look
		}
		s.write(id+".json", state)
		return nil, nil
	})
	s.must(err)
	s.must(<-read)
}

func TestCreateAtOnce(t *testing.T) {
	s := newFixture(t)
	var group sync.WaitGroup
	var created sync.Map
	for range 20 {
		group.Go(func() {
			session, resumed, err := s.Create(t.Context(), store.Start{Workflow: "w", Target: "f", Phase: "1"}, noon)
			if err != nil {
				t.Error(err)
			}
			if _, twice := created.LoadOrStore(resumed, session.ID); twice && !resumed {
				t.Error("created twice")
			}
		})
	}
	group.Wait()
	s.equal(len(s.files()), 2)
}

func TestCurrent(t *testing.T) {
	s := newFixture(t)
	_, err := s.Current(t.Context())
	s.refused(err, store.NoneOpen, "no workflow is running", "rulecheck workflow start")
	list, err := s.List(t.Context())
	s.must(err)
	s.equal(len(list), 0)

	a := s.start("a")
	b, _, err := s.Create(t.Context(), store.Start{Workflow: "spec", File: ".rulecheck/workflows/spec.yaml", Target: "b", Phase: "1"}, noon.Add(-time.Hour))
	s.must(err)
	_, err = s.Current(t.Context())
	s.refused(err, store.Ambiguous, "--session", a.ID+" (spec a, phase 1)", b.ID+" (spec b, phase 1)")
	list, err = s.List(t.Context())
	s.must(err)
	s.equal(list, []store.Run{b, a})

	a = s.update(a.ID, completed("1", workflow.Done))
	current, err := s.Current(t.Context())
	s.must(err)
	s.equal(current, b)

	s.write(b.ID+".json", "")
	_, err = s.Current(t.Context())
	s.refused(err, store.Corrupt, b.ID)
	list, err = s.List(t.Context())
	s.refused(err, store.Corrupt)
	s.equal(list, []store.Run{a})
}

func TestDelete(t *testing.T) {
	s := newFixture(t)
	kept, gone := s.start("kept"), s.start("gone")
	s.write(gone.ID+".json", "damaged")
	_, err := s.Recover(t.Context(), gone.ID)
	s.must(err)
	s.equal(len(s.files()), 5)
	s.must(s.Delete(t.Context(), gone.ID))
	s.equal(s.files(), []string{kept.ID + ".journal.jsonl", kept.ID + ".json"})
	err = s.Delete(t.Context(), gone.ID)
	s.refused(err, store.NotFound, gone.ID, "rulecheck workflow list")
	s.equal(errors.Is(err, fs.ErrNotExist), true)
}

func TestIDs(t *testing.T) {
	s := newFixture(t)
	s.start("")
	update := func(id string) error {
		_, err := s.Update(t.Context(), id, store.Call{}, always())
		return err
	}
	load := func(id string) error { _, err := s.Load(t.Context(), id); return err }
	history := func(id string) error { _, err := s.History(t.Context(), id); return err }
	recovery := func(id string) error { _, err := s.Recover(t.Context(), id); return err }
	remove := func(id string) error { return s.Delete(t.Context(), id) }
	for _, use := range []func(string) error{update, load, history, recovery, remove} {
		for _, id := range []string{"", ".", "..", "../../etc/passwd", "0123456789abcde", "0123456789abcdef0", "0123456789ABCDEF", "0123456789abcdef\n", "*"} {
			s.refused(use(id), store.InvalidArgument, "rulecheck workflow list")
		}
		s.refused(use("0123456789abcdef"), store.NotFound, "0123456789abcdef")
	}
	s.equal(len(s.files()), 2)
}

// TestPrune checks that only sessions that ended before the instant are deleted.
func TestPrune(t *testing.T) {
	s := newFixture(t)
	open, ended, recent := s.start("a"), s.start("b"), s.start("c")
	s.update(ended.ID, store.Event{Kind: store.EventAborted})
	_, err := s.Update(t.Context(), recent.ID, store.Call{At: noon.Add(time.Hour)}, func(store.Run) ([]store.Event, error) {
		return []store.Event{{Kind: store.EventAborted}}, nil
	})
	s.must(err)
	deleted, err := s.Prune(t.Context(), noon.Add(time.Minute))
	s.must(err)
	if len(deleted) != 1 || deleted[0].ID != ended.ID {
		t.Errorf("deleted %+v, want %s", deleted, ended.ID)
	}
	left, err := s.List(t.Context())
	s.must(err)
	if len(left) != 2 || left[0].ID == ended.ID || left[1].ID == ended.ID {
		t.Errorf("left %+v, want %s and %s", left, open.ID, recent.ID)
	}
}
