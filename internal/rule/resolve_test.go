package rule_test

import (
	"bytes"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/golden"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// summarize returns id, tier, file and line of each rule.
func summarize(rules []*rule.Rule) []string {
	var lines []string
	for _, r := range rules {
		lines = append(lines, r.ID+" "+string(r.Tier)+" "+finding.Problem{File: r.File, Line: r.Line, Column: 1, Message: r.Body}.Error())
	}
	return lines
}

func TestBadWorkflows(t *testing.T) {
	t.Parallel()
	fsys := os.DirFS("testdata")
	resolver := rule.Resolver{
		Tiers:   rule.Loaded{Rules: []*rule.Rule{{Info: rule.Info{ID: "tiered", Name: "tiered", File: "u", Body: "Tier."}, Tier: rule.UserTier, Line: 2}}},
		Imports: []rule.Directory{{Tier: rule.ProjectTier, FS: fsys, Dir: "nowhere"}, {Tier: rule.UserTier, FS: fsys, Dir: "workflow/imports"}},
		Modes:   modes(t),
	}
	var all bytes.Buffer
	for _, file := range []string{"workflow/bad.yaml", "workflow/yaml.yaml"} {
		source, err := fs.ReadFile(fsys, file)
		if err != nil {
			t.Fatal(err)
		}
		scope, problems := resolver.Open(file, source)
		all.Write(excerpts(t, problems))
		for _, node := range []string{"red", "green", "blue", "empty", "none", "nosuch"} {
			rules, problems := scope.Rules(nil, "nodes", node, "check_rules")
			all.WriteString("\n# " + node + "\n")
			all.Write(excerpts(t, problems))
			for _, line := range summarize(rules) {
				all.WriteString(line + "\n")
			}
		}
	}
	golden.Compare(t, "testdata/workflow.golden", all.String())
}

// The file's own definitions come before imports, the last import first, and
// those before the tiers. Inline rules come first in the list.
func TestScope(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{
		".rulecheck/rules/tier.md": file(good), ".rulecheck/rules/b.md": file(good), ".rulecheck/rules/broken.md": file(""),
		".rulecheck/workflows/rules/one.yaml": file("rule_definitions:\n  b: {trigger: a, body: One.}\n  c: {trigger: a, body: One.}\n"),
		".rulecheck/workflows/rules/two.yaml": file("rule_definitions:\n  c: {trigger: a, body: Two.}\n  d: {trigger: a, body: Two.}\n  own: {trigger: a, body: Two.}\n"),
	}
	user := &rule.UserDir{FS: fstest.MapFS{
		"workflows/rules/two.yaml":   file("broken"), // the project's shadows it
		"workflows/rules/three.yaml": file("\ufeffrule_definitions:\r\n  e:\r\n    trigger: a\r\n    name: Three\r\n    body: |\r\n      Of the\r\n      user.\r\n"),
	}, Shown: "~/.config/rulecheck"}
	resolver := rule.Resolver{
		Tiers:   rule.LoadTiers(rule.Tiers(defaults(), fsys, nil), modes(t)),
		Imports: rule.Imports(fsys, user),
		Modes:   modes(t),
	}
	scope, problems := resolver.Open("w.yaml", []byte(`imports: [one, two, three, go, one]
rule_definitions:
  own:
    pair: {trigger: a, expects: b}
    body: Own.
    when: 'change.any("a")'
phases:
  - name: first
  - name: second
    check_rules: [own, tier, b, c, d, e, go-vendor, own, broken, inline]
`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	inline := []*rule.Rule{{Info: rule.Info{ID: "inline", Body: "Inline."}}}
	rules, problems := scope.Rules(inline, "phases", "1", "check_rules")
	want := []string{
		"inline  Inline.",
		"own project w.yaml:4:1: Own.",
		"tier project .rulecheck/rules/tier.md:2:1: Do it.",
		"b project .rulecheck/workflows/rules/one.yaml:2:1: One.",
		"c project .rulecheck/workflows/rules/one.yaml:3:1: One.",
		"d project .rulecheck/workflows/rules/two.yaml:3:1: Two.",
		"e user ~/.config/rulecheck/workflows/rules/three.yaml:3:1: Of the\nuser.",
	}
	got := summarize(rules)
	if len(got) != len(want)+1 || rules[len(want)].File != "bundled/go/go-vendor.md" || rules[len(want)].Tier != rule.BundledTier {
		t.Fatalf("rules %q; want %d and go-vendor of the pack", got, len(want))
	}
	if diff := cmp.Diff(want, got[:len(want)]); diff != "" || len(problems) > 0 {
		t.Errorf("problems %v, rules (-want +got):\n%s", problems, diff)
	}
	if len(inline) != 1 || rules[6].Name != "Three" {
		t.Errorf("inline rules %v, name %q", inline, rules[6].Name)
	}
	if p := rules[1].When.Problem(7, "x"); p.Error() != "w.yaml:6:19: x" {
		t.Errorf("byte 7 of the condition is at %v", p)
	}
	for _, path := range [][]string{{"phases", "2", "check_rules"}, {"phases", "0", "check_rules"}, {"phases", "x"}, {"nodes", "a"}} {
		if rules, problems := scope.Rules(nil, path...); rules != nil || problems != nil {
			t.Errorf("%v: %v, %v; want nothing", path, rules, problems)
		}
	}
}

func TestScopeWithoutRules(t *testing.T) {
	t.Parallel()
	resolver := rule.Resolver{Imports: rule.Imports(failing{fstest.MapFS{".rulecheck/workflows/rules/a.yaml": file("")}}, nil), Modes: modes(t)}
	scope, problems := resolver.Open("w.yaml", []byte("rule_definitions:\nimports: a\ncheck_rules: x\n"))
	_, unknown := scope.Rules(nil, "check_rules")
	want := []string{
		".rulecheck/workflows/rules/a.yaml:1:1: cannot read the file: the disk is on fire",
		`w.yaml:3:14: unknown rule "x"; there are no rules`,
	}
	if diff := cmp.Diff(want, messagesOf(append(problems, unknown...))); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	resolver.Imports = rule.Imports(fstest.MapFS{".rulecheck/workflows/rules/a.yaml": file("")}, nil)
	for source, want := range map[string]string{
		"- a\n":                   "w.yaml:1:1: found a list; want keys with values, such as name: …",
		"a: \xff\n":               "w.yaml:1:4: the file is not UTF-8 text",
		"rule_definitions: [a]\n": `w.yaml:1:19: "rule_definitions" is a list; want a mapping from id to rule`,
		"imports: {a: b}\n":       `w.yaml:1:10: "imports" is a mapping; want a text or a list of texts; quote it: "{a: b}"`,
		"imports: nope\n":         `w.yaml:1:10: import "nope" not found in project (.rulecheck/workflows/rules), bundled (bundled); want one of "a", "additions", "agents", "agents-strict", "api", "commits", "docs", "github", "github-actions", "go", "java", "python", "rust", "sql", "terraform", "web"`,
	} {
		_, problems := resolver.Open("w.yaml", []byte(source))
		if diff := cmp.Diff([]string{want}, messagesOf(problems)); diff != "" {
			t.Errorf("%q: problems (-want +got):\n%s", source, diff)
		}
	}
}

func FuzzDefinitions(f *testing.F) {
	seedWith(f, "testdata/workflow/*.yaml")
	f.Add("imports: [go, a]\nrule_definitions:\n  x: {trigger: a, body: b}\ncheck_rules: [x, y, go-vendor]\n")
	f.Add("rule_definitions: {x: {set: [\"{a}\", b], action: {command: [a]}}}\ncheck_rules: x")
	resolver := rule.Resolver{Modes: modes(f)}
	f.Fuzz(func(t *testing.T, source string) {
		scope, problems := resolver.Open("w.yaml", []byte(source))
		inside(t, problems, source)
		again, same := resolver.Open("w.yaml", []byte(source))
		if (scope == nil) != (again == nil) || cmp.Diff(problems, same) != "" {
			t.Errorf("twice the same file, two answers: %v, %v", problems, same)
		}
		if scope == nil {
			if len(problems) == 0 {
				t.Errorf("neither rules nor problems of %q", source)
			}
			return
		}
		rules, unknown := scope.Rules(nil, "check_rules")
		inside(t, unknown, source)
		for _, r := range rules {
			if r.ID == "" || r.Body == "" && r.Action == nil || r.Tier != rule.ProjectTier {
				t.Errorf("rule %+v of %q", r, source)
			}
		}
	})
}
