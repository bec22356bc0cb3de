package store_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// anyEvents generates events that may be impossible in a run.
func anyEvents(phase string) *rapid.Generator[[]store.Event] {
	name := rapid.SampledFrom([]string{"a", "b", "ü", ""})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) store.Event {
		to := rapid.SampledFrom([]string{"1", "2", "3", phase, workflow.Done}).Draw(t, "to")
		switch rapid.IntRange(0, 20).Draw(t, "kind") {
		case 0:
			return store.Event{Kind: store.EventAborted}
		case 1, 2, 3, 4:
			return store.Event{Kind: store.EventMoved, Phase: phase, To: to}
		case 5, 6, 7:
			return store.Event{Kind: store.EventApproval, ID: name.Draw(t, "id"), Decision: store.Approved}
		case 8, 9, 10:
			result := json.RawMessage(rapid.SampledFrom([]string{`{"success": true}`, "[1.0, 1e400]", `"<&>"`, "null"}).Draw(t, "result"))
			return store.Event{Kind: store.EventWebhook, ID: name.Draw(t, "id"), Result: result}
		case 11, 12, 13:
			return store.Event{Kind: store.EventClaimed, Claims: map[string]bool{name.Draw(t, "claim"): rapid.Bool().Draw(t, "value")}}
		default:
			evidence := map[string]any{name.Draw(t, "field"): rapid.SampledFrom([]any{nil, 1, 0.1, "x\xff", []any{}, map[string]any{"b": true, "a": []any{1.5}}}).Draw(t, "value")}
			return store.Event{Kind: store.EventCompleted, Phase: phase, To: to, Artifact: &store.Artifact{Evidence: evidence}}
		}
	}), 0, 3)
}

// TestStateIsItsJournal truncates the journals of random histories.
func TestStateIsItsJournal(t *testing.T) {
	lawtest.Check(t, func(r *rapid.T) {
		s := newFixture(t)
		id := s.start("f").ID
		stages := []store.Run{{}, s.load(id)} // by revision
		journals := []string{"", s.read(id + ".journal.jsonl")}
		for n := range rapid.IntRange(0, 6).Draw(r, "updates") {
			before := stages[len(stages)-1]
			call := store.Call{At: noon.Add(time.Duration(n) * time.Minute), Key: rapid.SampledFrom([]string{"", "k", "l"}).Draw(r, "key")}
			events := anyEvents(before.Phase).Draw(r, "events")
			out, err := s.Update(t.Context(), id, call, always(events...))
			after := s.load(id)
			switch {
			case err != nil || out.Repeated || len(events) == 0:
				s.equal(after, before)
			default:
				s.equal(after, out.Run)
				s.equal(after.Revision, before.Revision+1)
				stages = append(stages, after)
				journals = append(journals, s.read(id+".journal.jsonl"))
			}
		}
		last := len(stages) - 1
		whole, state := journals[last], s.read(id+".json")
		s.equal(len(s.history(id)), last)
		s.must(os.Remove(s.path(id + ".json")))
		s.equal(s.load(id), stages[last])

		cut := rapid.IntRange(0, len(whole)).Draw(r, "cut")
		proven := strings.Count(whole[:cut], "\n")
		s.write(id+".journal.jsonl", whole[:cut])
		if rapid.Bool().Draw(r, "with the state file") {
			s.write(id+".json", state)
			if _, err := s.Load(t.Context(), id); (err == nil) != (proven == last) {
				r.Fatalf("%d of %d lines: %v", proven, last, err)
			}
		}
		recovery := s.recovered(id)
		if proven == 0 {
			s.equal(recovery.Run, (*store.Run)(nil))
			return
		}
		s.equal(*recovery.Run, stages[proven])
		s.equal(s.load(id), stages[proven])
		s.equal(s.read(id+".journal.jsonl"), journals[proven])
		s.equal(len(s.history(id)), proven)
		if t.Failed() {
			r.FailNow()
		}
	})
}

// damageable returns a run of three records, with its files.
func damageable(tb testing.TB) (s *fixture, want store.Run, state, journal string) {
	tb.Helper()
	s = newFixture(tb)
	id := s.start("f").ID
	s.update(id, completed("1", "2"))
	want = s.update(id, completed("2", "3"))
	return s, want, s.read(id + ".json"), s.read(id + ".journal.jsonl")
}

// FuzzState reads any state file: it is rejected, or the run is unchanged.
func FuzzState(f *testing.F) {
	s, want, state, _ := damageable(f)
	for _, text := range []string{state, state + " ", "", "{}", "[]", "null", `{"version":9}`, state[:len(state)/2], strings.Replace(state, `"3"`, `"4"`, 1), strings.ReplaceAll(state, "1", "-1")} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s.t = t
		s.write(want.ID+".json", text)
		got, err := s.Load(t.Context(), want.ID)
		if refusal := (*store.Error)(nil); err != nil && !errors.As(err, &refusal) {
			t.Fatalf("%T %v", err, err)
		}
		if err == nil {
			s.equal(got, want)
		}
	})
}

// FuzzJournal recovers from any journal, up to its first altered line.
func FuzzJournal(f *testing.F) {
	s, was, state, journal := damageable(f)
	lines := strings.SplitAfter(journal, "\n")
	for _, text := range []string{journal, "", "\n", "{}\n", "null\n", lines[0] + lines[2], lines[0] + lines[1][:9], lines[0] + lines[0], strings.Replace(journal, "1", "2", 1), `{"version":9}` + "\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s.t = t
		id := was.ID
		s.write(id+".json", state)
		s.write(id+".journal.jsonl", text)
		proven := uint64(0)
		for rest := text; int(proven) < 3 && strings.HasPrefix(rest, lines[proven]); proven++ {
			rest = rest[len(lines[proven]):]
		}
		if got, err := s.Load(t.Context(), id); err == nil {
			s.equal(got, was)
		}
		all, err := s.Recover(t.Context(), id)
		refusal := (*store.Error)(nil)
		switch {
		case errors.As(err, &refusal) && refusal.Code == store.Foreign:
			s.equal(s.read(id+".journal.jsonl"), text)
		case err != nil:
			t.Fatal(err)
		case proven == 0:
			s.equal(all[0].Run, (*store.Run)(nil))
		default:
			s.equal(all[0].Run.Revision, proven)
			s.equal(s.load(id), *all[0].Run)
		}
		s.must(s.Delete(t.Context(), id))
	})
}
