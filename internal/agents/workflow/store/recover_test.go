package store_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
)

// recovered recovers one run and asserts that a second recovery finds nothing.
func (s *fixture) recovered(id string) store.Recovery {
	s.t.Helper()
	all, err := s.Recover(s.t.Context(), id)
	s.must(err)
	again, err := s.Recover(s.t.Context())
	s.must(err)
	for _, r := range again {
		if r.ID == id && len(r.Notes) > 0 {
			s.t.Errorf("recovers again: %q", r.Notes)
		}
	}
	return all[0]
}

// noted asserts the notes of a recovery.
func (s *fixture) noted(r store.Recovery, words ...string) {
	s.t.Helper()
	if len(r.Notes) != len(words) {
		s.t.Errorf("notes %q; want %q", r.Notes, words)
		return
	}
	for i, w := range words {
		if !strings.Contains(r.Notes[i], w) {
			s.t.Errorf("note %q; want %q", r.Notes[i], w)
		}
	}
}

// TestEveryInstant interrupts an update after any of the bytes that it writes.
func TestEveryInstant(t *testing.T) {
	s := newFixture(t)
	id := s.start("f").ID
	before := s.update(id, completed("1", "2"))
	oldState, oldJournal := s.read(id+".json"), s.read(id+".journal.jsonl")
	after := s.update(id, completed("2", "3"))
	newState, newJournal := s.read(id+".json"), s.read(id+".journal.jsonl")

	// Every seventh byte is enough, with the first and the last ones.
	instants := []int{len(newJournal) - 1, len(newJournal)}
	for n := len(oldJournal); n < len(newJournal)-1; n += 7 {
		instants = append(instants, n)
	}
	for _, n := range instants {
		s.write(id+".journal.jsonl", newJournal[:n])
		s.write(id+".json", oldState)
		s.write("42.unfinished", newState[:min(n, len(newState))])
		want, notes := before, []string(nil)
		switch n {
		case len(oldJournal):
		case len(newJournal):
			want, notes = after, []string{"older than the journal", "rebuilt the state from the journal: phase 3, 2 completed"}
		default:
			notes = []string{fmt.Sprintf("removed %d bytes", n-len(oldJournal))}
		}
		s.equal(s.load(id), want)
		s.equal(len(s.history(id)), int(want.Revision))

		r := s.recovered(id)
		s.equal(*r.Run, want)
		s.noted(r, notes...)
		s.equal(s.load(id), want)

		// The next update does not need a recovery.
		s.write(id+".journal.jsonl", newJournal[:n])
		s.write(id+".json", oldState)
		if n < len(newJournal) {
			s.equal(s.update(id, completed("2", "3")), after)
			s.equal(s.read(id+".journal.jsonl"), newJournal)
		} else {
			s.update(id, completed("3", "4"))
		}
		s.noted(s.recovered(id))
	}
	s.equal(s.files(), []string{id + ".journal.jsonl", id + ".json"})
}

// TestBeginningIsInterrupted creates a journal without a state file.
func TestBeginningIsInterrupted(t *testing.T) {
	s := newFixture(t)
	want := s.start("f")
	s.must(os.Remove(s.path(want.ID + ".json")))
	s.write("1.unfinished", "{")
	s.equal(s.load(want.ID), want)
	s.equal(s.start("f"), want)
	s.equal(s.files(), []string{want.ID + ".journal.jsonl"})
	s.noted(s.recovered(want.ID), "older than the journal", "rebuilt")
	s.equal(s.load(want.ID), want)
}

// TestDamage changes the files in ways that the store never does. Each is an error
// with the next step, and recovery keeps the changed files.
func TestDamage(t *testing.T) {
	alter := func(name, old, replacement string) func(*fixture, string) {
		return func(s *fixture, id string) {
			text := s.read(id + name)
			if !strings.Contains(text, old) {
				s.t.Fatalf("%s has no %s:\n%s", name, old, text)
			}
			s.write(id+name, strings.Replace(text, old, replacement, 1))
		}
	}
	put := func(name, text string) func(*fixture, string) {
		return func(s *fixture, id string) { s.write(id+name, text) }
	}
	link := func(name string) func(*fixture, string) {
		return func(s *fixture, id string) {
			s.must(os.Rename(s.path(id+name), s.path("elsewhere")))
			s.must(os.Symlink(s.path("elsewhere"), s.path(id+name)))
		}
	}
	const state, journal = ".json", ".journal.jsonl"
	for _, c := range []struct {
		name   string
		damage func(*fixture, string)
		code   store.Code
		says   string
		phase  string // after recovery; empty: the session was removed
		notes  []string
	}{
		{"empty state", put(state, ""), store.Corrupt, "it is empty", "3", []string{"damaged: it is empty", "kept as", "phase 3"}},
		{"no JSON", put(state, "{"), store.Corrupt, "unexpected", "3", []string{"damaged", "kept as", "phase 3"}},
		{"no version", put(state, "{}"), store.Corrupt, "no version", "3", []string{"damaged", "kept as", "phase 3"}},
		{"more after the state", func(s *fixture, id string) { s.write(id+state, s.read(id+state)+"{}") }, store.Corrupt, "after", "3", []string{"damaged", "kept as", "phase 3"}},
		{"nothing in the state", put(state, `{"version":1,"journal":0,"session":{}}`), store.Corrupt, "belongs to another session", "3", []string{"damaged", "kept as", "phase 3"}},
		{"unknown field", alter(state, `"journal"`, `"x":1,"journal"`), store.Corrupt, "unknown field", "3", []string{"unknown field", "kept as", "phase 3"}},
		{"phase put forward", alter(state, `"phase":"3"`, `"phase":"5"`), store.Inconsistent, "another state", "3", []string{"does not confirm it", "kept as", "phase 3"}},
		{"phase put back", alter(state, `"phase":"3"`, `"phase":"2"`), store.Inconsistent, "another state", "3", []string{"does not confirm it", "kept as", "phase 3"}},
		{"wrong revision", alter(state, `"revision":3`, `"revision":2`), store.Inconsistent, "another state", "3", []string{"does not confirm it", "kept as", "phase 3"}},
		{"wrong place", alter(state, `"journal":`, `"journal":1`), store.Inconsistent, "ends before revision 3", "3", []string{"older than the journal", "phase 3"}},
		{"place within a line", alter(state, `"journal":`, `"journal":7,"journal":`), "", "", "3", nil},
		{"place of another line", func(s *fixture, id string) {
			start := strings.Index(s.read(id+state), `"journal":`)
			end := strings.Index(s.read(id+state), `,"session"`)
			alter(state, s.read(id + state)[start:end], `"journal":5`)(s, id)
		}, store.Inconsistent, "the journal's line of revision 3", "3", []string{"older than the journal", "phase 3"}},
		{"state is a link", link(state), store.Corrupt, "not a regular file", "3", []string{"not a regular file", "kept as", "phase 3"}},
		{"state is a directory", func(s *fixture, id string) {
			s.must(os.Remove(s.path(id + state)))
			s.must(os.Mkdir(s.path(id+state), 0o700))
		}, store.Corrupt, "not a regular file", "3", []string{"not a regular file", "kept as", "phase 3"}},
		{"state open to others", func(s *fixture, id string) { s.must(os.Chmod(s.path(id+state), 0o644)) }, store.Corrupt, "permissions 0644; want 0600", "3", []string{"0644", "kept as", "phase 3"}},
		{"journal open to others", func(s *fixture, id string) { s.must(os.Chmod(s.path(id+journal), 0o620)) }, store.Corrupt, "permissions 0620; want 0600", "3", []string{"0620"}},
		{"the journal is missing", func(s *fixture, id string) { s.must(os.Remove(s.path(id + journal))) }, store.Inconsistent, "the journal is missing", "", []string{"unusable", "the session has no valid records", "kept as"}},
		{"empty journal", put(journal, ""), store.Inconsistent, "ends before revision 3", "", []string{"the session has no valid records", "kept as", "kept as"}},
		{"journal is a link", link(journal), store.Corrupt, "not a regular file", "", []string{"unusable: it is not a regular file", "the session has no valid records", "kept as", "kept as"}},
		{"first line altered", alter(journal, `"target":"f"`, `"target":"g"`), "", "", "", []string{"revision 1: it or an earlier line was altered", "the session has no valid records", "kept as", "kept as"}},
		{"second line altered", alter(journal, `"to":"2"`, `"to":"3"`), "", "", "1", []string{"revision 2: it or an earlier line was altered", "kept as", "does not confirm it", "kept as", "phase 1, 0 completed"}},
		{"second line lost", func(s *fixture, id string) {
			lines := strings.SplitAfter(s.read(id+journal), "\n")
			s.write(id+journal, lines[0]+lines[2])
		}, store.Inconsistent, "ends before revision 3", "1", []string{"revision 2: it has revision 3", "kept as", "does not confirm it", "kept as", "phase 1"}},
		{"second line twice", func(s *fixture, id string) {
			lines := strings.SplitAfter(s.read(id+journal), "\n")
			s.write(id+journal, lines[0]+lines[1]+lines[1]+lines[2])
		}, store.Inconsistent, "the journal records another state", "2", []string{"revision 3: it has revision 2", "kept as", "does not confirm it", "kept as", "phase 2"}},
		{"last line lost", func(s *fixture, id string) {
			lines := strings.SplitAfter(s.read(id+journal), "\n")
			s.write(id+journal, lines[0]+lines[1])
		}, store.Inconsistent, "ends before revision 3", "2", []string{"does not confirm it", "kept as", "phase 2"}},
		{"a line made up", func(s *fixture, id string) { s.write(id+journal, s.read(id+journal)+"{}\n") }, store.Corrupt, "revision 4: it has no version", "3", []string{"revision 4: it has no version", "kept as"}},
		{"a line of nothing", func(s *fixture, id string) { s.write(id+journal, s.read(id+journal)+"\n") }, store.Corrupt, "revision 4", "3", []string{"revision 4", "kept as"}},
		{"a line without events", func(s *fixture, id string) {
			s.write(id+journal, s.read(id+journal)+`{"version":1,"revision":4,"events":[]}`+"\n")
		}, store.Corrupt, "no events", "3", []string{"no events", "kept as"}},
		{"both lost", func(s *fixture, id string) { s.write(id+state, ""); s.write(id+journal, "") }, store.Corrupt, "it is empty", "", []string{"the session has no valid records", "kept as", "kept as"}},
		{"no state and an empty journal", func(s *fixture, id string) {
			s.must(os.Remove(s.path(id + state)))
			s.write(id+journal, "")
		}, store.Corrupt, "it has no records", "", []string{"the session has no valid records", "kept as"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && (strings.Contains(c.name, "others") || strings.Contains(c.name, "link")) {
				t.Skip("Windows has neither")
			}
			s := newFixture(t)
			id := s.start("f").ID
			s.update(id, completed("1", "2"))
			was := s.update(id, completed("2", "3"))
			other := s.start("another")
			c.damage(s, id)
			_, err := s.Load(t.Context(), id)
			if c.code != "" {
				s.refused(err, c.code, c.says, id, "run: rulecheck workflow recover --session "+id)
				_, err = s.Update(t.Context(), id, store.Call{}, always(completed("3", "4")))
				s.refused(err, c.code)
				_, err = s.History(t.Context(), id)
				s.refused(err, c.code)
				_, _, err = s.Create(t.Context(), store.Start{Workflow: "spec", File: ".rulecheck/workflows/spec.yaml", Target: "f", Phase: "1"}, noon)
				s.refused(err, c.code)
			} else {
				s.must(err) // the last line matches: only a full replay finds the damage
			}
			r := s.recovered(id)
			s.noted(r, c.notes...)
			s.equal(r.ID, id)
			if r.Run == nil {
				s.equal(c.phase, "")
				_, err := s.Load(t.Context(), id)
				s.refused(err, store.NotFound)
			} else {
				s.equal(r.Run.Phase, c.phase)
				s.equal(s.load(id), *r.Run)
				s.equal(len(s.history(id)), int(r.Run.Revision))
				if c.phase == "3" {
					s.equal(*r.Run, was)
				}
				s.update(id, completed(c.phase, "x"))
			}
			s.equal(s.load(other.ID), other)
		})
	}
}

// TestForgery changes a journal and its sums, so that its events do not lead to the
// recorded state.
func TestForgery(t *testing.T) {
	s := newFixture(t)
	id := s.start("f").ID
	var r store.Record
	s.must(json.Unmarshal([]byte(s.read(id+".journal.jsonl")), &r))
	r.Events[0].Target, r.Sum = "g", ""
	text, err := json.Marshal(r)
	s.must(err)
	r.Sum = fmt.Sprintf("%x", sha256.Sum256(text))
	text, err = json.Marshal(r)
	s.must(err)
	s.write(id+".journal.jsonl", string(text)+"\n")
	s.must(os.Remove(s.path(id + ".json")))
	_, err = s.Load(t.Context(), id)
	s.refused(err, store.Corrupt, "its events do not lead to the recorded state")
	recovery := s.recovered(id)
	s.noted(recovery, "do not lead to the recorded state", "the session has no valid records", "kept as")
	s.equal(recovery.Run, (*store.Run)(nil))
}

// TestDamageOfOthers creates a run next to damaged ones: only those that it might
// resume are errors.
func TestDamageOfOthers(t *testing.T) {
	s := newFixture(t)
	id := s.start("f").ID
	s.write(id+".json", "damaged")
	create := func(target string) error {
		_, _, err := s.Create(t.Context(), store.Start{Workflow: "spec", File: ".rulecheck/workflows/spec.yaml", Target: target, Phase: "1"}, noon)
		return err
	}
	s.refused(create("f"), store.Corrupt, id)
	s.must(create("g"))
	s.write(id+".journal.jsonl", "damaged\n")
	s.refused(create("h"), store.Corrupt, id)
	s.must(os.Remove(s.path(id + ".journal.jsonl")))
	s.refused(create("h"), store.Corrupt, id)
	s.recovered(id)
	s.must(create("f"))
}

// TestForeignVersion checks that runs of other versions are not changed.
func TestForeignVersion(t *testing.T) {
	s := newFixture(t)
	id := s.start("f").ID
	state, journal := s.read(id+".json"), s.read(id+".journal.jsonl")
	foreign := func(text string) string { return strings.Replace(text, `"version":2`, `"version":3,"new":0`, 1) }
	for _, files := range [][2]string{{foreign(state), foreign(journal)}, {"damaged", foreign(journal)}, {"", foreign(journal)}, {state, journal + foreign(`{"version":2}`+"\n")}} {
		s.write(id+".json", files[0])
		s.write(id+".journal.jsonl", files[1])
		_, err := s.Load(t.Context(), id)
		if files[0] == foreign(state) {
			s.refused(err, store.Foreign, "another version of rulecheck", "version 3; want 2")
		}
		_, err = s.Recover(t.Context())
		s.refused(err, store.Foreign, "another version of rulecheck", id)
		s.equal([2]string{s.read(id + ".json"), s.read(id + ".journal.jsonl")}, files)
	}
	// A state without its journal is worth nothing.
	s.write(id+".json", foreign(state))
	s.write(id+".journal.jsonl", journal)
	_, err := s.Load(t.Context(), id)
	s.refused(err, store.Foreign, "version 3; want 2", "run: rulecheck workflow recover")
	s.noted(s.recovered(id), "version 3; want 2", "kept as", "rebuilt")
	s.equal(s.read(id+".json"), state)
}

// TestPutAsideTwice checks that files set aside earlier are kept.
func TestPutAsideTwice(t *testing.T) {
	s := newFixture(t)
	id := s.start("f").ID
	for _, text := range []string{"one", "two"} {
		s.write(id+".json", text)
		s.recovered(id)
	}
	s.equal([]string{s.read(id + ".json.kept-1"), s.read(id + ".json.kept-2")}, []string{"one", "two"})
}

func TestDirectory(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has other permissions")
	}
	s := newFixture(t)
	id := s.start("f").ID
	for name, want := range map[string]fs.FileMode{".": 0o700, id + ".json": 0o600, id + ".journal.jsonl": 0o600, "../sessions.lock": 0o600, "..": 0o700} {
		info, err := os.Stat(s.path(name))
		s.must(err)
		s.equal(info.Mode().Perm(), want)
	}
	// On a file system without permissions every file is accessible.
	for _, name := range []string{".", id + ".json", id + ".journal.jsonl"} {
		s.must(os.Chmod(s.path(name), 0o777))
	}
	s.load(id)
	// On other file systems every write makes the directory private.
	_, err := s.Update(t.Context(), id, store.Call{}, always())
	s.refused(err, store.Corrupt, "permissions 0777; want 0600")
	info, err := os.Stat(s.dir)
	s.must(err)
	s.equal(info.Mode().Perm(), fs.FileMode(0o700))

	other := newFixture(t)
	s.must(os.MkdirAll(filepath.Dir(other.dir), 0o700))
	s.must(os.Symlink(s.dir, other.dir))
	_, _, err = other.Create(t.Context(), store.Start{Workflow: "w", Phase: "1"}, noon)
	s.refused(err, store.Corrupt, "not a directory")
}

func TestCancelled(t *testing.T) {
	s := newFixture(t)
	id := s.start("f").ID
	before := s.load(id)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.Update(ctx, id, store.Call{At: noon}, func(store.Run) ([]store.Event, error) {
		blocked, stop := context.WithCancel(t.Context())
		stop()
		_, err := s.Update(blocked, id, store.Call{}, always())
		s.equal(errors.Is(err, context.Canceled), true)
		cancel()
		return []store.Event{completed("1", "2")}, nil
	})
	s.equal(errors.Is(err, context.Canceled), true)
	s.equal(s.load(id), before)
	s.equal(len(s.files()), 2)
}

// TestFormat reads committed files of this version. If it fails because Run or
// Event changed, the version must change too.
func TestFormat(t *testing.T) {
	const version = "testdata/version-1"
	read := func() (*fixture, string, error) {
		s := newFixture(t)
		entries, err := os.ReadDir(version)
		s.must(err)
		for _, e := range entries {
			text, err := os.ReadFile(filepath.Join(version, e.Name()))
			s.must(err)
			s.write(e.Name(), string(text))
		}
		id, _, _ := strings.Cut(entries[0].Name(), ".")
		_, err = s.Load(t.Context(), id)
		return s, id, err
	}
	s, id, err := read()
	if err != nil && os.Getenv("UPDATE") != "" {
		written := newFixture(t)
		its := written.start("src/f.py").ID
		artifact := store.NewArtifact("1", map[string]any{"n": 21, "text": "<ü>"}, []string{"n"}, []string{"make"}, noon)
		written.update(its, store.Event{Kind: store.EventClaimed, Claims: map[string]bool{"ready": false}})
		written.update(its,
			store.Event{Kind: store.EventCompleted, Phase: "1", To: "2", Artifact: &artifact},
			store.Event{Kind: store.EventApproval, ID: "ok?", Decision: store.Requested})
		written.update(its, store.Event{Kind: store.EventWebhook, ID: "ci", Result: json.RawMessage(`{"success":true}`)})
		s.must(os.RemoveAll(version))
		s.must(os.CopyFS(version, os.DirFS(written.dir)))
		s, id, err = read()
	}
	s.must(err)
	want := s.load(id)
	s.equal(want.Revision, uint64(4))
	s.must(os.Remove(s.path(id + ".json")))
	s.equal(s.load(id), want)
}
