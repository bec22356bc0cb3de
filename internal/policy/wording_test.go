package policy_test

import (
	"testing"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// TestMessages holds the messages of violations that leave theirs to the program.
func TestMessages(t *testing.T) {
	engine := shipped(t)
	trigger := func(param, path, key string) correspondence.Member {
		return correspondence.Member{Param: param, Path: path, Part: key, Line: 1, Column: 1, Changed: true, Exists: true, SatisfiedBy: []string{path}, Trigger: true}
	}
	expected := func(param string, paths ...string) (list []correspondence.Member) {
		for _, path := range paths {
			list = append(list, correspondence.Member{Param: param, Path: path})
		}
		return list
	}
	deleted := trigger("set", "a.c", "")
	deleted.Exists = false
	for _, tc := range []struct {
		mode    string
		params  map[string]any
		members []correspondence.Member
		changed []string
		want    string
	}{
		{mode: "trigger", changed: []string{"a.go"}, want: "a.go changed"},
		{mode: "trigger", changed: []string{"c.go", "a.go", "b.go"}, want: "3 files changed: a.go, b.go, c.go"},
		{mode: "trigger", changed: []string{"c.go", "a.go", "b.go", "d\xff.go"}, want: "4 files changed: a.go, b.go, c.go and 1 more"},
		{mode: "created", changed: []string{"d\xff.go"}, want: `d\xff.go was created`},
		{mode: "set", members: append(expected("set", "a.h"), trigger("set", "a.c", "")), want: "a.c changed without a.h"},
		{mode: "set", members: append(expected("set", "a.h", "e.h", "d.h", "c.h", "b.h"), trigger("set", "a.c", "")), want: "a.c changed without a.h, b.h, c.h and 2 more"},
		{mode: "set", params: map[string]any{"require": "exists"}, members: append(expected("set", "a.h"), trigger("set", "a.c", "")), want: "a.c changed but has no a.h"},
		{mode: "set", params: map[string]any{"require": "exists"}, members: append(expected("set", "a.h"), trigger("set", "a.c", ""), trigger("set", "a.s", "")), want: "a.c, a.s changed but have no a.h"},
		{mode: "set", params: map[string]any{"require": "exists"}, members: []correspondence.Member{deleted, trigger("set", "b.c", "")}, want: "b.c changed but has no a.c"},
		{mode: "set", params: map[string]any{"set": []string{"a.json#/x", "b.json"}}, members: append(expected("set", "b.json"), trigger("set", "a.json", "/x")), want: "a.json#/x changed without b.json"},
		{mode: "pair", members: append(expected("pair.expects", "a.md", "b.md"), trigger("pair.trigger", "a.c", "")), want: "a.c changed without a.md, b.md"},
		{
			mode: "pair", params: map[string]any{"pair.expects": map[string]any{"any": []string{"a.md", "b.md"}}},
			members: append(expected("pair.expects", "a.md", "b.md"), trigger("pair.trigger", "a.c", "")), want: "a.c changed without a.md or b.md",
		},
		{
			mode: "created", params: map[string]any{"expects": []string{"a.md"}, "require": "exists"}, changed: []string{"a.c"},
			members: append(expected("expects", "a.md"), trigger("created", "a.c", "")), want: "a.c was created but has no a.md",
		},
		{
			mode: "created", params: map[string]any{"expects": []string{"a.md"}, "require": "changed"}, changed: []string{"a.c"},
			members: append(expected("expects", "a.md"), trigger("created", "a.c", "")), want: "a.c was created without a change of a.md",
		},
	} {
		matches := map[string][]correspondence.Match{}
		for _, path := range tc.changed {
			matches[tc.mode] = append(matches[tc.mode], correspondence.Match{Path: path, Change: diff.Change{Path: path, Status: diff.Added}})
		}
		got, err := engine.Decide(t.Context(), policy.Input{
			Rule:            rule.Info{ID: "r", Mode: tc.mode, Params: tc.params},
			Matches:         matches,
			Correspondences: []correspondence.Correspondence{{Members: tc.members}},
		})
		if err != nil || len(got) != 1 || got[0].Message != tc.want {
			t.Errorf("%s says %+v, %v; want %q", tc.mode, got, err, tc.want)
		}
	}
}
