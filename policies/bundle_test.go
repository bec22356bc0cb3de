package policies_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/policies"
)

// status is a parameter of every mode with triggers.
var status = policies.Param{
	Name: "status", Type: policies.Strings, Optional: true, AtLeast: 1, Distinct: true,
	OneOf: []string{"added", "modified", "deleted", "renamed", "type_changed", "unmerged"}, Limits: policies.LimitStatus,
}

// ofExistence lists the checks that the values of require select.
var ofExistence = map[string]policies.Check{"exists": policies.CheckExistence, "changed_if_exists": policies.CheckExisting}

func checks(what policies.Check) map[string]policies.Check {
	return map[string]policies.Check{"": what}
}

// with returns parameters and those for lines, in byte order: every mode with triggers has these.
func with(params ...policies.Param) []policies.Param {
	expressions := []string{"lines.added", "lines.changed", "lines.removed"}
	params = append(params, policies.Param{Name: "lines.moved", Type: policies.Boolean, Optional: true, Default: false, Limits: policies.LimitMoved, WithAny: expressions})
	for _, name := range expressions {
		params = append(params, policies.Param{Name: name, Type: policies.Regexes, Optional: true, AtLeast: 1, Limits: policies.Limit(strings.TrimPrefix(name, "lines."))})
	}
	slices.SortFunc(params, func(a, b policies.Param) int { return strings.Compare(a.Name, b.Name) })
	return params
}

func TestLoadReadsTheModes(t *testing.T) {
	modes := load(t).Modes
	want := map[string]policies.Mode{
		"created": {
			Params: []policies.Param{
				{Name: "created", Type: policies.Patterns, AtLeast: 1, Statuses: []string{"added"}},
				{Name: "expects", Type: policies.Patterns, Optional: true, AtLeast: 1, Captures: "created", Any: true},
				{Name: "require", Type: policies.String, Optional: true, Default: "exists", OneOf: []string{"exists", "changed", "changed_if_exists"}, Checks: ofExistence, With: "expects"},
			},
			Facts:   []string{policies.FactCorrespondences, policies.FactMatches},
			Listing: policies.ListByFiles,
		},
		"pair": {
			Params: with(
				policies.Param{Name: "pair.expects", Type: policies.Patterns, AtLeast: 1, Captures: "pair.trigger", Any: true, Parts: true},
				policies.Param{Name: "pair.trigger", Type: policies.Pattern, Parts: true},
				policies.Param{Name: "require", Type: policies.String, Optional: true, Default: "changed", OneOf: []string{"changed", "exists", "changed_if_exists"}, Checks: ofExistence},
				status,
			),
			Facts:   []string{policies.FactCorrespondences},
			Listing: policies.ListByFiles,
		},
		"hook_coverage": {
			Params:  []policies.Param{{Name: "hook_coverage.min", Type: policies.Fraction}},
			Facts:   []string{policies.FactCoverage},
			Listing: policies.ListByMessage,
		},
		"phase_timeout": {
			Params:  []policies.Param{{Name: "phase_timeout.max_duration", Type: policies.Integer, AtLeast: 1}},
			Facts:   []string{policies.FactMetrics},
			Listing: policies.ListByMessage,
			Counts:  []policies.Counts{{Of: policies.CountSeconds, Limit: "phase_timeout.max_duration"}},
		},
		"repeated_command": {
			Params: []policies.Param{
				{Name: "repeated_command.pattern", Type: policies.Regex, Optional: true},
				{Name: "repeated_command.threshold", Type: policies.Integer, AtLeast: 1},
				{Name: "repeated_command.window", Type: policies.Integer, AtLeast: 1},
			},
			Facts:   []string{policies.FactMetrics},
			Listing: policies.ListByMessage,
			Counts:  []policies.Counts{{Of: policies.CountCommands, Matching: "repeated_command.pattern", Within: "repeated_command.window", Limit: "repeated_command.threshold"}},
		},
		"repeated_file_edit": {
			Params: []policies.Param{
				{Name: "repeated_file_edit.path_pattern", Type: policies.Regex, Optional: true},
				{Name: "repeated_file_edit.threshold", Type: policies.Integer, AtLeast: 1},
				{Name: "repeated_file_edit.window", Type: policies.Integer, AtLeast: 1},
			},
			Facts:   []string{policies.FactMetrics},
			Listing: policies.ListByMessage,
			Counts:  []policies.Counts{{Of: policies.CountEdits, Matching: "repeated_file_edit.path_pattern", Within: "repeated_file_edit.window", Limit: "repeated_file_edit.threshold"}},
		},
		"forbid": {
			Params: []policies.Param{
				{Name: "forbid.files", Type: policies.Patterns, AtLeast: 1},
				{Name: "forbid.lines", Type: policies.Regexes, AtLeast: 1},
				{Name: "forbid.message", Type: policies.String, Optional: true},
			},
			Facts:   []string{policies.FactLines, policies.FactMatches},
			Listing: policies.ListByMessage,
		},
		"limit": {
			Params: []policies.Param{
				{Name: "limit.added_lines", Type: policies.Integer, Optional: true, AtLeast: 1, Checks: checks(policies.CheckChange), Facts: []string{"added_count"}},
				{Name: "limit.bytes", Type: policies.Integer, Optional: true, AtLeast: 1, Checks: checks(policies.CheckChange), Facts: []string{"size", "lfs"}},
				{Name: "limit.file_bytes", Type: policies.Integer, Optional: true, AtLeast: 1, Checks: checks(policies.CheckState), Facts: []string{"size", "lfs"}},
				{Name: "limit.files", Type: policies.Integer, Optional: true, AtLeast: 1, Checks: checks(policies.CheckChange)},
				{
					Name: "limit.of", Type: policies.Patterns, Optional: true, Default: "**", AtLeast: 1,
					WithAny: []string{"limit.added_lines", "limit.bytes", "limit.file_bytes", "limit.files"},
				},
				status,
			},
			Facts:   []string{"added_count", "lfs", policies.FactMatches, "size"},
			Listing: policies.ListByMessage,
		},
		"set": {
			Params: with(
				policies.Param{Name: "require", Type: policies.String, Optional: true, Default: "changed", OneOf: []string{"changed", "exists", "changed_if_exists"}, Checks: ofExistence},
				policies.Param{Name: "set", Type: policies.Patterns, AtLeast: 2, Distinct: true, Captures: policies.CapturesSame, Parts: true},
				status,
			),
			Facts:    []string{policies.FactCorrespondences},
			Separate: true, Listing: policies.ListByFiles,
		},
		"token_budget": {
			Params: []policies.Param{
				{
					Name: "token_budget.count", Type: policies.Strings, Optional: true, AtLeast: 1, Distinct: true,
					OneOf: []string{"input", "output", "cache_read", "cache_write"},
				},
				{Name: "token_budget.max_tokens", Type: policies.Integer, AtLeast: 1},
			},
			Facts:   []string{policies.FactMetrics},
			Listing: policies.ListByMessage,
			Counts:  []policies.Counts{{Of: policies.CountTokens, Parts: "token_budget.count", Limit: "token_budget.max_tokens"}},
		},
		"trigger": {
			Params:  with(status, policies.Param{Name: "trigger", Type: policies.Patterns, AtLeast: 1, Parts: true}),
			Facts:   []string{policies.FactMatches},
			Listing: policies.ListByFiles,
		},
	}
	for _, name := range modes.Names() {
		mode := modes.Of(name)
		if mode.Name != name || mode.Title == "" || mode.Description == "" {
			t.Errorf("mode %q = %+v; want its name, a title and a description", name, mode)
		}
		if mode.Session() != (mode.Suggestion != "") {
			t.Errorf("mode %q has the suggestion %q; want one of every session mode", name, mode.Suggestion)
		}
	}
	for name, declared := range want { // modes that are added later need no row here
		got := modes.Of(name)
		got.Name, got.Title, got.Description, got.Suggestion, got.Examples = "", "", "", "", nil
		if diff := cmp.Diff(declared, got); diff != "" {
			t.Errorf("mode %q (-want +got):\n%s", name, diff)
		}
	}
}

const metadata = `# METADATA
# title: Odd files
# description: What is odd.
# custom:
#   params:
#     odd: patterns
#   facts: [matches]
package rulecheck.modes.odd
`

func TestParseReadsEveryKindOfParameter(t *testing.T) {
	text := strings.Replace(metadata, "#     odd: patterns\n", `#     odd.a: {type: integer, default: 3}
#     odd.b: {type: boolean, default: false}
#     odd.c: {type: duration, optional: true}
#     odd.d: {type: strings, at_least: 3, distinct: true}
#     odd.e: {type: regex, default: "^a"}
#     odd.f: rules
`, 1)
	bundle, err := policies.Parse(fstest.MapFS{"rulecheck/modes/odd/odd.rego": {Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	want := policies.Mode{
		Name: "odd", Title: "Odd files", Description: "What is odd.",
		Params: []policies.Param{
			{Name: "odd.a", Type: policies.Integer, Optional: true, Default: 3},
			{Name: "odd.b", Type: policies.Boolean, Optional: true, Default: false},
			{Name: "odd.c", Type: policies.Duration, Optional: true},
			{Name: "odd.d", Type: policies.Strings, AtLeast: 3, Distinct: true},
			{Name: "odd.e", Type: policies.Regex, Optional: true, Default: "^a"},
			{Name: "odd.f", Type: policies.Rules, AtLeast: 1},
		},
		Facts: []string{policies.FactMatches}, Listing: policies.ListByMessage,
	}
	if diff := cmp.Diff(want, bundle.Modes.Of("odd")); diff != "" {
		t.Errorf("mode (-want +got):\n%s", diff)
	}
}

func TestParseReadsModesOfSessions(t *testing.T) {
	text := strings.NewReplacer(
		"#     odd: patterns\n", "#     odd.like: {type: regex, optional: true}\n#     odd.window: {type: integer, at_least: 1}\n",
		"facts: [matches]", "facts: [metrics, visit]\n#   counts: {of: edits, matching: odd.like, within: odd.window, limit: odd.window}\n#   suggestion: Stop.",
	).Replace(metadata)
	bundle, err := policies.Parse(fstest.MapFS{"rulecheck/modes/odd/odd.rego": {Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	got := bundle.Modes.Of("odd")
	want := policies.Mode{
		Name: "odd", Title: "Odd files", Description: "What is odd.",
		Params: []policies.Param{
			{Name: "odd.like", Type: policies.Regex, Optional: true},
			{Name: "odd.window", Type: policies.Integer, AtLeast: 1},
		},
		Facts:      []string{policies.FactMetrics, policies.FactVisit},
		Counts:     []policies.Counts{{Of: policies.CountEdits, Matching: "odd.like", Within: "odd.window", Limit: "odd.window"}},
		Suggestion: "Stop.", Listing: policies.ListByMessage,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mode (-want +got):\n%s", diff)
	}
	if !got.Session() || (policies.Mode{Facts: []string{policies.FactMatches}}).Session() {
		t.Error("Session is true of modes that ask for facts of sessions, and of no other")
	}
}

// TestOwnPolicies holds the policies of the program to what is required of any: [policies.Load]
// reads of them what a run needs, and takes the rest as right.
func TestOwnPolicies(t *testing.T) {
	bundle, err := policies.Parse(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(bundle.Modes.Names(), load(t).Modes.Names()); diff != "" {
		t.Errorf("modes (-parsed +loaded):\n%s", diff)
	}
	for _, name := range bundle.Modes.Names() {
		if diff := cmp.Diff(bundle.Modes.Of(name), load(t).Modes.Of(name)); diff != "" {
			t.Errorf("mode %q (-parsed +loaded):\n%s", name, diff)
		}
	}
}

func TestParseKeepsTestsOut(t *testing.T) {
	bundle, err := policies.Parse(fstest.MapFS{
		"rulecheck/modes/odd/odd.rego":      {Data: []byte(metadata)},
		"rulecheck/modes/odd/odd_test.rego": {Data: []byte("not Rego")},
		"rulecheck/modes/odd/README.md":     {Data: []byte("not Rego")},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"rulecheck/modes/odd/odd.rego"}
	if diff := cmp.Diff(want, slices.Collect(maps.Keys(bundle.All()))); diff != "" {
		t.Errorf("modules (-want +got):\n%s", diff)
	}
}

func TestParseRefuses(t *testing.T) {
	const file = "rulecheck/modes/odd/odd.rego"
	params := func(params string) string { return strings.Replace(metadata, "odd: patterns", params, 1) }
	counts := func(fact, counts string) string {
		return strings.Replace(metadata, "facts: [matches]", "facts: ["+fact+"]\n#   counts: {"+counts+"}", 1)
	}
	for _, tc := range []struct{ name, text, want string }{
		{"bad Rego", "package", file + ":1:7: unexpected eof token"},
		{"no METADATA", "package rulecheck.modes.odd", file + `:1:1: mode "odd" has no METADATA; want it above "package rulecheck.modes.odd"`},
		{"METADATA of a rule alone", "package rulecheck.modes.odd\n\n# METADATA\n# title: x\na := 1", `mode "odd" has no METADATA`},
		{"another package", strings.Replace(metadata, "modes.odd", "modes.even", 1), file + `:8:1: "package rulecheck.modes.even"; want "package rulecheck.modes.odd", the name of the directory`},
		{"no title", strings.Replace(metadata, "# title: Odd files\n", "", 1), file + ":1:1: METADATA has no title"},
		{"no description", strings.Replace(metadata, "# description: What is odd.\n", "", 1), "METADATA has no description"},
		{"nothing to separate", strings.Replace(metadata, "#   facts", "#   separate: true\n#   facts", 1), `custom.separate: it is about each correspondence; want "correspondences" in custom.facts`},
		{"unknown custom field", strings.Replace(metadata, "facts", "fatcs", 1), `custom: unknown field "fatcs"; did you mean "facts"? want one of "counts", "examples", "facts", "listing", "params", "separate", "suggestion"`},
		{"unknown listing", strings.Replace(metadata, "facts: [matches]", "facts: [matches]\n#   listing: file", 1), `custom.listing: unknown listing "file"; did you mean "files"? want one of "files", "message"`},
		{"no custom", "# METADATA\n# title: x\n# description: y\npackage rulecheck.modes.odd", `want one that is called "odd" or begins with "odd."`},
		{"params no mapping", strings.Replace(metadata, "params:\n#     odd: patterns", "params: [odd]", 1), `custom.params: bad value "[odd]"; want a mapping from parameter to type`},
		{"no parameter of its name", params("oddity: patterns"), `want one that is called "odd" or begins with "odd."`},
		{"a value with others inside it", params("odd: patterns\n#     odd.a: string"), `"odd" is a value, and "odd.a" is inside it; want only one of them`},
		{"bad parameter name", params("odd.a.b: patterns"), `bad parameter name "odd.a.b"`},
		{"unknown type", params("odd: pattrens"), `custom.params: odd.type: unknown type "pattrens"; did you mean "patterns"? want one of "pattern", "patterns"`},
		{"type no text", params("odd: 3"), `odd.type: bad value "3"; want a text`},
		{"no type", params("odd: {optional: true}"), `odd: no type; want one of "pattern"`},
		{"unknown field", params("odd: {type: patterns, distinkt: true}"), `odd: unknown field "distinkt"; did you mean "distinct"?`},
		{"optional no boolean", params("odd: {type: patterns, optional: maybe}"), `odd.optional: bad value "maybe"; want true or false`},
		{"facts of a parameter that must be there", params("odd: {type: patterns, facts: [size]}"), `odd: facts is for optional parameters without a default`},
		{"unknown fact of a parameter", strings.Replace(params("odd: patterns\n#     odd_size: {type: integer, optional: true, facts: [sise]}"), "[matches]", "[matches, size]", 1), `custom.params.odd_size.facts: not a fact of changes in custom.facts "sise"; did you mean "size"?`},
		{"fact of a parameter that is not declared", params("odd: patterns\n#     odd_size: {type: integer, optional: true, facts: [size]}"), `custom.params.odd_size.facts: not a fact of changes in custom.facts "size"`},
		{"at_least no number", params("odd: {type: patterns, at_least: two}"), `odd.at_least: bad value "two"; want a whole number`},
		{"at_least 0", params("odd: {type: patterns, at_least: 0}"), "odd: at_least: bad value 0; want 1 or more"},
		{"at_least of no list", params("odd: {type: pattern, at_least: 2}"), `at_least is for lists and whole numbers; "pattern" is neither`},
		{"distinct of no list", params("odd: {type: pattern, distinct: true}"), `distinct is for lists; the type is "pattern"`},
		{"captures of no pattern", params("odd: {type: string, captures: same}"), `captures is for patterns; the type is "string"`},
		{"captures of nothing", params("odd: {type: patterns, captures: even}"), `odd.captures: bad value "even"; want "same" or another parameter`},
		{"a key with an unknown one", params("odd: pattern\n#     even: {type: string, optional: true, with: other}"), `even.with: bad value "other"; want another parameter`},
		{"an unknown limit", params("odd: {type: strings, limits: statuses}"), `unknown limit "statuses"; did you mean "status"?`},
		{"a limit of another type", params("odd: {type: string, limits: added}"), `odd: limits: "added" does not fit the type "string"`},
		{"an unknown check", params("odd: {type: string, checks: stat}"), `unknown check "stat"; did you mean "state"?`},
		{"checks of other values", params("odd: {type: string, one_of: [a], checks: {b: state}}"), "odd: checks: names no value of one_of"},
		{"a required key with another", params("odd: {type: pattern, optional: true}\n#     even: {type: string, with: odd}"), "even: with is for optional parameters"},
		{"status of no pattern", params("odd: {type: string, status: [added]}"), `status is for patterns that trigger a rule; the type is "string"`},
		{"captures of itself", params("odd: {type: patterns, captures: odd}"), `odd.captures: bad value "odd"`},
		{"one_of of no string", params("odd: {type: integer, one_of: [a]}"), `one_of is for "string" and "strings", not "integer"`},
		{"one_of no list", params("odd: {type: string, one_of: a}"), `odd.one_of: bad value "a"; want a list of texts`},
		{"one_of of numbers", params("odd: {type: string, one_of: [1]}"), `odd.one_of: bad value "1"; want a text`},
		{"one_of nothing", params("odd: {type: string, one_of: []}"), "odd: one_of: bad value []"},
		{"default of another type", params("odd: {type: integer, default: three}"), `odd: default: bad value "three" for a parameter of type "integer"`},
		{"default of patterns", params("odd: {type: patterns, default: [a]}"), `odd: default: bad value "[a]" for a parameter of type "patterns"`},
		{"default not allowed", params("odd: {type: string, one_of: [a, b], default: c}"), `odd: default: bad value "c"; want one of "a", "b"`},
		{"facts no list", strings.Replace(metadata, "[matches]", "matches", 1), `custom.facts: bad value "matches"; want a list of texts`},
		{"unknown fact", strings.Replace(metadata, "[matches]", "[matchse]", 1), `custom.facts: unknown fact "matchse"; did you mean "matches"?`},
		{"files that no parameter names", strings.Replace(metadata, "[matches]", "[files]", 1), `custom.facts: "files" is of parameters of type "files"; want one in custom.params`},
		{"files that no fact has", params("odd: files"), `custom.params: a parameter has the type "files"; want "files" in custom.facts, or the type "patterns"`},
		{"facts of both kinds", strings.Replace(metadata, "[matches]", "[matches, visit]", 1), `"visit" is a fact of sessions and "matches" is not`},
		{"metrics of nothing", strings.Replace(metadata, "[matches]", "[metrics]", 1), `custom.counts is missing`},
		{"counts for nobody", counts("visit", "of: seconds"), `custom.counts has no effect; want "metrics" in custom.facts`},
		{"counts of the unknown", counts("metrics", "of: words"), `custom.counts: of: unknown word "words"; want one of "commands", "edits", "seconds", "tokens"`},
		{"parts of commands", counts("metrics", "of: commands, parts: odd"), `custom.counts.parts: commands have none`},
		{"seconds that match", counts("metrics", "of: seconds, matching: odd"), `custom.counts.matching: seconds match nothing`},
		{"tokens in a window", counts("metrics", "of: tokens, within: odd"), `custom.counts.within: tokens are counted over the whole visit`},
		{"no such parameter", counts("metrics", "of: commands, matching: even"), `custom.counts.matching: no parameter "even" of type "regex"`},
		{"a parameter of another type", counts("metrics", "of: commands, within: odd"), `custom.counts.within: no parameter "odd" of type "integer"`},
		{"a fact of changes it does not see", strings.Replace(metadata, "[matches]", "[now, size]", 1), file + `:7:18: custom.facts: only changes have the fact "size"; want one of "matches", "changes"`},
		{"a fact it does not declare", metadata + "\na if input.changes[_]", file + `:10:6: reads input.changes; want it in custom.facts`},
		{"such a fact by import", metadata + "\nimport input.changes", file + ":10:8: reads input.changes"},
		{"the whole input", metadata + "\na := input", file + ":10:6: reads the whole input"},
		{"a fact it does not name", metadata + "\na contains x if input[x]", file + ":10:17: reads input[x]; want the facts it needs by name"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := policies.Parse(fstest.MapFS{file: {Data: []byte(tc.text)}})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Parse: %v; want %q in it", err, tc.want)
			}
		})
	}
}

func TestParseRefusesMetadataTwice(t *testing.T) {
	_, err := policies.Parse(fstest.MapFS{
		"rulecheck/modes/odd/more.rego": {Data: []byte(metadata)},
		"rulecheck/modes/odd/odd.rego":  {Data: []byte(metadata)},
	})
	want := `rulecheck/modes/odd/odd.rego:1:1: duplicate METADATA of mode "odd"; the first is at rulecheck/modes/odd/more.rego:1`
	if err == nil || err.Error() != want {
		t.Errorf("Parse: %v; want %s", err, want)
	}
}

func TestParseHoldsTheLibraryToItsArguments(t *testing.T) {
	_, err := policies.Parse(fstest.MapFS{
		"rulecheck/modes/odd/odd.rego": {Data: []byte(metadata)},
		"rulecheck/lib/lib.rego":       {Data: []byte("package rulecheck.lib\n\na if input.matches\nb if input.rule")},
	})
	want := `rulecheck/lib/lib.rego:3:6: reads input.matches; want it in custom.facts of a mode`
	if err == nil || err.Error() != want {
		t.Errorf("Parse: %v; want %s", err, want)
	}
}

func TestParseReportsAllErrorsTogether(t *testing.T) {
	for _, files := range []fstest.MapFS{
		{"rulecheck/a.rego": {Data: []byte("package")}, "rulecheck/b.rego": {Data: []byte("package")}},
		{"rulecheck/modes/a/a.rego": {Data: []byte("package a")}, "rulecheck/modes/b/b.rego": {Data: []byte("package b")}},
	} {
		_, err := policies.Parse(files)
		for file := range files {
			if err == nil || !strings.Contains(err.Error(), file+":1:") {
				t.Errorf("Parse: %v; want an error of %s in it", err, file)
			}
		}
	}
}

func TestParseWantsModes(t *testing.T) {
	_, err := policies.Parse(fstest.MapFS{"rulecheck/main.rego": {Data: []byte("package rulecheck.main")}})
	if err == nil || !strings.Contains(err.Error(), "rulecheck/modes") {
		t.Errorf("Parse: %v; want one that names rulecheck/modes", err)
	}
}
