package correspondence_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// asked is an engine that knows the size of every file, and remembers what it
// was asked.
type asked map[string][]diff.Part

func (a asked) Contents(context.Context, diff.Head, []string, int64) (map[string][]byte, error) {
	return map[string][]byte{}, nil
}

func (a asked) Details(_ context.Context, _ diff.Base, _ diff.Head, list []diff.Change, parts []diff.Part) (map[string]*diff.Detail, error) {
	details := map[string]*diff.Detail{}
	for _, c := range list {
		a[c.Path] = append(a[c.Path], parts...)
		details[c.Path] = &diff.Detail{Size: new(int64(len(c.Path)))}
		if c.Path == "broken" {
			return nil, errors.New("no luck")
		}
	}
	return details, nil
}

// TestDetailAsksForWhatRulesSee: nothing of files that no asking rule sees, and
// nothing that its mode does not declare.
func TestDetailAsksForWhatRulesSee(t *testing.T) {
	modes := policies.NewModes(
		policies.Mode{Name: "matched", Facts: []string{"binary", policies.FactMatches, "size"}},
		policies.Mode{Name: "whole", Facts: []string{policies.FactChanges, "lfs"}},
		policies.Mode{Name: "plain", Facts: []string{policies.FactMatches}},
		policies.Mode{Name: "unlucky", Facts: []string{policies.FactMatches, "content"}},
		policies.Mode{Name: "idle", Facts: []string{policies.FactMatches, "content"}},
	)
	changes := []diff.Change{{Path: "a"}, {Path: "bb"}, {Path: "broken"}}
	match := func(c diff.Change) map[string][]correspondence.Match {
		return map[string][]correspondence.Match{"p": {{Path: c.Path, Change: c}}}
	}
	run := func(names ...string) (asked, []correspondence.Facts, map[int]error) {
		var rules []*rule.Rule
		var facts []correspondence.Facts
		matched := map[string]diff.Change{"matched": {Path: "bb"}, "plain": {Path: "a"}, "unlucky": {Path: "broken"}}
		for _, name := range names {
			f := correspondence.Facts{Changes: changes}
			if c, ok := matched[name]; ok {
				f.Matches = match(c)
			}
			rules, facts = append(rules, &rule.Rule{Info: rule.Info{Mode: name}}), append(facts, f)
		}
		engine := asked{}
		return engine, facts, correspondence.Detail(t.Context(), engine, diff.Changeset{Changes: changes}, rules, modes, facts)
	}

	engine, facts, unknown := run("matched", "plain", "matched", "idle", "unlucky")
	want := asked{"bb": {"binary", "size"}, "broken": {"content"}}
	if d := cmp.Diff(want, engine); d != "" {
		t.Errorf("asked (-want +got):\n%s", d)
	}
	if len(unknown) != 1 || unknown[4] == nil {
		t.Errorf("unknown = %v; want only unlucky", unknown)
	}
	for _, i := range []int{0, 2} {
		if d := facts[i].Matches["p"][0].Change.Detail; d == nil || *d.Size != 2 {
			t.Errorf("detail of %d = %+v; want size 2", i, d)
		}
	}
	if facts[1].Matches["p"][0].Change.Detail != nil || facts[0].Changes[1].Detail != nil || changes[1].Detail != nil {
		t.Error("a rule that did not ask was told")
	}

	engine, facts, unknown = run("plain")
	if len(engine) > 0 || len(unknown) > 0 || facts[0].Changes[0].Detail != nil {
		t.Errorf("asked %v, unknown %v; want nothing", engine, unknown)
	}
	changes = changes[:2]
	engine, facts, unknown = run("whole", "plain")
	if d := cmp.Diff(asked{"a": {"lfs"}, "bb": {"lfs"}}, engine); d != "" || len(unknown) > 0 {
		t.Errorf("asked (-want +got), unknown %v:\n%s", unknown, d)
	}
	if facts[0].Changes[1].Detail == nil || facts[1].Changes[1].Detail != nil || changes[1].Detail != nil {
		t.Error("details stand not in the facts of the rule that asked, and only there")
	}
}
