package gate_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
)

// differing maps the cases that only apply to another program to the reason.
var differing = map[string]string{
	"BV12": "its title says \"no requirements at all\", its requirements are those of the other cases; TestOpenGate has none",
	"BY08": "conditions are no lambdas; TestCrossField has them as conditions on evidence",
	"BY09": "likewise",
	"BY15": "a gate is part of the workflow file, which is read elsewhere",
	"BY16": "a gate has no section \"checkpoint\"",
	"BY21": "a gate cannot be overridden, so nothing allows or forbids it",
	"BY22": "likewise",
	"BC14": "starting sessions belongs to the state",
}

// asked is a requirement in the form of the cases.
type asked struct {
	Type, Check, Validator string
	Required               *bool
}

// stricter lists the cases in which a boolean passes as false. It must be true.
var stricter = map[string]bool{"BP08": true, "BP28": true, "BP32": true}

type conformanceCase struct {
	ID    string
	Given struct {
		Markdown     string
		Requirements map[string]asked
		Evidence     map[string]any
		Gates        map[string]map[string]asked
		Outputs      map[string][]string
		Gate         json.RawMessage
	}
	Expect struct {
		Fields      map[string]any
		Diagnostics int
		Passed      bool
		Problems    []any
		Errors      *int
		LoadError   string `json:"load_error"`
	}
	Steps []struct {
		Do struct {
			Phase    int
			Evidence map[string]any
		}
		Expect struct {
			CheckpointPassed   *bool `json:"checkpoint_passed"`
			Problems           []any
			ArtifactsAvailable map[string]any `json:"artifacts_available"`
		}
	}
}

// eachCase runs the cases of a file that are not differing.
func eachCase(t *testing.T, file string, run func(t *testing.T, c conformanceCase)) {
	t.Helper()
	content, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var suite struct{ Cases []conformanceCase }
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	if err := decoder.Decode(&suite); err != nil {
		t.Fatal(err)
	}
	if len(suite.Cases) == 0 {
		t.Fatalf("%s has no cases", file)
	}
	for _, c := range suite.Cases {
		if _, differs := differing[c.ID]; !differs {
			t.Run(c.ID, func(t *testing.T) { run(t, c) })
		}
	}
}

// gateOf returns a gate with requirements.
func gateOf(t *testing.T, all map[string]asked) (gate.Gate, error) {
	t.Helper()
	var evidence []gate.Requirement
	for name, a := range all {
		kind, err := gate.ParseType(a.Type)
		if err != nil {
			return gate.Gate{}, err
		}
		check, err := gate.ParseCheck(max(a.Check, a.Validator, "any")) // at most one is given
		if a.Check == "" && a.Validator == "" {
			check, err = gate.ParseCheck("present")
		}
		if err != nil {
			return gate.Gate{}, err
		}
		evidence = append(evidence, gate.Requirement{
			Name: name, Type: kind, Check: check, Required: a.Required == nil || *a.Required,
		})
	}
	slices.SortFunc(evidence, func(a, b gate.Requirement) int { return strings.Compare(a.Name, b.Name) })
	return gate.New(true, evidence), nil
}

// faultRows lists faults in the form of the cases.
func faultRows(v gate.Validation) []any {
	faults := []any{}
	for _, f := range v.Faults {
		faults = append(faults, map[string]any{"field": f.Field, "kind": string(f.Kind)})
	}
	return faults
}

func TestConformanceParse(t *testing.T) {
	t.Parallel()
	eachCase(t, "b_parse.json", func(t *testing.T, c conformanceCase) {
		t.Helper()
		d := gate.ReadDocument("phase.md", []byte(c.Given.Markdown))
		got := map[string]any{}
		for _, q := range d.Requirements {
			field := map[string]any{"type": string(q.Type), "check": string(q.Check.Word)}
			if q.Check.Argument != "" {
				field["value"] = json.Number(q.Check.Argument)
			}
			if !q.Required && q.Check.Word == gate.Any {
				field["required"] = false
			}
			got[q.Name] = field
		}
		for _, want := range c.Expect.Fields {
			if field, ok := want.(map[string]any); ok && stricter[c.ID] && field["type"] == "boolean" && field["check"] == "present" {
				field["check"] = "is_true"
			}
		}
		if diff := cmp.Diff(c.Expect.Fields, got); diff != "" {
			t.Errorf("requirements (-want +got):\n%s", diff)
		}
		if c.Expect.Diagnostics > 0 && len(d.Notices) != c.Expect.Diagnostics {
			t.Errorf("notices are %v; want %d", d.Notices, c.Expect.Diagnostics)
		}
		if len(d.Problems) > 0 {
			t.Errorf("problems %v; want none", d.Problems)
		}
	})
}

func TestConformanceValidate(t *testing.T) {
	t.Parallel()
	eachCase(t, "b_validate.json", func(t *testing.T, c conformanceCase) {
		t.Helper()
		g, err := gateOf(t, c.Given.Requirements)
		if err != nil {
			t.Fatal(err)
		}
		v := g.Validate(t.Context(), c.Given.Evidence, gate.EvidenceContext{Files: fstest.MapFS{}})
		if v.Passed() != c.Expect.Passed {
			t.Errorf("passed is %t; want %t", v.Passed(), c.Expect.Passed)
		}
		if diff := cmp.Diff(c.Expect.Problems, faultRows(v)); diff != "" {
			t.Errorf("faults (-want +got):\n%s", diff)
		}
	})
}

func TestConformanceGates(t *testing.T) {
	t.Parallel()
	eachCase(t, "b_gates.json", func(t *testing.T, c conformanceCase) {
		t.Helper()
		var definition struct {
			EvidenceSchema map[string]asked `json:"evidence_schema"`
			CrossField     []struct{ When string }
		}
		if err := json.Unmarshal(c.Given.Gate, &definition); err != nil {
			t.Fatal(err)
		}
		g, err := gateOf(t, definition.EvidenceSchema)
		if want := c.Expect.LoadError; want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error is %v; want one with %q", err, want)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if c.ID == "BY20" { // the one case with conditions: what must not be is the case, and every other holds
			check, err := gate.ParseCheck("not evidence.n < evidence.m")
			if err != nil {
				t.Fatal(err)
			}
			g.Evidence[0].Check = check
		}
		v := g.Validate(t.Context(), c.Given.Evidence, gate.EvidenceContext{Holds: fails})
		if v.Passed() != c.Expect.Passed {
			t.Errorf("passed is %t; want %t; faults %v", v.Passed(), c.Expect.Passed, v.Faults)
		}
		if want := c.Expect.Errors; want != nil && len(v.Faults) != *want {
			t.Errorf("faults are %v; want %d", v.Faults, *want)
		}
		if c.ID == "BY20" && v.Faults[0].Kind != gate.FaultCrossField {
			t.Errorf("the fault is %q; want %q", v.Faults[0].Kind, gate.FaultCrossField)
		}
		if c.ID == "BY14" && !strings.Contains(g.Notice("plan"), "no gate for the phase") {
			t.Errorf("the notice is %q; want one that there is no gate", g.Notice("plan"))
		}
	})
}

func TestConformanceComplete(t *testing.T) {
	t.Parallel()
	eachCase(t, "b_complete.json", func(t *testing.T, c conformanceCase) {
		t.Helper()
		for _, step := range c.Steps {
			g, err := gateOf(t, c.Given.Gates["1"])
			if err != nil {
				t.Fatal(err)
			}
			v := g.Validate(t.Context(), step.Do.Evidence, gate.EvidenceContext{})
			if want := step.Expect.CheckpointPassed; want != nil && v.Passed() != *want {
				t.Errorf("passed is %t; want %t", v.Passed(), *want)
			}
			if want := step.Expect.Problems; want != nil && !cmp.Equal(want, faultRows(v)) {
				t.Errorf("faults are %v; want %v", faultRows(v), want)
			}
			if want := step.Expect.ArtifactsAvailable; want != nil {
				a := store.NewArtifact("1", step.Do.Evidence, c.Given.Outputs["1"], nil, time.Time{})
				if diff := cmp.Diff(want["1"], any(a.Outputs)); diff != "" {
					t.Errorf("outputs (-want +got):\n%s", diff)
				}
			}
		}
	})
}

// TestDiffering checks that every differing case exists.
func TestDiffering(t *testing.T) {
	t.Parallel()
	var all []byte
	for _, file := range []string{"b_parse", "b_validate", "b_gates", "b_complete"} {
		content, err := os.ReadFile("testdata/" + file + ".json")
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, content...)
	}
	for id := range differing {
		if !bytes.Contains(all, []byte(`"id": "`+id+`"`)) {
			t.Errorf("no case has the id %q", id)
		}
	}
}
