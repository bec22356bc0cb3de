package rule_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

const everyKey = `---
name: Source and tests # a comment
pair:
  trigger: src/{path}.py
  expects: ["tests/{path}_test.py", "docs/*.md"]
require: exists
safety: CHANGELOG.md
exclude:
  - src/generated/**
  - '**/__init__.py'
compare_to: default_tip
level: warning
enabled: false
tags: [python, "tests"]
url: https://example.org/rules#tests
action:
  command: >-
    ruff format --config "{repo_root}/my ruff.toml"
    {file}
  run_for: each_match
  timeout: 5m
  env: [CI]
  fix: false
---

# Tests

Write them.

---
`

func TestParseEveryKey(t *testing.T) {
	t.Parallel()
	got, problems := rule.Parse(".rulecheck/rules/tests.md", []byte(everyKey), modes(t))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	command := `ruff format --config "{repo_root}/my ruff.toml" {file}`
	want := &rule.Rule{
		Info: rule.Info{
			ID:    "tests",
			Name:  "Source and tests",
			Mode:  "pair",
			Level: finding.Warning,
			Params: map[string]any{
				"pair.trigger": "src/{path}.py",
				"pair.expects": []string{"tests/{path}_test.py", "docs/*.md"},
				"require":      "exists",
			},
			Body: "# Tests\n\nWrite them.\n\n---",
			Tags: []string{"python", "tests"},
			URL:  "https://example.org/rules#tests",
			File: ".rulecheck/rules/tests.md",
		},
		CompareTo: rule.CompareDefaultTip, Patterns: map[string][]*pattern.Pattern{
			"pair.trigger": compiled(t, "src/{path}.py"),
			"pair.expects": compiled(t, "tests/{path}_test.py", "docs/*.md"),
			"safety":       compiled(t, "CHANGELOG.md"),
			"exclude":      compiled(t, "src/generated/**", "**/__init__.py"),
		}, Action: &rule.Action{
			Command: command,
			Argv:    []string{"ruff", "format", "--config", "{repo_root}/my ruff.toml", "{file}"},
			RunFor:  rule.EachMatch,
			Env:     []string{"CI"},
			Timeout: "5m",
		}, PatternAt: map[string][]yaml.Place{
			"pair.trigger": {{Line: 4, Column: 12}},
			"pair.expects": {{Line: 5, Column: 13}, {Line: 5, Column: 37}},
			"safety":       {{Line: 7, Column: 9}},
			"exclude":      {{Line: 9, Column: 5}, {Line: 10, Column: 5}},
		}, Checks: []policies.Check{policies.CheckExistence}, Line: 3,
	}
	if diff := cmp.Diff(want, got, bySource); diff != "" {
		t.Errorf("rule (-want +got):\n%s", diff)
	}
	if !got.AsksExistence() {
		t.Error("a rule with require: exists does not ask for it")
	}
}

func TestParseDefaults(t *testing.T) {
	t.Parallel()
	got, problems := rule.Parse("rules/a.md", []byte("---\nset: [\"a/{x}\", \"b/{x}\"]\naction: {command: [fmt, '', \"{files}\"], run_for: all_matches}\n---\n"), modes(t))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	want := &rule.Rule{
		Info: rule.Info{
			ID:     "a",
			Name:   "a",
			Mode:   "set",
			Level:  finding.Error,
			Params: map[string]any{"set": []string{"a/{x}", "b/{x}"}, "require": "changed"},
			File:   "rules/a.md",
		},
		CompareTo: rule.CompareBase, Patterns: map[string][]*pattern.Pattern{"set": compiled(t, "a/{x}", "b/{x}")}, Action: &rule.Action{Argv: []string{"fmt", "", "{files}"}, RunFor: rule.AllMatches, Fix: true}, Enabled: true, Line: 2,
		PatternAt: map[string][]yaml.Place{"set": {{Line: 2, Column: 7}, {Line: 2, Column: 16}}},
	}
	if diff := cmp.Diff(want, got, bySource); diff != "" {
		t.Errorf("rule (-want +got):\n%s", diff)
	}
}

// A mode is nothing but its METADATA to the parser.
func TestParseOwnMode(t *testing.T) {
	t.Parallel()
	own := policies.NewModes(policies.Mode{Name: "size", Params: []policies.Param{
		{Name: "limit.bytes", Type: policies.Integer},
		{Name: "limit.every", Type: policies.Duration, Optional: true},
		{Name: "message", Type: policies.Regex, Optional: true},
		{Name: "safety", Type: policies.Patterns, Optional: true},
		{Name: "size", Type: policies.Pattern},
		{Name: "after", Type: policies.Rules, Optional: true},
	}})
	for _, test := range []struct {
		name   string
		source string
		want   []string
	}{
		{"all", "size: '**'\nlimit: {bytes: 0x10, every: 5m}\nmessage: ^a+$\nsafety: a\nafter: [b, c]", nil},
		{"mapping missing", "size: '**'", []string{`x.md:2:1: key "limit" is missing; want a mapping with the keys bytes, every`}},
		{"key missing", "size: '**'\nlimit: {}", []string{`x.md:3:1: key "bytes" is missing in "limit"; want a whole number`}},
		{
			"bad values", "size: '**'\nlimit: {bytes: -1, every: soon}\nmessage: a(b\nafter: {}",
			[]string{
				`x.md:3:16: "limit.bytes" is -1; want a whole number from 0`,
				`x.md:3:27: "limit.every" is "soon"; want a duration with its unit, such as 90s or 5m`,
				"x.md:4:10: \"message\" is \"a(b\"; want an RE2 expression: missing closing ): `a(b`",
				`x.md:5:8: "after" is a mapping; want a rule's id or a list of rule ids; quote it: "{}"`,
			},
		},
		{"numbers of YAML 1.1", "size: '**'\nlimit: {bytes: 1_000}", []string{`x.md:3:16: "limit.bytes" is the text "1_000"; want a whole number`}},
		{"fraction", "size: '**'\nlimit: {bytes: 1.0}", []string{`x.md:3:16: "limit.bytes" is the number 1.0; want a whole number`}},
		{"list", "size: '**'\nlimit: {bytes: [1]}", []string{`x.md:3:16: "limit.bytes" is a list; want a whole number`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r, problems := rule.Parse("x.md", []byte("---\n"+test.source+"\n---\nDo it.\n"), own)
			var got []string
			for _, p := range problems {
				got = append(got, p.Error())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if (r == nil) != (test.want != nil) {
				t.Errorf("rule %v with %d problems", r, len(problems))
			}
		})
	}
	for text, number := range map[string]int{"0x10": 16, "0o17": 15, "012": 12, "+3": 3} {
		r, problems := rule.Parse("x.md", []byte("---\nsize: '**'\nlimit: {bytes: "+text+"}\nsafety: [a]\n---\nDo it.\n"), own)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		want := map[string]any{"size": "**", "limit.bytes": number, "safety": []string{"a"}}
		if diff := cmp.Diff(want, r.Params); diff != "" {
			t.Errorf("params (-want +got):\n%s", diff)
		}
	}
}

// YAML 1.1 would make booleans, numbers and dates of these.
func TestParseTextsOfYAML12(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"yes", "No", "on", "1_000", "0b1", "1:30", "2001-01-01", "0o8", "+.5.", "0x"} {
		r, problems := rule.Parse("x.md", []byte("---\ntrigger: a\nname: "+text+"\n---\nDo it.\n"), modes(t))
		if len(problems) > 0 || r.Name != text {
			t.Errorf("name: %s: %v", text, problems)
		}
	}
	for _, other := range []string{"true", "NULL", "~", "012", "0o7", "0x1F", "-1", "1e3", ".5", "-.inf", ".NaN"} {
		_, problems := rule.Parse("x.md", []byte("---\ntrigger: a\nname: "+other+"\n---\nDo it.\n"), modes(t))
		if len(problems) != 1 || problems[0].Code != "wrong_type" {
			t.Errorf("name: %s: %v; want one problem with the code wrong_type", other, problems)
		}
	}
}

func TestParseDelimiters(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"---  \ntrigger: a\n---\t\nDo it.",
		"\ufeff---\r\ntrigger: a\r\n---\r\n\r\nDo it.\r\n",
		"---\ntrigger: a\n...\n---\nDo it.\n",
	} {
		r, problems := rule.Parse("x.md", []byte(source), modes(t))
		if len(problems) > 0 || r.Body != "Do it." {
			t.Errorf("%q: rule %v, problems %v", source, r, problems)
		}
	}
}

func TestParseLimits(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"too long":                 "# " + strings.Repeat("x", 64<<10),
		"too many unquoted values": "trigger:\n" + strings.Repeat("- {a}.py\n", 100),
		"brackets":                 "trigger: " + strings.Repeat("[", 33) + strings.Repeat("]", 33),
		"braces":                   "trigger: " + strings.Repeat("{a: ", 33) + strings.Repeat("}", 33),
		"dashes":                   "trigger:\n" + strings.Repeat("- ", 33) + "a",
	} {
		r, problems := rule.Parse("x.md", []byte("---\n"+text+"\n---\nDo it.\n"), modes(t))
		if r != nil || len(problems) == 0 || problems[0].Code != "yaml_syntax" {
			t.Errorf("%s: problems %v; want yaml_syntax", name, problems)
		}
	}
}
