package workflow_test

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

	"github.com/rulecheck/rulecheck/internal/workflow"
)

// fails is a judge before whom no condition holds.
func fails(context.Context, workflow.Requirement, map[string]any) (bool, error) { return false, nil }

// ask is a requirement of a type and a check.
func ask(t *testing.T, name string, kind workflow.Type, check string) workflow.Requirement {
	t.Helper()
	c, err := workflow.ParseCheck(check)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Suits(kind); err != nil {
		t.Fatal(err)
	}
	return workflow.Requirement{Name: name, Type: kind, Check: c, Required: true}
}

// messages are those of all faults.
func messages(v workflow.Verdict) []string {
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
	gate, _ := workflow.Gate{}.WithDocument(workflow.ReadDocument("1.md", []byte(analysis)))
	v := gate.Validate(t.Context(), map[string]any{
		"function_count": 21.0, "method_count": 15, "branch_count": json.Number("36"),
		"ast_command_output": "def compile()...", "functions_list": []any{"compile", "parse"},
	}, workflow.Against{})
	if !v.Passed() || len(v.Notices) > 0 {
		t.Errorf("verdict is %+v; want silence", v)
	}
}

func TestValidateFail(t *testing.T) {
	t.Parallel()
	gate, _ := workflow.Gate{}.WithDocument(workflow.ReadDocument("1.md", []byte(analysis)))
	v := gate.Validate(t.Context(), map[string]any{"function_count": 21}, workflow.Against{})
	told := gate.Incomplete(v, map[string]any{"method_count": json.Number("15"), "functions_list": "no list"})
	want := workflow.Incomplete{
		MissingEvidence: []string{
			"method_count (required: Evidence: method_count number of methods)",
			"branch_count (required: Evidence: branch_count number of branches)",
			"ast_command_output (required: You must provide ast_command_output, the text that the command printed, non-empty)",
			"functions_list (required: Required: functions_list list of names, non-empty)",
		},
		RequiredFormat: map[string]workflow.Format{
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
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

func TestValidateMessages(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"docs/a.md": {Data: []byte("a")}}
	for _, test := range []struct {
		kind  workflow.Type
		check string
		value any
		want  string // empty: passes
	}{
		{workflow.Integer, "present", json.Number("21.0"), ""},
		{workflow.Integer, "present", json.Number("2.1e1"), ""},
		{workflow.Integer, "present", 21.5, "x (wrong type: expected integer, got number 21.5)"},
		{workflow.Integer, "present", true, "x (wrong type: expected integer, got boolean true)"},
		{workflow.Integer, "present", json.Number("0.99999999999999999999"), "x (wrong type: expected integer, got number 0.99999999999999999999)"},
		{workflow.Integer, "present", json.Number("1e999999999"), "x (wrong type: expected integer, got number 1e999999999)"},
		{workflow.Integer, "min 9007199254740993", json.Number("9007199254740992"), "x (validation failed: got number 9007199254740992, want at least 9007199254740993)"},
		{workflow.Integer, "min 9007199254740993", json.Number("9007199254740993"), ""},
		{workflow.Integer, "min -3", int64(-3), ""},
		{workflow.Integer, "positive", uint64(0), "x (validation failed: got number 0, want more than 0)"},
		{workflow.Number, "min 0.5", 0.25, "x (validation failed: got number 0.25, want at least 0.5)"},
		{workflow.Number, "positive", "1", `x (wrong type: expected number, got string "1")`},
		{workflow.String, "nonempty", " \n", `x (validation failed: got string " \n", want something that is not empty)`},
		{workflow.String, "min 3", "äöü", ""},
		{workflow.String, "matches ^v[0-9]+$", "v1.0", `x (validation failed: got string "v1.0", want text in which ^v[0-9]+$ is found)`},
		{workflow.String, "matches ^v[0-9]+$", "v1", ""},
		{workflow.String, "present", []any{}, "x (wrong type: expected string, got list of 0)"},
		{workflow.String, "present", nil, "x (required: string)"},
		{workflow.String, "any", nil, ""},
		{workflow.String, "present", strings.Repeat("ä", 99), ""},
		{workflow.Integer, "present", strings.Repeat("ä", 99), `x (wrong type: expected integer, got string "` + strings.Repeat("ä", 40) + `…")`},
		{workflow.List, "min 2", []any{1}, "x (validation failed: got list of 1, want at least 2)"},
		{workflow.List, "positive_or_nonempty", []any{}, "x (validation failed: got list of 0, want more than 0, or something that is not empty)"},
		{workflow.List, "present", map[string]any{"a": 1}, "x (wrong type: expected list, got object of 1)"},
		{workflow.Object, "nonempty", map[string]any{}, "x (validation failed: got object of 0, want something that is not empty)"},
		{workflow.Object, "present", struct{}{}, "x (wrong type: expected object, got number {})"},
		{workflow.Boolean, "is_true", false, "x (validation failed: got boolean false, want true)"},
		{workflow.Boolean, "is_true", true, ""},
		{workflow.Boolean, "present", false, ""},
		{workflow.Boolean, "present", "yes", `x (wrong type: expected boolean, got string "yes")`},
		{workflow.String, "file_exists", "docs/a.md", ""},
		{workflow.String, "file_exists", "./docs/a.md", ""},
		{workflow.String, "file_exists", "docs", `x (validation failed: got string "docs", which is no file, want the path of a file in the repository)`},
		{workflow.String, "file_exists", "docs/b.md", `x (validation failed: got string "docs/b.md", which is not there, want the path of a file in the repository)`},
		{workflow.String, "file_exists", "docs/../docs/a.md", `x (validation failed: got string "docs/../docs/a.md", no path in the repository, want the path of a file in the repository)`},
		{workflow.String, "file_exists", "/etc/passwd", `x (validation failed: got string "/etc/passwd", no path in the repository, want the path of a file in the repository)`},
		{workflow.String, "file_exists", "", `x (validation failed: got string "", no path in the repository, want the path of a file in the repository)`},
	} {
		gate := workflow.NewGate(true, []workflow.Requirement{ask(t, "x", test.kind, test.check)})
		v := gate.Validate(t.Context(), map[string]any{"x": test.value}, workflow.Against{Files: files})
		if got := strings.Join(messages(v), "\n"); got != test.want {
			t.Errorf("%s, %s of %v: %q; want %q", test.kind, test.check, test.value, got, test.want)
		}
	}
}

func TestValidateNoRepository(t *testing.T) {
	t.Parallel()
	gate := workflow.NewGate(true, []workflow.Requirement{ask(t, "x", workflow.String, "file_exists")})
	v := gate.Validate(t.Context(), map[string]any{"x": "a"}, workflow.Against{})
	if want := []string{"x (validation failed: got no repository to look in, want the path of a file in the repository)"}; !cmp.Equal(want, messages(v)) {
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
	gate := workflow.NewGate(true, []workflow.Requirement{ask(t, "x", workflow.String, "file_exists")})
	v := gate.Validate(t.Context(), map[string]any{"x": "link"}, workflow.Against{Files: root.FS()})
	if v.Passed() || v.Faults[0].Kind != workflow.FaultArtifact {
		t.Errorf("faults are %v; want one of an artifact", v.Faults)
	}
}

func TestCrossField(t *testing.T) {
	t.Parallel()
	gate := workflow.NewGate(true, []workflow.Requirement{
		ask(t, "passed", workflow.Integer, "evidence.passed == evidence.total"),
		ask(t, "total", workflow.Integer, "positive"),
		ask(t, "skipped", workflow.Integer, `evidence["skipped"] < 3`),
		ask(t, "notes", workflow.String, "count(evidence.notes) < 80"),
	})
	gate.Evidence[3].Required = false
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
			"it cannot be judged",
			map[string]any{"passed": 2, "total": 2, "skipped": 0},
			true, errors.New("too slow"),
			[]string{
				"passed (validation error: got too slow, want evidence.passed == evidence.total)",
				`skipped (validation error: got too slow, want evidence["skipped"] < 3)`,
			},
		},
	} {
		v := gate.Validate(t.Context(), test.evidence, workflow.Against{
			Holds: func(context.Context, workflow.Requirement, map[string]any) (bool, error) { return test.holds, test.err },
		})
		if diff := cmp.Diff(test.want, messages(v)); diff != "" {
			t.Errorf("%s: faults (-want +got):\n%s", test.name, diff)
		}
		for _, f := range v.Faults {
			if want := map[bool]workflow.FaultKind{true: workflow.FaultCrossField, false: workflow.FaultCheck}[f.Field == "passed"]; strings.HasPrefix(f.Message, f.Field+" (validation") && f.Kind != want {
				t.Errorf("%s: the fault of %q is %q; want %q", test.name, f.Field, f.Kind, want)
			}
		}
	}
	v := gate.Validate(t.Context(), map[string]any{"passed": 1, "total": 1, "skipped": 1}, workflow.Against{})
	if len(v.Faults) != 2 {
		t.Errorf("without a judge the faults are %v; want one for each condition", v.Faults)
	}
}

func TestOpenGate(t *testing.T) {
	t.Parallel()
	gate := workflow.NewGate(false, nil)
	if v := gate.Validate(t.Context(), map[string]any{"x": 1}, workflow.Against{}); !v.Passed() || len(v.Notices) > 0 {
		t.Errorf("verdict is %+v; want that anything passes", v)
	}
	if got, want := gate.Notice("plan"), `no gate for the phase "plan": it asks for no evidence, and any passes`; got != want {
		t.Errorf("notice is %q; want %q", got, want)
	}
}

func TestValidateExtra(t *testing.T) {
	t.Parallel()
	gate := workflow.NewGate(true, []workflow.Requirement{ask(t, "x", workflow.Boolean, "present")})
	v := gate.Validate(t.Context(), map[string]any{"x": true, "z": 1, "y": 2}, workflow.Against{})
	if want := []string{`nobody asks for "y"`, `nobody asks for "z"`}; !v.Passed() || !cmp.Equal(want, v.Notices) {
		t.Errorf("verdict is %+v; want the notices %q", v, want)
	}
}

// An example passes the check it is an example of, wherever one can be made up.
func TestExamplePasses(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		kind := rapid.SampledFrom([]workflow.Type{workflow.Boolean, workflow.Integer, workflow.Number, workflow.String, workflow.List, workflow.Object}).Draw(rt, "type")
		written := rapid.SampledFrom([]string{"present", "any", "nonempty", "positive", "positive_or_nonempty", "is_true", "min 0.5", "min -7", "min 13", "min 20"}).Draw(rt, "check")
		check, err := workflow.ParseCheck(written)
		if err != nil {
			rt.Fatal(err)
		}
		if check.Suits(kind) != nil {
			rt.Skip()
		}
		q := workflow.Requirement{Name: "x", Type: kind, Check: check, Required: true}
		encoded, err := json.Marshal(map[string]any{"x": q.Example()})
		if err != nil {
			rt.Fatal(err)
		}
		var evidence map[string]any
		if err := json.Unmarshal(encoded, &evidence); err != nil {
			rt.Fatal(err)
		}
		if v := workflow.NewGate(true, []workflow.Requirement{q}).Validate(context.Background(), evidence, workflow.Against{}); !v.Passed() {
			rt.Errorf("the example %s fails: %q", encoded, messages(v))
		}
	})
}

func TestExamples(t *testing.T) {
	t.Parallel()
	got := map[string]any{}
	for check, kind := range map[string]workflow.Type{
		"file_exists": workflow.String, "matches ^v": workflow.String, "min 1e30": workflow.Integer, "min 1000": workflow.String,
	} {
		got[check] = ask(t, "x", kind, check).Example()
	}
	want := map[string]any{
		"file_exists": "path/of/the/file", "matches ^v": "text in which ^v is found",
		"min 1e30": json.Number("1000000000000000000000000000000"), "min 1000": "text................",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("examples (-want +got):\n%s", diff)
	}
}

// Evidence that passes is not made worse by more of it.
func TestMoreEvidence(t *testing.T) {
	t.Parallel()
	gate := workflow.NewGate(true, []workflow.Requirement{ask(t, "x", workflow.Integer, "min 5")})
	rapid.Check(t, func(rt *rapid.T) {
		evidence := map[string]any{"x": rapid.Float64().Draw(rt, "x")}
		more := maps.Clone(evidence)
		more[rapid.StringMatching("[a-w]+").Draw(rt, "name")] = 1
		one := gate.Validate(context.Background(), evidence, workflow.Against{})
		other := gate.Validate(context.Background(), more, workflow.Against{})
		if one.Passed() != other.Passed() {
			rt.Errorf("%v passes: %t; %v: %t", evidence, one.Passed(), more, other.Passed())
		}
	})
}
