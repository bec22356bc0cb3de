package gate_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// fails evaluates every condition to false.
func fails(context.Context, gate.Requirement, map[string]any) (bool, error) { return false, nil }

// ask returns a requirement with a type and a check.
func ask(t *testing.T, name string, kind gate.Type, check string) gate.Requirement {
	t.Helper()
	c, err := gate.ParseCheck(check)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Suits(kind); err != nil {
		t.Fatal(err)
	}
	return gate.Requirement{Name: name, Type: kind, Check: c, Required: true}
}

// messages returns the messages of all faults.
func messages(v gate.Validation) []string {
	var all []string
	for _, f := range v.Faults {
		all = append(all, f.Message)
	}
	return all
}

const analysis = `# Phase 1: analysis

Evidence: ` + "`function_count`" + ` number of functions, at least one
Evidence: ` + "`method_count`" + ` number of methods
Evidence: ` + "`branch_count`" + ` number of branches
You must provide ` + "`ast_command_output`" + `, the text that the command printed, non-empty
Required: ` + "`functions_list`" + ` list of names, non-empty
`

func TestValidatePass(t *testing.T) {
	t.Parallel()
	g, _ := gate.Gate{}.WithDocument(gate.ReadDocument("1.md", []byte(analysis)))
	v := g.Validate(t.Context(), map[string]any{
		"function_count": 21.0, "method_count": 15, "branch_count": json.Number("36"),
		"ast_command_output": "def compile()...", "functions_list": []any{"compile", "parse"},
	}, gate.EvidenceContext{})
	if !v.Passed() || len(v.Notices) > 0 {
		t.Errorf("verdict is %+v; want silence", v)
	}
}

func TestValidateFail(t *testing.T) {
	t.Parallel()
	g, _ := gate.Gate{}.WithDocument(gate.ReadDocument("1.md", []byte(analysis)))
	v := g.Validate(t.Context(), map[string]any{"function_count": 21}, gate.EvidenceContext{})
	reply := g.Incomplete(v, map[string]any{"method_count": json.Number("15"), "functions_list": "no list"})
	want := gate.Incomplete{
		MissingEvidence: []string{
			"method_count (required: Evidence: method_count number of methods)",
			"branch_count (required: Evidence: branch_count number of branches)",
			"ast_command_output (required: You must provide ast_command_output, the text that the command printed, non-empty)",
			"functions_list (required: Required: functions_list list of names, non-empty)",
		},
		RequiredFormat: map[string]gate.Format{
			"function_count":     {Type: "integer", Validator: "positive_or_nonempty", Required: true, Description: "Evidence: function_count number of functions, at least one"},
			"method_count":       {Type: "integer", Validator: "present", Required: true, Description: "Evidence: method_count number of methods"},
			"branch_count":       {Type: "integer", Validator: "present", Required: true, Description: "Evidence: branch_count number of branches"},
			"ast_command_output": {Type: "string", Validator: "nonempty", Required: true, Description: "You must provide ast_command_output, the text that the command printed, non-empty"},
			"functions_list":     {Type: "list", Validator: "nonempty", Required: true, Description: "Required: functions_list list of names, non-empty"},
		},
		Examples: map[string]any{
			"function_count": 1, "method_count": json.Number("15"), "branch_count": 1,
			"ast_command_output": "text", "functions_list": []string{"…"},
		},
		Message: "Provide all required evidence to complete the checkpoint.",
	}
	if diff := cmp.Diff(want, reply); diff != "" {
		t.Errorf("reply (-want +got):\n%s", diff)
	}
}

func TestValidateMessages(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"docs/a.md": {Data: []byte("a")}}
	for _, test := range []struct {
		kind  gate.Type
		check string
		value any
		want  string // empty: passes
	}{
		{gate.Integer, "present", json.Number("21.0"), ""},
		{gate.Integer, "present", json.Number("2.1e1"), ""},
		{gate.Integer, "present", 21.5, "x (wrong type: expected integer, got number 21.5)"},
		{gate.Integer, "present", true, "x (wrong type: expected integer, got boolean true)"},
		{gate.Integer, "present", json.Number("0.99999999999999999999"), "x (wrong type: expected integer, got number 0.99999999999999999999)"},
		{gate.Integer, "present", json.Number("1e999999999"), "x (wrong type: expected integer, got number 1e999999999)"},
		{gate.Integer, "min 9007199254740993", json.Number("9007199254740992"), "x (validation failed: got number 9007199254740992, want at least 9007199254740993)"},
		{gate.Integer, "min 9007199254740993", json.Number("9007199254740993"), ""},
		{gate.Integer, "min -3", int64(-3), ""},
		{gate.Integer, "positive", uint64(0), "x (validation failed: got number 0, want more than 0)"},
		{gate.Number, "min 0.5", 0.25, "x (validation failed: got number 0.25, want at least 0.5)"},
		{gate.Number, "positive", "1", `x (wrong type: expected number, got string "1")`},
		{gate.String, "nonempty", " \n", `x (validation failed: got string " \n", want a non-empty value)`},
		{gate.String, "min 3", "äöü", ""},
		{gate.String, "matches ^v[0-9]+$", "v1.0", `x (validation failed: got string "v1.0", want text that matches ^v[0-9]+$)`},
		{gate.String, "matches ^v[0-9]+$", "v1", ""},
		{gate.String, "present", []any{}, "x (wrong type: expected string, got list of 0)"},
		{gate.String, "present", nil, "x (required: string)"},
		{gate.String, "any", nil, ""},
		{gate.String, "present", strings.Repeat("ä", 99), ""},
		{gate.Integer, "present", strings.Repeat("ä", 99), `x (wrong type: expected integer, got string "` + strings.Repeat("ä", 40) + `…")`},
		{gate.List, "min 2", []any{1}, "x (validation failed: got list of 1, want at least 2)"},
		{gate.List, "positive_or_nonempty", []any{}, "x (validation failed: got list of 0, want more than 0, or a non-empty value)"},
		{gate.List, "present", map[string]any{"a": 1}, "x (wrong type: expected list, got object of 1)"},
		{gate.Object, "nonempty", map[string]any{}, "x (validation failed: got object of 0, want a non-empty value)"},
		{gate.Object, "present", struct{}{}, "x (wrong type: expected object, got number {})"},
		{gate.Boolean, "is_true", false, "x (validation failed: got boolean false, want true)"},
		{gate.Boolean, "is_true", true, ""},
		{gate.Boolean, "present", false, ""},
		{gate.Boolean, "present", "yes", `x (wrong type: expected boolean, got string "yes")`},
		{gate.String, "file_exists", "docs/a.md", ""},
		{gate.String, "file_exists", "./docs/a.md", ""},
		{gate.String, "file_exists", "docs", ""},
		{gate.String, "file_exists", ".", `x (validation failed: got string ".", not a path in the repository, want the path of a file or directory in the repository)`},
		{gate.String, "file_exists", "docs/b.md", `x (validation failed: got string "docs/b.md", which does not exist, want the path of a file or directory in the repository)`},
		{gate.String, "file_exists", "docs/../docs/a.md", `x (validation failed: got string "docs/../docs/a.md", not a path in the repository, want the path of a file or directory in the repository)`},
		{gate.String, "file_exists", "/etc/passwd", `x (validation failed: got string "/etc/passwd", not a path in the repository, want the path of a file or directory in the repository)`},
		{gate.String, "file_exists", "", `x (validation failed: got string "", not a path in the repository, want the path of a file or directory in the repository)`},
	} {
		g := gate.New(true, []gate.Requirement{ask(t, "x", test.kind, test.check)})
		v := g.Validate(t.Context(), map[string]any{"x": test.value}, gate.EvidenceContext{Files: files})
		if got := strings.Join(messages(v), "\n"); got != test.want {
			t.Errorf("%s, %s of %v: %q; want %q", test.kind, test.check, test.value, got, test.want)
		}
	}
}

func TestValidateNoRepository(t *testing.T) {
	t.Parallel()
	g := gate.New(true, []gate.Requirement{ask(t, "x", gate.String, "file_exists")})
	v := g.Validate(t.Context(), map[string]any{"x": "a"}, gate.EvidenceContext{})
	if want := []string{"x (validation failed: got no repository to look in, want the path of a file or directory in the repository)"}; !cmp.Equal(want, messages(v)) {
		t.Errorf("faults are %q; want %q", messages(v), want)
	}
}

// A symbolic link must not lead out of the repository.
func TestValidateSymlink(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	g := gate.New(true, []gate.Requirement{ask(t, "x", gate.String, "file_exists")})
	v := g.Validate(t.Context(), map[string]any{"x": "link"}, gate.EvidenceContext{Files: root.FS()})
	if v.Passed() || v.Faults[0].Kind != gate.FaultArtifact {
		t.Errorf("faults are %v; want one of an artifact", v.Faults)
	}
}

func TestCrossField(t *testing.T) {
	t.Parallel()
	g := gate.New(true, []gate.Requirement{
		ask(t, "passed", gate.Integer, "evidence.passed == evidence.total"),
		ask(t, "total", gate.Integer, "positive"),
		ask(t, "skipped", gate.Integer, `evidence["skipped"] < 3`),
		ask(t, "notes", gate.String, "count(evidence.notes) < 80"),
	})
	g.Evidence[3].Required = false
	for _, test := range []struct {
		name     string
		evidence map[string]any
		holds    bool
		err      error
		want     []string
	}{
		{"all hold", map[string]any{"passed": 2, "total": 2, "skipped": 0}, true, nil, nil},
		{
			"none holds",
			map[string]any{"passed": 2, "total": 3, "skipped": 4, "notes": "x"},
			false, nil,
			[]string{
				"passed (validation failed: got number 2, want evidence.passed == evidence.total)",
				`skipped (validation failed: got number 4, want evidence["skipped"] < 3)`,
				`notes (validation failed: got string "x", want count(evidence.notes) < 80)`,
			},
		},
		{"what it reads has a fault", map[string]any{"passed": 2, "total": "3", "skipped": 1}, true, nil, []string{`total (wrong type: expected integer, got string "3")`}},
		{"it is missing itself", map[string]any{"total": 3, "skipped": 1}, true, nil, []string{"passed (required: integer, evidence.passed == evidence.total)"}},
		{
			"it cannot be evaluated",
			map[string]any{"passed": 2, "total": 2, "skipped": 0},
			true, errors.New("too slow"),
			[]string{
				"passed (validation error: got too slow, want evidence.passed == evidence.total)",
				`skipped (validation error: got too slow, want evidence["skipped"] < 3)`,
			},
		},
	} {
		v := g.Validate(t.Context(), test.evidence, gate.EvidenceContext{
			Holds: func(context.Context, gate.Requirement, map[string]any) (bool, error) { return test.holds, test.err },
		})
		if diff := cmp.Diff(test.want, messages(v)); diff != "" {
			t.Errorf("%s: faults (-want +got):\n%s", test.name, diff)
		}
		for _, f := range v.Faults {
			if want := map[bool]gate.FaultKind{true: gate.FaultCrossField, false: gate.FaultCheck}[f.Field == "passed"]; strings.HasPrefix(f.Message, f.Field+" (validation") && f.Kind != want {
				t.Errorf("%s: the fault of %q is %q; want %q", test.name, f.Field, f.Kind, want)
			}
		}
	}
	v := g.Validate(t.Context(), map[string]any{"passed": 1, "total": 1, "skipped": 1}, gate.EvidenceContext{})
	if len(v.Faults) != 2 {
		t.Errorf("without Holds the faults are %v; want one for each condition", v.Faults)
	}
}

func TestOpenGate(t *testing.T) {
	t.Parallel()
	g := gate.New(false, nil)
	if v := g.Validate(t.Context(), map[string]any{"x": 1}, gate.EvidenceContext{}); !v.Passed() || len(v.Notices) > 0 {
		t.Errorf("verdict is %+v; want that anything passes", v)
	}
	if got, want := g.Notice("plan"), `no gate for the phase "plan": it requires no evidence, and any evidence passes`; got != want {
		t.Errorf("notice is %q; want %q", got, want)
	}
}

func TestValidateExtra(t *testing.T) {
	t.Parallel()
	g := gate.New(true, []gate.Requirement{ask(t, "x", gate.Boolean, "present")})
	v := g.Validate(t.Context(), map[string]any{"x": true, "z": 1, "y": 2}, gate.EvidenceContext{})
	if want := []string{`unexpected evidence "y"`, `unexpected evidence "z"`}; !v.Passed() || !cmp.Equal(want, v.Notices) {
		t.Errorf("verdict is %+v; want the notices %q", v, want)
	}
}

// TestExamples checks that an example passes its check, if it can be generated.
func TestExamplePasses(t *testing.T) {
	t.Parallel()
	lawtest.Check(t, func(rt *rapid.T) {
		kind := rapid.SampledFrom([]gate.Type{gate.Boolean, gate.Integer, gate.Number, gate.String, gate.List, gate.Object}).Draw(rt, "type")
		written := rapid.SampledFrom([]string{"present", "any", "nonempty", "positive", "positive_or_nonempty", "is_true", "min 0.5", "min -7", "min 13", "min 20"}).Draw(rt, "check")
		check, err := gate.ParseCheck(written)
		if err != nil {
			rt.Fatal(err)
		}
		if check.Suits(kind) != nil {
			rt.Skip()
		}
		q := gate.Requirement{Name: "x", Type: kind, Check: check, Required: true}
		encoded, err := json.Marshal(map[string]any{"x": q.Example()})
		if err != nil {
			rt.Fatal(err)
		}
		var evidence map[string]any
		if err := json.Unmarshal(encoded, &evidence); err != nil {
			rt.Fatal(err)
		}
		if v := gate.New(true, []gate.Requirement{q}).Validate(context.Background(), evidence, gate.EvidenceContext{}); !v.Passed() {
			rt.Errorf("the example %s fails: %q", encoded, messages(v))
		}
	})
}

func TestExamples(t *testing.T) {
	t.Parallel()
	got := map[string]any{}
	for check, kind := range map[string]gate.Type{
		"file_exists": gate.String, "matches ^v": gate.String, "min 1e30": gate.Integer, "min 1000": gate.String,
	} {
		got[check] = ask(t, "x", kind, check).Example()
	}
	want := map[string]any{
		"file_exists": "path/of/the/file", "matches ^v": "text that matches ^v",
		"min 1e30": json.Number("1000000000000000000000000000000"), "min 1000": "text................",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("examples (-want +got):\n%s", diff)
	}
}

// More of the evidence that passes also passes.
func TestMoreEvidence(t *testing.T) {
	t.Parallel()
	g := gate.New(true, []gate.Requirement{ask(t, "x", gate.Integer, "min 5")})
	lawtest.Check(t, func(rt *rapid.T) {
		evidence := map[string]any{"x": rapid.Float64().Draw(rt, "x")}
		more := maps.Clone(evidence)
		more[rapid.StringMatching("[a-w]+").Draw(rt, "name")] = 1
		one := g.Validate(context.Background(), evidence, gate.EvidenceContext{})
		other := g.Validate(context.Background(), more, gate.EvidenceContext{})
		if one.Passed() != other.Passed() {
			rt.Errorf("%v passes: %t; %v: %t", evidence, one.Passed(), more, other.Passed())
		}
	})
}
