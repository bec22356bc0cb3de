package agentlog_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// checkSessions compares the counts of sessions with a model: write adds a random session to
// the logs of an archive, and knows what happened.
func checkSessions(t *testing.T, write func(w *archive)) {
	t.Helper()
	checkArchives(t, func(w *archive) bool {
		for range rapid.IntRange(1, 3).Draw(w.t, "sessions") {
			w.now = w.now.Add(time.Hour)
			write(w)
		}
		return false
	})
}

// checkShipped does the same, with logs as programs that collect them write them: see [archive.ship].
func checkShipped(t *testing.T, write func(w *archive)) {
	t.Helper()
	checkArchives(t, func(w *archive) bool {
		for range rapid.IntRange(1, 3).Draw(w.t, "sessions") {
			w.now = w.now.Add(time.Hour)
			write(w)
		}
		together := w.ship(w.names())
		stopped := len(w.growing) > 0 && !w.harmless && w.chance("stopped", 2)
		if stopped {
			w.growing = nil
		}
		return (together || stopped) && !w.harmless
	})
}

// ship writes logs as programs that collect logs do: some lines are delivered again, several logs are in
// one file, and the last line may not be written yet. It reports whether logs were put together, so that
// what one of them lost may be of any.
func (w *archive) ship(names []string) (together bool) {
	names = slices.DeleteFunc(names, func(name string) bool {
		return len(w.files[name]) == 0 || !strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".bak.jsonl")
	})
	for _, name := range names {
		if w.chance("delivered again", 3) {
			w.files[name] = w.again(w.files[name])
		}
	}
	if len(names) > 1 && w.chance("together", 2) {
		together = true
		var all []byte
		for _, name := range rapid.Permutation(names).Draw(w.t, "order") {
			all = append(all, w.files[name]...)
			if !w.chance("apart, too", 3) {
				delete(w.files, name)
			}
		}
		dir := names[0][:strings.LastIndex(names[0], "/")]
		name := dir + "/all.jsonl"
		if w.files[name] != nil {
			name = dir + "/" + w.id("all") + ".jsonl"
		}
		w.files[name] = all
		names = []string{name}
	}
	for _, name := range names {
		if text, ok := w.files[name]; ok && w.chance("still written", 4) {
			row := text[:bytes.IndexByte(text, '\n')]
			w.files[name] = append(slices.Clone(text), row[:rapid.IntRange(1, len(row)-1).Draw(w.t, "written")]...)
			w.growing = append(w.growing, name)
		}
	}
	return together
}

// again repeats some lines after others.
func (w *archive) again(text []byte) []byte {
	rows := slices.Collect(bytes.Lines(text))
	from := rapid.IntRange(0, len(rows)-1).Draw(w.t, "from")
	to := rapid.IntRange(from+1, len(rows)).Draw(w.t, "to")
	return bytes.Join(slices.Concat(rows[:to], rows[from:to], rows[to:]), nil)
}

// checkArchives does the same with the sessions that fill adds; damaged is true if a loss may
// concern any of them.
func checkArchives(t *testing.T, fill func(w *archive) (damaged bool)) {
	t.Helper()
	lawtest.Check(t, func(t *rapid.T) {
		w := newArchive(t)
		w.harmless = w.chance("harmless", 2)
		if problems := w.storedProblems(t, fill(w)); len(problems) > 0 {
			for _, name := range w.names() {
				if utf8.Valid(w.files[name]) { // not a database
					t.Logf("%s:\n%s", name, w.files[name])
				}
			}
			t.Fatal(strings.Join(problems, "\n"))
		}
	})
}

// storedProblems loads the archive and returns what is wrong with its sessions: a count is
// right, or reported as unknown. With damaged pages, a loss may concern any session.
func (w *archive) storedProblems(t rapid.TB, damaged bool) (problems []string) {
	sessions, summary, err := agentlog.Load(context.Background(), []agentlog.Input{{FS: w.system(), Path: "."}}, agentlog.Options{Jobs: 2, Now: lawNow})
	if err != nil {
		t.Fatal(err)
	}
	isLoss := func(d fact.Diagnostic) bool { return d.Loss }
	if !damaged && slices.ContainsFunc(summary.Diagnostics, isLoss) {
		problems = append(problems, fmt.Sprint("unexpected ", summary.Diagnostics))
	}
	if !damaged && len(sessions) != len(w.accounts) {
		problems = append(problems, fmt.Sprintf("%d sessions; want %d", len(sessions), len(w.accounts)))
	}
	for _, of := range w.accounts {
		i := slices.IndexFunc(sessions, func(s session.Session) bool { return slices.Contains(of.ids, s.ID) })
		if i < 0 {
			if !of.empty() && !slices.ContainsFunc(summary.Diagnostics, isLoss) {
				problems = append(problems, fmt.Sprintf("session %q is missing, and nothing reports a loss", of.ids))
			}
			continue
		}
		s := &sessions[i]
		loss := slices.ContainsFunc(s.Diagnostics, isLoss)
		for _, name := range of.mentions {
			if !loss || !damaged && !strings.Contains(fmt.Sprint(s.Diagnostics), name) {
				problems = append(problems, fmt.Sprintf("session %q: no diagnostic mentions %q: %v", of.ids, name, s.Diagnostics))
			}
		}
		if len(s.Visits()) == 0 {
			if !loss {
				problems = append(problems, fmt.Sprintf("session %q has no visit, and nothing reports a loss", of.ids))
			}
			continue
		}
		for quantity, measure := range quantities {
			r := s.Audit(s.Visits()[0], measure)
			problem := of.visits[wholeSession].problem(quantity, r.Count, r.Incomplete, of)
			if problem != "" && (!damaged || r.Incomplete == "") {
				problems = append(problems, fmt.Sprintf("session %q: %s: %s", of.ids, quantity, problem))
			}
		}
	}
	return problems
}
