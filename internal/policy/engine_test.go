package policy_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

func TestDecideTrigger(t *testing.T) {
	got := decide(t, shipped(t), policy.Input{
		Rule:    rule.Info{ID: "r", Mode: "trigger"},
		Matches: map[string][]correspondence.Match{"trigger": {modified("b.go"), modified("a.go"), modified("a.go")}},
	})
	want := []policy.Violation{{Message: "2 files changed: a.go, b.go", TriggerFiles: []string{"a.go", "b.go"}}}
	same(t, want, got)
}

func TestDecideCreated(t *testing.T) {
	added := modified("b.go")
	added.Change.Status = diff.Added
	got := decide(t, shipped(t), policy.Input{
		Rule:    rule.Info{ID: "r", Mode: "created"},
		Matches: map[string][]correspondence.Match{"created": {modified("a.go"), added}},
	})
	want := []policy.Violation{{Path: "b.go", Message: "b.go was created", TriggerFiles: []string{"b.go"}}}
	same(t, want, got)
}

func TestDecideSet(t *testing.T) {
	got := decide(t, shipped(t), policy.Input{
		Rule: rule.Info{ID: "r", Mode: "set", Params: map[string]any{"require": "changed"}},
		Correspondences: []correspondence.Correspondence{{Members: []correspondence.Member{
			{Param: "set", Path: "z.md"},
			{Param: "set", Path: "a.go", Changed: true, SatisfiedBy: []string{"a.go"}, Trigger: true},
			{Param: "set", Pattern: "b/*.md"},
		}}},
	})
	want := []policy.Violation{{
		Message:  "a.go changed without b/*.md, z.md",
		Expected: []string{"b/*.md", "z.md"}, TriggerFiles: []string{"a.go"},
	}}
	same(t, want, got)
}

func TestDecidePair(t *testing.T) {
	got := decide(t, shipped(t), policy.Input{
		Rule: rule.Info{ID: "r", Mode: "pair", Params: map[string]any{"require": "exists"}},
		Correspondences: []correspondence.Correspondence{{Members: []correspondence.Member{
			{Param: "pair.expects", Path: "a.md"},
			{Param: "pair.trigger", Path: "a.go", Changed: true, Exists: true, SatisfiedBy: []string{"a.go"}, Trigger: true},
		}}},
	})
	want := []policy.Violation{{
		Message: "a.go changed but has no a.md", Expected: []string{"a.md"}, TriggerFiles: []string{"a.go"},
	}}
	same(t, want, got)
}

func TestDecideIsSilencedBySafety(t *testing.T) {
	got := decide(t, shipped(t), policy.Input{
		Rule:    rule.Info{ID: "r", Mode: "trigger"},
		Matches: map[string][]correspondence.Match{"trigger": {modified("a.go")}, "safety": {modified("README.md")}},
	})
	if len(got) > 0 {
		t.Errorf("Decide = %+v; want nothing", got)
	}
}

func TestDecideReadsEveryField(t *testing.T) {
	engine := withMode(t, `violations contains {
		"path": "a", "line": 3, "message": "m",
		"expected": ["c", "b", "c"],
		"trigger_files": {"e", "d"},
		"related": [{"path": "f", "line": 7}, {"path": "g"}],
	}`)
	want := []policy.Violation{{
		Path: "a", Line: 3, Message: "m",
		Expected:     []string{"b", "c"},
		TriggerFiles: []string{"d", "e"},
		Related:      []finding.Location{{Path: "f", Line: 7}, {Path: "g", Line: 1}},
	}}
	same(t, want, decide(t, engine, odd()))
}

// Paths are bytes outside and text inside; a policy's answer comes back as bytes.
func TestDecideKeepsBytes(t *testing.T) {
	const cause, partner = "caf\xe9.py", "tests/caf\xe9_test.py"
	got := decide(t, shipped(t), policy.Input{
		Rule: rule.Info{ID: "r", Mode: "set"},
		Correspondences: []correspondence.Correspondence{{
			Captures: map[string]string{"path": "caf\xe9"},
			Members: []correspondence.Member{
				{Param: "set", Path: cause, Changed: true, SatisfiedBy: []string{cause}, Trigger: true},
				{Param: "set", Path: partner},
			},
		}},
	})
	want := []policy.Violation{{
		Expected: []string{partner}, TriggerFiles: []string{cause},
		Message: `caf\xe9.py changed without tests/caf\xe9_test.py`,
	}}
	same(t, want, got)
}

func TestDecideRefusesPathsThatLookAlike(t *testing.T) {
	for _, paths := range [][2]string{{"a\xff", `a\xff`}, {`a\xff`, "a\xff"}} {
		_, err := shipped(t).Decide(t.Context(), policy.Input{
			Rule:    rule.Info{ID: "r", Mode: "trigger"},
			Matches: map[string][]correspondence.Match{"trigger": {modified(paths[0]), modified(paths[1])}},
		})
		if err == nil || !strings.Contains(err.Error(), `are both written a\xff`) {
			t.Errorf("Decide: %v; want an error", err)
		}
	}
}

func TestDecideMayBeAskedConcurrently(t *testing.T) {
	engine := shipped(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			name := fmt.Sprintf("a%d\xff.go", i)
			got, err := engine.Decide(t.Context(), policy.Input{
				Rule:    rule.Info{ID: "r", Mode: "trigger"},
				Matches: map[string][]correspondence.Match{"trigger": {modified(name)}},
			})
			if err != nil || len(got) != 1 || !cmp.Equal(got[0].TriggerFiles, []string{name}) {
				t.Errorf("Decide = %+v, %v; want one violation of %q", got, err, name)
			}
		})
	}
	wg.Wait()
}

func TestDecideGivesUp(t *testing.T) {
	const endless = `violations contains {"message": "x"} if {
		some a in input.matches.odd
		some b in input.matches.odd
		some c in input.matches.odd
		concat("", [a.path, b.path, c.path]) == "x"
	}`
	in := odd()
	for i := range 3000 {
		in.Matches["odd"] = append(in.Matches["odd"], modified(strconv.Itoa(i)))
	}
	engine := withMode(t, endless)
	engine.SetTimeout(50 * time.Millisecond)
	_, err := engine.Decide(t.Context(), in)
	if want := "rule r: mode odd: no answer within 50ms"; err == nil || err.Error() != want {
		t.Errorf("Decide: %v; want %s", err, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := engine.Decide(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("Decide: %v; want %v", err, context.Canceled)
	}
}

func decide(t *testing.T, engine *policy.Engine, in policy.Input) []policy.Violation {
	t.Helper()
	violations, err := engine.Decide(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return violations
}

func same(t *testing.T, want, got []policy.Violation) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Decide (-want +got):\n%s", d)
	}
}

func modified(name string) correspondence.Match {
	return correspondence.Match{Path: name, Change: diff.Change{Path: name, Status: diff.Modified, Mode: "100644", Kind: diff.File}}
}

// odd is the input of a rule of the mode that withMode adds.
func odd() policy.Input {
	return policy.Input{
		Rule:    rule.Info{ID: "r", Mode: "odd"},
		Matches: map[string][]correspondence.Match{"odd": {modified("a.go")}},
	}
}

func load(tb testing.TB) *policies.Bundle {
	tb.Helper()
	bundle, err := policies.Load()
	if err != nil {
		tb.Fatal(err)
	}
	return bundle
}

func shipped(tb testing.TB) *policy.Engine {
	tb.Helper()
	engine, err := policy.New(tb.Context(), load(tb))
	if err != nil {
		tb.Fatal(err)
	}
	return engine
}

// withMode is the shipped policies and the mode odd, whose rules are given.
func withMode(t *testing.T, rules string) *policy.Engine {
	t.Helper()
	engine, err := compile(t, oddFile, oddMetadata+rules)
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

const (
	oddFile     = "rulecheck/modes/odd/odd.rego"
	oddMetadata = `# METADATA
# title: Odd files
# description: What is odd.
# custom: {params: {odd: patterns}, facts: [matches]}
package rulecheck.modes.odd

`
)

// compile is the shipped policies with one file added or replaced, and of the modes only
// two: each takes a while to compile.
func compile(t *testing.T, file, text string) (*policy.Engine, error) {
	t.Helper()
	dir := os.DirFS("../../policies")
	files := fstest.MapFS{file: {Data: []byte(text)}}
	err := fs.WalkDir(dir, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".rego" || name == file {
			return err
		}
		if mode := path.Base(path.Dir(name)); path.Dir(path.Dir(name)) == "rulecheck/modes" && mode != "set" && mode != "trigger" {
			return nil
		}
		data, err := fs.ReadFile(dir, name)
		files[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := policies.Parse(files)
	if err != nil {
		t.Fatal(err)
	}
	return policy.New(t.Context(), bundle)
}
