package toolcall_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rulecheck/rulecheck/internal/agents/bash"
	"github.com/rulecheck/rulecheck/internal/agents/toolcall"
	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// row is a line of the corpus: what it does was seen when bash ran it.
type row struct {
	ID      string   `json:"id"`
	Line    string   `json:"line"`
	Cwd     string   `json:"cwd"`
	Verdict string   `json:"verdict"` // deny, opaque or allow
	Accept  []string `json:"accept"`
}

func rows(tb testing.TB, file string) []row {
	tb.Helper()
	f, err := os.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var list []row
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			tb.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

var world = bash.World{Root: "/w/repo", Home: "/home/dev"}

// load compiles rules: of the pack, and those in files of .rulecheck/rules.
func load(tb testing.TB, extends []string, files map[string]string) *toolcall.Checker {
	tb.Helper()
	b, err := policies.Load()
	if err != nil {
		tb.Fatal(err)
	}
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[".rulecheck/rules/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	loaded := rule.LoadTiers(rule.Tiers(rule.Config{RulesDir: ".rulecheck/rules", Extends: extends}, tree, nil), b.Modes)
	for _, p := range loaded.Problems {
		tb.Fatalf("%v", p)
	}
	ofCalls := slices.DeleteFunc(loaded.Rules, func(r *rule.Rule) bool { return !b.Modes.Of(r.Mode).Tool() })
	return checker(tb, b, ofCalls)
}

func checker(tb testing.TB, b *policies.Bundle, rules []*rule.Rule) *toolcall.Checker {
	tb.Helper()
	engine, err := policy.NewFor(tb.Context(), b, []string{toolcall.Mode})
	if err != nil {
		tb.Fatal(err)
	}
	texts := map[string]*rule.Condition{}
	for _, r := range rules {
		if r.When != nil {
			texts[r.ID] = r.When
		}
	}
	conditions, problems, err := condition.Compile(tb.Context(), b, condition.ToolVocabulary(condition.Names{}), texts)
	if err != nil || len(problems) > 0 {
		tb.Fatalf("conditions: %v %v", err, problems)
	}
	c, err := toolcall.New(rules, engine, conditions)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// verdict is the corpus's word for a decision.
func verdict(tb testing.TB, c *toolcall.Checker, line, dir string) (string, toolcall.Decision) {
	tb.Helper()
	w := world
	w.Dir = dir
	d, err := c.Decide(tb.Context(), toolcall.Call{Agent: "claude", Tool: "Bash", Input: map[string]any{"command": line}, World: w, Now: "2026-01-01T00:00:00Z"})
	if err != nil || len(d.Failed) > 0 {
		tb.Fatalf("%q: %v %v", line, err, d.Failed)
	}
	return map[string]string{toolcall.Deny: "deny", toolcall.Ask: "opaque", toolcall.Warn: "warn", toolcall.Allow: "allow"}[d.Effect], d
}

// corpora are lines of several authors. Those of the second were written without looking at
// how lines are read; bash ran the lines of own_lines and ran_lines, and not the ones of
// declared_lines.
var corpora = []string{"testdata/shell_lines.jsonl", "testdata/own_lines.jsonl", "testdata/declared_lines.jsonl", "testdata/ran_lines.jsonl"}

// nested are lines that write rules of a directory, or a file of their directory's name. The corpora were
// written when the pack protected the rules of the root alone.
var nested = []string{"more-allow-513", "more-allow-514", "ran-allow-975"}

// TestCorpus decides lines that were run, with the rules of the pack. Misses and false
// alarms are failures; opaque answers where deny was possible are counted.
func TestCorpus(t *testing.T) {
	lawtest.Sequential(t)
	c := load(t, []string{"bundled/agents"}, nil)
	for _, file := range corpora {
		counts := map[string]int{}
		for _, r := range rows(t, file) {
			got, d := verdict(t, c, r.Line, r.Cwd)
			by := ""
			if d.Rule != nil {
				by = " by " + d.Rule.ID
			}
			switch {
			case got == r.Verdict:
				counts["as written"]++
			case slices.Contains(r.Accept, got), got == "deny" && slices.Contains(nested, r.ID):
				counts["soft"]++
			case r.Verdict == "allow":
				counts["false alarms"]++
				t.Errorf("%s: %s%s; want allow: %q\n%s", r.ID, got, by, r.Line, strings.TrimSpace(d.Reason))
			default:
				counts["misses"]++
				t.Errorf("%s: %s; want %s: %q", r.ID, got, r.Verdict, r.Line)
			}
		}
		t.Logf("%s: %v", file, counts)
	}
}
