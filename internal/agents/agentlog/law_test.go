package agentlog_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// quantities lists the counts of a visit that rules use. Each kind of tokens counts alone.
var quantities = map[string]session.Measure{
	"commands":    {Of: session.Commands, Matching: regexp.MustCompile("")},
	"edits":       {Of: session.Edits, Matching: regexp.MustCompile("")},
	"seconds":     {Of: session.Seconds},
	"input":       {Of: session.TokenSum, Parts: []string{"input"}},
	"output":      {Of: session.TokenSum, Parts: []string{"output"}},
	"cache_read":  {Of: session.TokenSum, Parts: []string{"cache_read"}},
	"cache_write": {Of: session.TokenSum, Parts: []string{"cache_write"}},
}

var tokenParts = []string{"input", "output", "cache_read", "cache_write"}

// TestCountsLaw compares the counts of sessions with a model that writes random archives
// and knows what happened. A count is right, or its session reports that it could not be
// known; of an archive without damage, each count is right. LAW_ARCHIVES is the number of
// archives.
func TestCountsLaw(t *testing.T) {
	lawtest.CheckN(t, lawtest.Cases(t, "LAW_ARCHIVES", 400), func(t *rapid.T) {
		w := drawArchive(t)
		problems := w.problems(t)
		if len(problems) == 0 {
			return
		}
		for _, name := range w.names() {
			if !strings.HasSuffix(name, ".gz") {
				t.Logf("%s:\n%s", name, w.files[name])
			}
		}
		t.Fatalf("inputs %q: %s", w.inputs, strings.Join(problems, "\n"))
	})
}

// problems loads the archive and returns what is wrong with the sessions.
func (w *archive) problems(t rapid.TB) []string {
	fsys := w.system()
	var inputs []agentlog.Input
	for _, name := range w.inputs {
		inputs = append(inputs, agentlog.Input{FS: fsys, Path: name})
	}
	sessions, summary, err := agentlog.Load(context.Background(), inputs, agentlog.Options{Jobs: 2, Now: lawNow})
	if err != nil {
		t.Fatal(err)
	}
	c := &comparison{archive: w, sessions: sessions, summary: summary}
	c.compare()
	return c.problems
}

// comparison compares sessions with the archive that they were read from.
type comparison struct {
	*archive

	sessions []session.Session
	summary  agentlog.Summary
	problems []string
}

func (c *comparison) errorf(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

// compare compares all sessions with what the archive holds.
func (c *comparison) compare() {
	sessions, summary := c.sessions, c.summary
	loss := slices.ContainsFunc(summary.Diagnostics, func(d fact.Diagnostic) bool { return d.Loss })
	for i := range sessions { // a session whose id was lost is of no account
		of := func(a *account) bool { return slices.Contains(a.ids, sessions[i].ID) }
		if !slices.ContainsFunc(c.accounts, of) {
			loss = loss || slices.ContainsFunc(sessions[i].Diagnostics, func(d fact.Diagnostic) bool { return d.Loss })
		}
	}
	used := make([]bool, len(sessions))
	for _, of := range c.accounts {
		counts, found := map[string]int64{}, false
		reasons, said := map[string]string{}, strings.Builder{}
		for i := range sessions {
			s := &sessions[i]
			if !slices.Contains(of.ids, s.ID) {
				continue
			}
			used[i], found = true, true
			for _, d := range s.Diagnostics {
				said.WriteString(d.String() + "\n")
			}
			for _, v := range s.Visits() {
				for quantity, measure := range quantities {
					key := quantity + " of " + visitKey(v)
					r := s.Audit(v, measure)
					counts[key] += r.Count
					reasons[key] += r.Incomplete
				}
			}
		}
		if !found {
			if !loss && !of.empty() {
				c.errorf("session %q is missing, and nothing reports a loss", of.ids)
			}
			continue
		}
		for _, name := range of.mentions {
			if !strings.Contains(said.String(), name) {
				c.errorf("session %q: no diagnostic mentions %q:\n%s", of.ids, name, said.String())
			}
		}
		for visit, want := range of.visits {
			for quantity := range quantities {
				key := quantity + " of " + visit
				reason, ok := reasons[key]
				if !ok && !of.unknown[quantity] {
					c.errorf("session %q has no visit %q; want one", of.ids, visit)
					break
				}
				if loss && reason == "" && (of.unknown[quantity] || want.unknown[quantity]) {
					continue // the loss of a file concerns every session
				}
				if problem := want.problem(quantity, counts[key], reason, of); problem != "" && (ok || !loss) {
					c.errorf("session %q: %s: %s", of.ids, key, problem)
				}
			}
		}
		for key, n := range counts {
			quantity, visit, _ := strings.Cut(key, " of ")
			if of.visits[visit] == nil && n != 0 && reasons[key] == "" && (!loss || !of.unknown[quantity]) {
				c.errorf("session %q: %s is %d; want no such visit", of.ids, key, n)
			}
		}
	}
	for i := range sessions {
		s := &sessions[i]
		if !used[i] && len(s.Calls)+len(s.Tokens) > 0 {
			c.errorf("session %q with %d calls and %d tokens; want no such session", s.ID, len(s.Calls), len(s.Tokens))
		}
	}
	c.compareForeign()
}

// compareForeign wants a diagnostic for each file that no reader knows.
func (c *comparison) compareForeign() {
	diagnostics := slices.Clone(c.summary.Diagnostics)
	for i := range c.sessions {
		diagnostics = append(diagnostics, c.sessions[i].Diagnostics...)
	}
	for _, name := range c.foreign {
		if !slices.ContainsFunc(diagnostics, func(d fact.Diagnostic) bool {
			return d.Loss && (d.File == name || strings.Contains(d.Message, name[strings.LastIndex(name, "/")+1:]))
		}) {
			c.errorf("no diagnostic reports the loss of %s: %v", name, diagnostics)
		}
	}
}

func visitKey(v session.Visit) string {
	if v.Phase == nil {
		return wholeSession
	}
	return phaseKey(v.Phase.Name, v.Start)
}

func phaseKey(name string, start time.Time) string {
	return name + " from " + start.UTC().Format(time.RFC3339)
}

// wholeSession is the key of the only visit of a session without phases.
const wholeSession = "the session"

// account holds what happened in a session.
type account struct {
	ids      []string // the session has one of these ids
	visits   map[string]*visitAccount
	unknown  map[string]bool // quantities that were partly lost or never recorded
	mentions []string        // texts that diagnostics hold
	// mayBeUnknown is true if the log may be read in part, such as copied rows of another
	// session that hold something unknown.
	mayBeUnknown bool
}

func (u *account) lose(quantities ...string) {
	for _, q := range quantities {
		u.unknown[q] = true
	}
}

func (u *account) loseAll() {
	u.lose("commands", "edits", "seconds")
	u.lose(tokenParts...)
}

func (u *account) empty() bool {
	for _, v := range u.visits {
		for _, n := range v.counts {
			if n != 0 {
				return false
			}
		}
	}
	return true
}

// visitAccount holds what happened in a visit.
type visitAccount struct {
	counts     map[string]int64
	unknown    map[string]bool
	start, end time.Time
}

func newVisitAccount() *visitAccount {
	return &visitAccount{counts: map[string]int64{}, unknown: map[string]bool{}}
}

// saw extends the visit to a time.
func (v *visitAccount) saw(at time.Time) {
	if v.start.IsZero() || at.Before(v.start) {
		v.start = at
	}
	if at.After(v.end) {
		v.end = at
	}
}

// problem returns what is wrong with a count, and "" if it is right.
func (v *visitAccount) problem(quantity string, got int64, reason string, of *account) string {
	want := v.counts[quantity]
	if quantity == "seconds" {
		want = int64(v.end.Sub(v.start) / time.Second)
	}
	unknown := of.unknown[quantity] || v.unknown[quantity]
	switch {
	case (unknown || of.mayBeUnknown) && reason != "":
		return ""
	case unknown && quantity == "seconds" && got == want: // a lost row in the middle changes no span
		return ""
	case unknown:
		return fmt.Sprintf("got %d (known: %d) without a reason; want the report that it is unknown", got, want)
	case reason != "":
		return fmt.Sprintf("got %d, incomplete because %q; want %d, complete", got, reason, want)
	case got != want:
		return fmt.Sprintf("got %d; want %d", got, want)
	}
	return ""
}
