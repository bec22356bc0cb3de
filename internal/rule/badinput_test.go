package rule_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/golden"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// placed matches a problem with its place, and what would be right.
var placed = regexp.MustCompile(`^x\.md:[0-9]+:[0-9]+: .*(want|did you mean|which captures) `)

// TestBadInput: each of the bad inputs is reported in its place, with what would be right.
func TestBadInput(t *testing.T) {
	t.Parallel()
	all := modes(t)
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(badInput)) {
		for _, source := range badInput[key] {
			fmt.Fprintf(&b, "%s: %q\n", key, source)
			for _, p := range refused(t, all, source) {
				fmt.Fprintf(&b, "  %s\n", golden.Brief(p.Error()))
			}
		}
	}
	golden.Compare(t, "testdata/badinput.golden", b.String())
}

// badValues has values that no parameter of a type takes, as YAML.
var badValues = map[policies.ParamType][]string{
	policies.Boolean:  {"maybe", "1", "[]"},
	policies.Duration: {"soon", "-1h", "[]"},
	policies.Files:    {"/a", "a//b", "[]"},
	policies.Amount:   {"most", "0", "[]"},
	policies.Fraction: {"most", "1.5", "[]"},
	policies.Integer:  {"many", "1.5", "[]"},
	policies.Pattern:  {"/a", "a//b", "[]"},
	policies.Patterns: {"/a", "a//b", "[]"},
	policies.Regex:    {"(", "[]", "{}"},
	policies.Regexes:  {"(", "[]", "{}"},
	policies.Rules:    {"1", "[]", "{}"},
	policies.String:   {"3", "[]", "{}"},
	policies.Strings:  {"3", "[]", "{}"},
}

// TestBadValues puts bad values, and a misspelt name, in place of each parameter of the first
// example of each mode, and wants them reported like other bad inputs.
func TestBadValues(t *testing.T) {
	t.Parallel()
	all := modes(t)
	for _, name := range all.Names() {
		mode := all.Of(name)
		if len(mode.Examples) == 0 {
			t.Errorf("the METADATA of the mode %s has no example", name)
			continue
		}
		for _, p := range mode.Params {
			if len(badValues[p.Type]) < 3 {
				t.Errorf("parameters of the type %s have no bad values in this test", p.Type)
			}
			for _, value := range badValues[p.Type] {
				refused(t, all, with(t, mode, p.Name, p.Name, value))
			}
			refused(t, all, with(t, mode, p.Name, p.Name[:len(p.Name)-1], "x"))
		}
	}
}

// with returns the frontmatter of the first example of a mode, with another parameter in
// place of one.
func with(t *testing.T, mode policies.Mode, replaced, name, value string) string {
	t.Helper()
	frontmatter, _, _ := strings.Cut(strings.TrimPrefix(mode.Examples[0], "---\n"), "\n---\n")
	var keys map[string]any
	var bad any
	if err := errors.Join(yaml.Unmarshal([]byte(frontmatter), &keys), yaml.Unmarshal([]byte(value), &bad)); err != nil {
		t.Fatal(err)
	}
	set := func(name string, value any) {
		in := keys
		if whole, inside, ok := strings.Cut(name, "."); ok {
			if _, ok := keys[whole].(map[string]any); !ok {
				keys[whole] = map[string]any{}
			}
			in, name = keys[whole].(map[string]any), inside
		}
		if delete(in, name); value != nil {
			in[name] = value
		}
	}
	set(replaced, nil)
	set(name, bad)
	text, err := json.Marshal(keys)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// refused returns the problems of a frontmatter, which must have some.
func refused(t *testing.T, all policies.Modes, source string) []finding.Problem {
	t.Helper()
	_, problems := rule.Parse("x.md", []byte("---\n"+source+"\n---\nDo it.\n"), all)
	if len(problems) == 0 {
		t.Errorf("%q loads", source)
	}
	for _, p := range problems {
		if text := p.Error(); !placed.MatchString(text) {
			t.Errorf("%q: %s", source, text)
		}
	}
	return problems
}

// badInput holds bad inputs by key, and by what may be inside a pattern.
var badInput = map[string][]string{
	"trigger":           {"triger: a", "trigger: [a, '']", "trigger: /src/**", "trigger: {any: [a, b]}"},
	"set":               {"sett: [a, b]", "set: [a]", "set: [a, a]", "set: ['{x}.a', b]"},
	"pair.trigger":      {"pair: {triger: a, expects: b}", "pair: {expects: b}", "pair: {trigger: [a, b], expects: c}"},
	"pair.expects":      {"pair: {trigger: a, expect: b}", "pair: {trigger: a}", "pair: {trigger: a, expects: '{x}'}"},
	"created":           {"creatd: a", "created: []", "created: 'a//b'"},
	"equal":             {"equal: a", "equal: [a#/b, a#/b]", "eqal: [a, b]", "equal: ['{x}/a', b]"},
	"codeowners":        {"codeowner: a", "codeowners: []", "codeowners: a#/b"},
	"expects":           {"created: a\nexpect: b", "created: a\nexpects: '{x}'", "trigger: a\nexpects: b"},
	"any":               {"pair: {trigger: a, expects: {an: [b, c]}}", "pair: {trigger: a, expects: {any: [b]}}", "pair: {trigger: a, expects: {any: b}}", "pair: {trigger: a, expects: {}}", "set: {any: [a, b]}"},
	"require":           {"created: a\nrequire: changed", "set: [a, b]\nrequire: exist", "trigger: a\nrequire: exists"},
	"status":            {"trigger: a\nstatus: ad", "trigger: a\nstatus: addd", "trigger: a\nstatus: []", "trigger: a\nstatus: [added, added]", "trigger: a\nstats: added", "created: a\nstatus: added"},
	"lines.added":       {"trigger: a\nlines: {aded: x}", "trigger: a\nlines: {added: '('}", "trigger: a\nlines: {added: []}", "trigger: a\nlines: x"},
	"lines.removed":     {"trigger: a\nlines: {remove: x}", "trigger: a\nlines: {removed: '['}", "trigger: a\nlines: {removed: ''}"},
	"lines.changed":     {"trigger: a\nlines: {change: x}", "trigger: a\nlines: {changed: '(?=x)'}", "trigger: a\nlines: {changed: {}}"},
	"lines.moved":       {"trigger: a\nlines: {moved: true}", "trigger: a\nlines: {added: x, moved: yes}", "trigger: a\nlines: {added: x, move: true}"},
	"forbid.files":      {"forbid: {file: a, lines: x}", "forbid: {lines: x}", "forbid: {files: [], lines: x}", "forbid: {files: 'a#/b', lines: x}"},
	"forbid.lines":      {"forbid: {files: a, line: x}", "forbid: {files: a}", "forbid: {files: a, lines: '*'}"},
	"forbid.message":    {"forbid: {files: a, lines: x, mesage: y}", "forbid: {files: a, lines: x, message: ''}", "forbid: {files: a, lines: x, message: [y]}"},
	"need.files":        {"need: {file: a, lines: x}", "need: {files: a#/b, lines: x}", "need: {files: [], lines: x}"},
	"need.lines":        {"need: {files: a, line: x}", "need: {files: a, lines: '('}", "need: {files: a}"},
	"need.first":        {"need: {files: a, lines: x, first: 0}", "need: {files: a, lines: x, fist: 1}", "need: {files: a, lines: x, first: one}", "need: {files: a, lines: x}\nstatus: deleted"},
	"safety":            {"trigger: src/*\nsafety: src/**", "set: [a, b]\nexclude: '{a,b}'"},
	"ifchange":          {"ifchnage: a", "ifchange: []", "ifchange: {files: a}", "ifchange: a#/b"},
	"limit.files":       {"limit: {file: 1}", "limit: {files: 0}", "limit: {files: many}", "limit: {}"},
	"limit.added_lines": {"limit: {lines: 1}", "limit: {added_lines: -1}", "limit: {added_lines: 1.5}"},
	"limit.bytes":       {"limit: {byte: 1}", "limit: {bytes: 1k}", "limit: {bytes: [1]}"},
	"limit.file_bytes":  {"limit: {filebytes: 1}", "limit: {file_bytes: 0}", "limit: {file_bytes: ''}"},
	"limit.of":          {"limit: {of: a}", "limit: {of: /a, files: 1}", "limit: {off: a, files: 1}"},
	"commits.subject":   {"commits: {subjects: x}", "commits: {subject: '('}", "commits: {subject: []}", "commits: {}"},
	"commits.trailers":  {"commits: {trailer: x}", "commits: {trailers: []}", "commits: {trailers: 3}"},
	"commits.except":    {"commits: {except: x}", "commits: {subject: x, except: '('}", "commits: {subject: x, excepts: y}"},
	"filters":           {"pair: {trigger: 'a/{x}', expects: 'b/{x|kebap}'}", "pair: {trigger: 'a/{x}', expects: 'b/{x|}'}", "pair: {trigger: 'a/{x}', expects: 'b/{x|kebab|snake}'}", "pair: {trigger: 'a/{x}', expects: 'b/{|kebab}'}", "pair: {trigger: 'a/{x}', expects: 'b/{y|kebab}'}"},
	"pointers":          {"trigger: package.json#version", "trigger: package.json#", "trigger: 'package.json#/{*}'", "trigger: a.txt#/b", "pair: {trigger: package.json#/a~2b, expects: c}", "set: ['a.json#/{k|kebab}', 'b.json#/{k}']\nrequire: exists", "trigger: '#/a'", "created: package.json#/a"},
}
