package start

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/past/replay"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// counted counts a rule that held and fired, and held in some of the newest ten.
func counted(held, fired, newest int) *replay.RuleHistory {
	h := &replay.RuleHistory{Counts: replay.Counts{Triggered: held + fired, Held: held, Fired: fired}}
	if rate, ok := h.Rate(); ok {
		h.Share = &rate
	}
	cases := min(held+fired, newestCases)
	h.Last = replay.Counts{Held: newest, Fired: cases - newest}
	return h
}

// unread adds units in which the rule could not be checked.
func unread(h *replay.RuleHistory, n int) *replay.RuleHistory {
	h.Triggered += n
	h.Unknown, h.Problem = n, "a file cannot be read"
	return h
}

func TestWhy(t *testing.T) {
	t.Parallel()
	builtin, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	const pair, forbid = "pair: {trigger: go.mod, expects: go.sum}", "forbid: {files: \"*.mod\", lines: TODO}"
	for _, c := range []struct {
		name, pack, frontmatter string
		count                   *replay.RuleHistory
		want                    string
	}{
		{"often", "p", pair, counted(95, 5, 9), ""},
		{"just", "p", pair, counted(9, 1, 9), ""},
		{"too few", "p", pair, counted(9, 0, 9), "followed in 9 of only 9"},
		{"ten, mined", "", pair, counted(10, 0, 10), ""},
		{"nine, mined", "", pair, counted(9, 0, 9), "followed in 9 of only 9"},
		{"rarely", "p", pair, counted(80, 20, 7), "followed in 80 of 100"},
		{"since lately", "p", pair, counted(80, 20, 9), ""},
		{"no longer", "p", pair, counted(95, 5, 7), "followed in 95 of 100, of the newest ten in 7"},
		{"never", "p", pair, counted(0, 0, 0), WhyNeverApplied},
		{"sometimes unread", "p", pair, unread(counted(96, 2, 9), 2), ""},
		{"often unread", "p", pair, unread(counted(96, 1, 9), 3), WhyUnknown},
		{"sessions", "p", pair, nil, WhyAgents},
		{"dead partner", "p", "pair: {trigger: go.mod, expects: go.none}", counted(95, 5, 9), WhyNoFile},
		{"half a set", "p", "set: [go.mod, go.none]", counted(95, 5, 9), WhyNoFile},
		{"one of a trigger", "p", "{trigger: [go.mod, go.none], safety: go.sum}", counted(95, 5, 9), ""},
		{"house style", "p", forbid, counted(990, 10, 10), "such lines were added in 10"},
		{"exceptions", "p", forbid, counted(991, 9, 10), ""},
		{"snapshots", "p", "pair: {trigger: go.mod, expects: a.snap}", counted(95, 5, 9), "is about snapshots, which the test runner compares"},
	} {
		r, problems := rule.Parse("r.md", []byte("---\n"+c.frontmatter+"\n---\nText.\n"), builtin.Modes)
		if len(problems) > 0 {
			t.Fatal(c.name, problems)
		}
		tried := &trial{files: []string{"a.snap", "go.mod", "go.sum"}, start: &Start{}}
		if got := tried.why(Rule{ID: r.ID, Pack: c.pack, Count: c.count, of: r}, builtin.Modes); got != c.want {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
	}
}

// TestRepair expects the first commit that changed what was missing, without the file that
// asked for it, if that file does not change all the time.
func TestRepair(t *testing.T) {
	t.Parallel()
	names := func(list ...string) map[string]bool {
		set := map[string]bool{}
		for _, name := range list {
			set[name] = true
		}
		return set
	}
	past := func(after ...map[string]bool) []step { // newest first; the last one is the firing
		steps := make([]step, 0, 40)
		for _, set := range after {
			steps = append(steps, step{names: set})
		}
		steps = append(steps, step{names: names("go.mod")})
		for len(steps) < 40 {
			steps = append(steps, step{names: names("other")})
		}
		return steps
	}
	for name, c := range map[string]struct {
		after []map[string]bool
		want  int // commits until the repair; 0: none
	}{
		"next":            {[]map[string]bool{names("go.sum")}, 1},
		"second":          {[]map[string]bool{names("go.sum"), names("x")}, 2},
		"with its cause":  {[]map[string]bool{names("go.sum", "go.mod")}, 0},
		"none":            {[]map[string]bool{names("x"), names("y")}, 0},
		"changes anyway":  {[]map[string]bool{names("go.sum"), names("go.sum"), names("go.sum"), names("go.sum"), names("go.sum")}, 0},
		"nothing follows": {nil, 0},
	} {
		steps := past(c.after...)
		x := Example{Rule: &Rule{of: &rule.Rule{}}, Lack: replay.Lack{Files: []string{"go.mod"}, Expected: []string{"go.sum"}}}
		x.repair(steps, len(c.after))
		if x.after != c.want || (x.Repaired != nil) != (c.want > 0) {
			t.Errorf("%s: repaired after %d; want %d", name, x.after, c.want)
		}
	}
}
