package agentlog_test

import (
	"cmp"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog"
	"github.com/rulecheck/rulecheck/internal/agents/session"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/mask"
)

// metricRule is a rule of a case.
type metricRule struct {
	Type        string
	Pattern     string
	PathPattern string `json:"path_pattern"`
	Threshold   int64
	Window      int64
	MaxDuration int64 `json:"max_duration"`
	MaxTokens   int64 `json:"max_tokens"`
}

// measure returns what the rule counts and the smallest count at which it fires.
func (r metricRule) measure(root string) (m session.Measure, fires int64) {
	matching := func(pattern string) *regexp.Regexp {
		if pattern == "" {
			return nil
		}
		return regexp.MustCompile(pattern)
	}
	const longest = 1 << 33
	m = session.Measure{Root: root, Within: time.Duration(min(r.Window, longest)) * time.Second}
	switch r.Type {
	case "repeated_command":
		m.Of, m.Matching = session.Commands, matching(r.Pattern)
		return m, r.Threshold
	case "repeated_file_edit":
		m.Of, m.Matching = session.Edits, matching(r.PathPattern)
		return m, r.Threshold
	case "phase_timeout":
		m.Of = session.Seconds
		return m, r.MaxDuration + 1
	}
	m.Of = session.TokenSum
	return m, r.MaxTokens + 1
}

// fired is a rule that fired, in the form of the cases.
type fired struct {
	Rule   string
	Index  int `json:"rule_index"`
	Count  int64
	Input  *int64
	Output *int64

	Subjects []string
	Events   []string

	Visit   int
	Phase   string
	FirstAt time.Time `json:"first_at"`
	Peak    int64
	PeakAt  time.Time `json:"peak_at"`
	Start   time.Time
}

type evaluateCase struct {
	Files       map[string][]string `json:"state_dir"`
	Transcripts map[string][]string
	Root        string `json:"project_root"`
	Now         time.Time
	Horizon     time.Time
	Phase       string `json:"current_phase"`
	Node        string `json:"rules_node"`
	Rules       []metricRule
	Expect      struct {
		Recommended struct {
			Violation  *fired
			All        []fired `json:"all_violations_without_short_circuit"`
			Replay     []fired
			Violations []fired
		}
	}
}

func (c evaluateCase) session(t *testing.T) *session.Session {
	t.Helper()
	files := map[string]string{}
	for name, lines := range c.Files {
		files["state/"+name] = strings.Join(lines, "\n")
	}
	for name, lines := range c.Transcripts {
		files["transcripts/"+name] = strings.Join(lines, "\n")
	}
	sessions := loadFiles(t, files)
	if len(sessions) != 1 {
		t.Fatalf("got %d sessions", len(sessions))
	}
	return &sessions[0]
}

// live checks the current visit as a rule that compares the count would.
func live(s *session.Session, rules map[string][]metricRule, root string, now time.Time) []fired {
	var current session.Visit
	for _, v := range s.Visits() {
		if !v.Start.After(now) {
			current = v
		}
	}
	var all []fired
	for i, r := range rules[current.Phase.Name] {
		m, fires := r.measure(root)
		x := s.Live(current, m, now)
		if x.Count < fires {
			continue
		}
		f := fired{Rule: r.Type, Index: i, Count: x.Count, Subjects: x.Subjects, Events: events(x)}
		if x.Tokens != nil {
			f.Input, f.Output = x.Tokens.Input, x.Tokens.Output
		}
		all = append(all, f)
	}
	return all
}

func events(x fact.Metrics) []string {
	all := []string{}
	for _, e := range x.Events {
		if e.Tool != "" {
			e.Text = e.Tool + " (" + e.Text + ")"
		}
		all = append(all, e.At.UTC().Format(time.TimeOnly)+": "+e.Text)
	}
	return all
}

// audited checks every visit to a phase with rules.
func audited(s *session.Session, rules map[string][]metricRule, root string) []fired {
	var all []fired
	for i, v := range s.Visits() {
		if v.Phase == nil || v.Phase.Terminal {
			continue
		}
		for j, r := range rules[v.Phase.Name] {
			m, fires := r.measure(root)
			record := s.Audit(v, m)
			if first, ok := record.Reached(fires); ok {
				all = append(all, fired{
					Rule: r.Type, Index: j, Visit: i, Phase: v.Phase.Name,
					FirstAt: first, Peak: record.Count, PeakAt: record.At, Start: v.Start,
				})
			}
		}
	}
	return all
}

// same compares what fired in an audit, as far as the case states it.
func same(t *testing.T, got, want []fired) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if want[i].PeakAt.IsZero() {
			got[i].PeakAt = time.Time{}
		}
		if want[i].Start.IsZero() {
			got[i].Start = time.Time{}
		}
	}
	order := func(a, b fired) int { return cmp.Or(a.Visit-b.Visit, a.Index-b.Index) }
	slices.SortStableFunc(want, order)
	slices.SortStableFunc(got, order)
	if diff := gocmp.Diff(want, got); len(want)+len(got) > 0 && diff != "" {
		t.Errorf("audit (-want +got):\n%s", diff)
	}
}

func TestEvaluate(t *testing.T) {
	cases(t, "evaluate.jsonl", func(t *testing.T, c evaluateCase) {
		t.Helper()
		s, want := c.session(t), c.Expect.Recommended
		s.End = c.Now
		rules := map[string][]metricRule{c.Phase: c.Rules}
		got := live(s, rules, c.Root, c.Now)
		var short []fired
		for _, f := range got {
			short = append(short, fired{Rule: f.Rule, Index: f.Index, Count: f.Count})
		}
		if diff := gocmp.Diff(want.All, short); len(want.All)+len(short) > 0 && diff != "" {
			t.Errorf("live (-want +got):\n%s", diff)
		}
		if want.Violation != nil && len(got) > 0 {
			sameEvents(t, *want.Violation, got[0])
		}
		for _, phase := range s.Phases { // in the cases, the same rules apply to every phase
			rules[phase.Name] = c.Rules
		}
		same(t, audited(s, rules, c.Root), want.Replay)
	})
}

// sameEvents compares what was counted, shown as reports show it.
func sameEvents(t *testing.T, want, got fired) {
	t.Helper()
	want.Index = got.Index
	for _, texts := range [][]string{want.Subjects, want.Events} {
		for i := range texts {
			texts[i] = mask.Excerpt(texts[i])
		}
	}
	if want.Subjects == nil {
		want.Subjects, want.Events = []string{}, []string{}
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestReplay(t *testing.T) {
	cases(t, "replay.jsonl", func(t *testing.T, c evaluateCase) {
		t.Helper()
		s := c.session(t)
		s.End = c.Horizon
		same(t, audited(s, map[string][]metricRule{c.Node: c.Rules}, c.Root), c.Expect.Recommended.Violations)
	})
}

type archiveRules struct {
	archiveCase

	Node   string `json:"rules_node"`
	Rules  []metricRule
	Expect struct {
		Recommended struct{ Violations []fired }
	} `json:"expect"`
}

func TestArchiveRules(t *testing.T) {
	cases(t, "archive.jsonl", func(t *testing.T, c archiveRules) {
		t.Helper()
		var got []fired
		for name, document := range c.Files {
			s := loadFiles(t, map[string]string{"archive/" + name: string(document)})[0]
			got = append(got, audited(&s, map[string][]metricRule{c.Node: c.Rules}, "/home/dev/proj")...)
		}
		want := c.Expect.Recommended.Violations
		for i := range got {
			got[i].Visit = 0
			if len(want) == 1 { // these cases do not state when
				got[i].FirstAt = time.Time{}
			}
		}
		same(t, got, want)
	})
}

func TestLongSession(t *testing.T) {
	data, err := os.ReadFile("testdata/s1/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Root    string                  `json:"project_root"`
		Rules   map[string][]metricRule `json:"rules_by_node"`
		Horizon time.Time
		Replay  []fired
		Live    []struct {
			Now         time.Time
			Recommended struct {
				Violation *fired
				All       []fired
			}
		} `json:"live_checks"`
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	sessions, _ := load(t, agentlog.Options{}, "testdata/s1/state_dir", "testdata/s1/transcripts")
	s := &sessions[0]
	for _, check := range want.Live {
		got := live(s, want.Rules, want.Root, check.Now)
		if len(got) != len(check.Recommended.All) {
			t.Errorf("%s: got %v, want %v", check.Now, got, check.Recommended.All)
			continue
		}
		for i, f := range check.Recommended.All {
			if got[i].Rule != f.Rule || got[i].Index != f.Index || got[i].Count != f.Count {
				t.Errorf("%s: got %v, want %v", check.Now, got[i], f)
			}
		}
		if first := check.Recommended.Violation; first != nil {
			sameEvents(t, *first, got[0])
		}
	}
	s.End = want.Horizon
	same(t, audited(s, want.Rules, want.Root), want.Replay)
}
