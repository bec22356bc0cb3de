package policy_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

func TestDecideRefusesAnUnknownMode(t *testing.T) {
	_, err := shipped(t).Decide(t.Context(), policy.Input{Rule: rule.Info{ID: "source-test", Mode: "sett"}})
	var known []string
	for name := range load(t).Modes {
		known = append(known, strconv.Quote(name))
	}
	slices.Sort(known)
	want := "rule source-test: mode sett: no policy for it; want one of " + strings.Join(known, ", ")
	if err == nil || err.Error() != want {
		t.Errorf("Decide: %v; want %s", err, want)
	}
	if typed, ok := errors.AsType[*policy.Error](err); !ok || typed.Rule != "source-test" || typed.Mode != "sett" {
		t.Errorf("Decide: %#v; want a *policy.Error that names rule and mode", err)
	}
}

// Whatever is no set of violations is an error that names the rule: taken for
// an empty set, it would pass for obedience.
func TestDecideRefusesAnythingButViolations(t *testing.T) {
	for _, tc := range []struct{ name, rules, want string }{
		{"undefined", `violations := set() if input.rule.name == "x"`, "data.rulecheck.main.violations is undefined"},
		{"another name", `violation contains {"message": "x"}`, "data.rulecheck.main.violations is undefined"},
		{"two results", "violations := set()\nviolations := {{}} if input.rule.id", "odd.rego:8: eval_conflict_error"},
		{"builtin error", `violations contains {"line": 1 / (count(input.matches.odd) - 1)}`, "odd.rego:7: eval_builtin_error: div: divide by zero"},
		{"text", `violations := "x"`, `violations is "x"; want a set of violations`},
		{"false", `violations := false`, `violations is false; want a set of violations`},
		{"list", `violations := [{"message": "x"}]`, `want a set of violations`},
		{"object", `violations["a"] := {"message": "x"}`, `want a set of violations`},
		{"set of texts", `violations contains "x"`, `violation "x": is of type string; want an object`},
		{"empty violation", `violations contains {}`, `violation {}: is empty; want some of ["changed" "column" "expected"`},
		{"unknown field", `violations contains {"mesage": "x"}`, `unknown field "mesage"; want some of ["changed" "column" "expected"`},
		{"field that is no text", `violations contains {1: "x"}`, `unknown field 1`},
		{"path of another type", `violations contains {"path": 1}`, `path: bad value 1; want a string that is not empty`},
		{"empty path", `violations contains {"path": ""}`, `path: bad value ""; want a string that is not empty`},
		{"message of another type", `violations contains {"message": ["x"]}`, `message: bad value ["x"]`},
		{"line of another type", `violations contains {"line": "1"}`, `line: bad value "1"; want a whole number from 1`},
		{"line 0", `violations contains {"line": 0}`, `line: bad value 0`},
		{"half a line", `violations contains {"line": 1.5}`, `line: bad value 1.5`},
		{"expected of another type", `violations contains {"expected": "x"}`, `expected: bad value "x"; want a set or a list`},
		{"expected in an object", `violations contains {"expected": {"x": "y"}}`, `expected: bad value {"x": "y"}; want a set or a list`},
		{"expected of numbers", `violations contains {"expected": ["x", 1]}`, `expected: bad value 1; want a string`},
		{"trigger_files of another type", `violations contains {"trigger_files": null}`, `trigger_files: bad value null`},
		{"related of another type", `violations contains {"related": "x"}`, `related: bad value "x"`},
		{"related texts", `violations contains {"related": ["x"]}`, `related: is of type string; want an object`},
		{"related without path", `violations contains {"related": [{"line": 1}]}`, `related: no path`},
		{"related with more", `violations contains {"related": [{"path": "x", "col": 1}]}`, `related: unknown field "col"; want some of ["line" "path"]`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := withMode(t, tc.rules).Decide(t.Context(), odd())
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), "rule r: mode odd: ") {
				t.Errorf("Decide = %+v, %v; want %q in an error of the rule", got, err, tc.want)
			}
		})
	}
}

// An entrypoint that is gone is as bad as a mode that is.
func TestDecideRefusesAMissingEntrypoint(t *testing.T) {
	engine, err := compile(t, "rulecheck/main.rego", "package rulecheck.main")
	if err != nil {
		t.Fatal(err)
	}
	_, err = engine.Decide(t.Context(), policy.Input{Rule: rule.Info{ID: "r", Mode: "set"}})
	if err == nil || !strings.Contains(err.Error(), "is undefined") {
		t.Errorf("Decide: %v; want it undefined", err)
	}
}

func TestNewRefusesMisspeltFields(t *testing.T) {
	for _, tc := range []struct{ name, expression, want string }{
		{"of the input", `input.rule.lvel`, `want (one of): ["id" "level" "mode" "name" "params"]`},
		{"a parameter", `input.matches.od`, `want (one of): ["odd" "safety"]`},
		{"of the rule's parameters", `input.rule.params.od == 1`, `want (one of): ["odd"]`},
		{"of a match", `input.matches.odd[_].pth`, `want (one of): ["captures" "change" "parts" "path"]`},
		{"of a change", `input.matches.odd[_].change.stauts`, `want (one of): ["kind" "mode" "old_path" "path" "similarity" "status" "untracked"]`},
		{"the base, which only modes of a project see", `input.base.found`, `want (one of): ["matches" "rule"]`},
		{"compared to another type", `input.matches.odd[_].path == 1`, `match error`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := compile(t, oddFile, oddMetadata+"violations contains {\"message\": \"x\"} if "+tc.expression)
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), oddFile+":7: rego_type_error") {
				t.Errorf("New: %v; want %q in an error of %s:7", err, tc.want, oddFile)
			}
		})
	}
}

// TestOwnPoliciesAreTyped compiles the policies of the program against the types of their facts,
// which a run does only if a project added any.
func TestOwnPoliciesAreTyped(t *testing.T) {
	bundle, err := policies.Parse(os.DirFS("../../policies"))
	if err != nil {
		t.Fatal(err)
	}
	if !bundle.Typed() {
		t.Fatal("the policies are not typed")
	}
	if _, err := policy.New(t.Context(), bundle); err != nil {
		t.Error(err)
	}
}

func TestNewIsStrict(t *testing.T) {
	_, err := compile(t, oddFile, oddMetadata+"violations contains 1 if { idle := 1 }")
	if want := oddFile + ":7: rego_compile_error: assigned var idle unused"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("New: %v; want %s", err, want)
	}
}

// TestNewRefusesBuiltins tries what would make a verdict depend on anything but
// the facts, and what builds as much as a number says.
func TestNewRefusesBuiltins(t *testing.T) {
	names := []string{
		"http.send", "net.lookup_ip_addr", "net.cidr_expand", "opa.runtime", "time.now_ns", "rand.intn", "uuid.rfc4122",
		"trace", "rego.parse_module", "providers.aws.sign_req", "io.jwt.decode_verify", "io.jwt.encode_sign",
		"io.jwt.verify_hs256", "json.match_schema", "json.verify_schema",
		"numbers.range", "numbers.range_step", "bits.lsh", "strings.render_template",
	}
	for _, builtin := range ast.Builtins {
		if builtin.IsNondeterministic() {
			names = append(names, builtin.Name)
		}
	}
	for _, name := range names {
		_, err := compile(t, oddFile, oddMetadata+"violations contains "+name+"()")
		if want := "undefined function " + name; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New: %v; want %s", err, want)
		}
	}
}

// Schemas may refer to other hosts, in builtins and in METADATA.
func TestNewFetchesNothing(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s %s was asked for", r.Method, r.URL)
	}))
	defer server.Close()

	builtin := fmt.Sprintf(`violations contains json.match_schema({}, {"$ref": "%s/schema.json"})`, server.URL)
	_, err := compile(t, oddFile, oddMetadata+builtin)
	if err == nil || !strings.Contains(err.Error(), "undefined function json.match_schema") {
		t.Errorf("New: %v; want json.match_schema undefined", err)
	}

	annotation := fmt.Sprintf("# METADATA\n# schemas: [{input: {$ref: '%s/schema.json'}}]\n", server.URL)
	_, err = compile(t, oddFile, oddMetadata+annotation+`violations contains {"message": input.rule.id}`)
	if err == nil || !strings.Contains(err.Error(), "remote reference loading disabled") {
		t.Errorf("New: %v; want the reference refused", err)
	}
}
