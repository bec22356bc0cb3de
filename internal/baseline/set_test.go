package baseline_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/baseline"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// some draws some of the letters, in order.
func some(t *rapid.T, label string, least int) []string {
	letters := []string{"a", "b", "c", "d"}
	names := rapid.SliceOfNDistinct(rapid.SampledFrom(letters), least, len(letters), rapid.ID[string]).Draw(t, label)
	slices.Sort(names)
	return names
}

func draw(t *rapid.T, label string) finding.Finding {
	f := finding.Finding{
		Rule: rapid.SampledFrom([]string{"r", "s"}).Draw(t, label+"rule"), TriggerFiles: some(t, label+"files", 1), Expected: some(t, label+"expected", 0),
	}
	f.Path = f.TriggerFiles[0]
	if rapid.IntRange(0, 3).Draw(t, label+"kind") == 0 {
		f.Session = &finding.SessionDetails{Occurrence: finding.Occurrence{ID: rapid.SampledFrom([]string{"x", "y"}).Draw(t, label+"session")}}
	}
	return f
}

func list(t *rapid.T, label string) []finding.Finding {
	var findings []finding.Finding
	for i := range rapid.IntRange(0, 6).Draw(t, label) {
		findings = append(findings, draw(t, fmt.Sprint(label, i)))
	}
	finding.Sort(findings)
	finding.Identify(findings)
	return findings
}

// covers is the meaning of Of, without an index.
func covers(old, f finding.Finding) bool {
	if old.Rule != f.Rule || (old.Session == nil) != (f.Session == nil) {
		return false
	}
	if f.Session != nil {
		return old.Fingerprint == f.Fingerprint
	}
	all := func(names, of []string) bool {
		return len(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(of, name) })) == 0
	}
	return all(f.TriggerFiles, old.TriggerFiles) && all(f.Expected, old.Expected) && (len(f.Expected) > 0) == (len(old.Expected) > 0)
}

func TestAFindingIsKnownByAnEntryThatCoversIt(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		accepted, later := list(t, "accepted"), list(t, "later")
		entries, added := baseline.Accept(nil, accepted, "2026-05-01", "old")
		if added != len(accepted) {
			t.Fatalf("%d of %d were accepted", added, len(accepted))
		}
		baseline.NewSet(entries).Waive(later, "")
		for _, f := range later {
			if want := slices.ContainsFunc(accepted, func(k finding.Finding) bool { return covers(k, f) }); f.Waived() != want {
				t.Errorf("%+v: waived %t, want %t", f, f.Waived(), want)
			}
		}
	})
}

func same(a, b []baseline.Entry) bool { return cmp.Equal(a, b, cmpopts.EquateEmpty()) }

// To accept makes all known and changes no entry; to prune leaves known what occurs and was
// known, and nothing else; both have nothing more to do the second time.
func TestAcceptAndPrune(t *testing.T) {
	lawtest.Check(t, func(t *rapid.T) {
		before, _ := baseline.Accept(nil, list(t, "before"), "2026-05-01", "old")
		now := list(t, "now")
		after, added := baseline.Accept(before, now, "2026-06-01", "new")
		if !same(after[:len(before)], before) || len(after) != len(before)+added {
			t.Fatalf("from %v to %v, %d added", before, after, added)
		}
		if again, more := baseline.Accept(after, now, "2026-07-01", "newer"); more != 0 || !same(again, after) {
			t.Errorf("accepted again: %d more", more)
		}
		never := func(string) bool { return false }
		pruned := baseline.Prune(before, now, never)
		old, left := baseline.NewSet(before), baseline.NewSet(pruned)
		occurring := 0
		for _, f := range now {
			_, was := old.Of(f)
			if _, is := left.Of(f); is != was {
				t.Errorf("%+v: known %t, then %t", f, was, is)
			}
			if was {
				occurring++
			}
		}
		if len(pruned) != occurring {
			t.Errorf("%d entries left for %d findings", len(pruned), occurring)
		}
		if again := baseline.Prune(pruned, now, never); !same(again, pruned) {
			t.Errorf("pruned again: %v, want %v", again, pruned)
		}
		if kept := baseline.Prune(before, nil, func(string) bool { return true }); !same(kept, before) {
			t.Errorf("of rules without an answer %v are left, want %v", kept, before)
		}
	})
}

func TestWaiveLeavesOtherWaivers(t *testing.T) {
	f := finding.Finding{Rule: "r", Path: "a", TriggerFiles: []string{"a"}, Deferred: true}
	entries, _ := baseline.Accept(nil, []finding.Finding{f}, "2026-05-01", "old\x1b[1m")
	trailer := f
	trailer.Waiver = &finding.Waiver{Source: finding.Trailer, Reason: "mine"}
	refused := f
	refused.Waiver = &finding.Waiver{Source: finding.Trailer, Reason: "mine", NotHonoured: "why"}
	findings := []finding.Finding{f, trailer, refused}
	baseline.NewSet(entries).Waive(findings, "")
	want := []finding.Waiver{
		{Source: finding.Known, Since: "2026-05-01", Reason: `old\x1b[1m`}, {Source: finding.Trailer, Reason: "mine"}, {Source: finding.Known, Since: "2026-05-01", Reason: `old\x1b[1m`},
	}
	for i := range findings {
		if d := cmp.Diff(want[i], *findings[i].Waiver); d != "" {
			t.Error(d)
		}
	}
	if findings[0].Deferred {
		t.Error("a known finding waits for the commit message")
	}
	open := []finding.Finding{f}
	baseline.NewSet(entries).Waive(open, "--no-waivers")
	if open[0].Waived() || !open[0].Deferred || open[0].Waiver.NotHonoured != "--no-waivers" {
		t.Errorf("not honoured: %+v", open[0])
	}
}
