package gate_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
)

func TestParseType(t *testing.T) {
	t.Parallel()
	if got, err := gate.ParseType("integer"); got != gate.Integer || err != nil {
		t.Errorf("ParseType is %q, %v; want %q", got, err, gate.Integer)
	}
	_, err := gate.ParseType("intger")
	want := `unknown type of evidence "intger"; did you mean "integer"? want one of "boolean", "integer", "number", "string", "list", "object"`
	if err == nil || err.Error() != want {
		t.Errorf("error is %v; want %s", err, want)
	}
}

func TestParseCheck(t *testing.T) {
	t.Parallel()
	const all = `"present", "any", "nonempty", "positive", "positive_or_nonempty", "min", "is_true", "file_exists", "matches", or a condition on evidence, such as "evidence.n > 3"`
	for text, want := range map[string]string{
		"present":                         "present",
		" min  5 ":                        "min 5",
		"min -1.5e3":                      "min -1.5e3",
		"matches ^a b$":                   "matches ^a b$",
		"evidence.n > 3":                  "evidence.n > 3",
		`count(evidence["a"]) > min`:      `count(evidence["a"]) > min`,
		"not evidence.n < evidence.m":     "not evidence.n < evidence.m",
		"nonemty":                         `unknown check "nonemty"; did you mean "nonempty"? want one of ` + all,
		"minn 5":                          `unknown check "minn 5"; did you mean "min"? want one of ` + all,
		"claims.ready":                    `unknown check "claims.ready"; want one of ` + all,
		"claims.evidence == my_evidences": `unknown check "claims.evidence == my_evidences"; want one of ` + all,
		"":                                `unknown check ""; want one of ` + all,
		"present 5":                       `the check "present" takes no argument; got "5"`,
		"min":                             `the check "min" takes a number, such as "min 5"`,
		"min five":                        `"five" is not a number; want one, such as "min 5"`,
		"min 1e9999999":                   `"1e9999999" is not a number; want one, such as "min 5"`,
		"matches":                         `the check "matches" takes a regular expression, such as "matches ^v[0-9]"`,
		"matches (":                       "the check \"matches\": error parsing regexp: missing closing ): `(`",
	} {
		check, err := gate.ParseCheck(text)
		got := check.String()
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s; want %s", text, got, want)
		}
	}
}

func TestCheckSuits(t *testing.T) {
	t.Parallel()
	check, err := gate.ParseCheck("is_true")
	if err != nil {
		t.Fatal(err)
	}
	if err := check.Suits(gate.Boolean); err != nil {
		t.Error(err)
	}
	want := `the check "is_true" does not apply to the type "string"; want one of "boolean"`
	if err := check.Suits(gate.String); err == nil || err.Error() != want {
		t.Errorf("error is %v; want %s", err, want)
	}
	condition, err := gate.ParseCheck("evidence.x == 1")
	if err != nil {
		t.Fatal(err)
	}
	if err := condition.Suits(gate.Object); err != nil {
		t.Error(err)
	}
}

func TestCheckName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a", "_x", "test-count", "B2"} {
		if err := gate.CheckName(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"", "2b", "a b", "a.b", "²", "\u0308a", "a\xff"} {
		if err := gate.CheckName(name); err == nil || !strings.Contains(err.Error(), "is not a valid evidence name; want") {
			t.Errorf("%q: error is %v; want an error about the name", name, err)
		}
	}
}

func TestWithDocument(t *testing.T) {
	t.Parallel()
	const document = `# Plan
## Validation Gate
| Evidence | Type | Validator | Description |
|---|---|---|---|
| srd | string | file_exists | where it is |
| goals | integer | positive | how many |
| extra | boolean | | only here |
| agreed | boolean | | |
`
	g := gate.New(true, []gate.Requirement{
		ask(t, "goals", gate.Integer, "min 3"),
		ask(t, "srd", gate.String, "file_exists"),
		ask(t, "owner", gate.String, "nonempty"),
		ask(t, "agreed", gate.Boolean, "is_true"),
	})
	g.Evidence[1].Description = "our words"
	g.Evidence[2].Required = false
	for i := range g.Evidence {
		g.Evidence[i].File, g.Evidence[i].Line = "w.yaml", 5+i
	}
	merged, notices := g.WithDocument(gate.ReadDocument("plan.md", []byte(document)))
	var got []string
	for _, q := range merged.Evidence {
		got = append(got, q.Name+": "+string(q.Type)+", "+q.Check.String()+", "+q.Description)
	}
	want := []string{
		"goals: integer, min 3, how many",
		"srd: string, file_exists, our words",
		"owner: string, nonempty, ",
		"agreed: boolean, is_true, ",
		"extra: boolean, is_true, only here",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
	if merged.Open || !merged.Strict {
		t.Errorf("the gate is %+v; want it strict and not open", merged)
	}
	got = nil
	for _, n := range notices {
		got = append(got, n.Code+" "+n.Error())
	}
	want = []string{
		`evidence_differs plan.md:6:1: "goals" is integer, positive here and integer, min 3 in w.yaml:5, which takes precedence`,
		`evidence_differs plan.md:1:1: "owner" is required in w.yaml:7 but not in the document`,
		`evidence_differs plan.md:7:1: "extra" is required in the document but not in the workflow's gate`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("notices (-want +got):\n%s", diff)
	}
	if g.Evidence[0].Description != "" {
		t.Error("the gate of the workflow file has changed; want it as it was")
	}
}

func TestWithDocumentAlone(t *testing.T) {
	t.Parallel()
	document := gate.ReadDocument("plan.md", []byte("Required: `goals` number\n"))
	nothing := gate.ReadDocument("plan.md", []byte("# Plan\n"))
	written := gate.New(false, []gate.Requirement{ask(t, "srd", gate.String, "file_exists")})
	for name, merge := range map[string]func() (gate.Gate, int){
		"document": func() (gate.Gate, int) {
			g, notices := gate.New(true, nil).WithDocument(document)
			return g, len(notices)
		},
		"workflow file": func() (gate.Gate, int) {
			g, notices := written.WithDocument(nothing)
			return g, len(notices)
		},
	} {
		g, notices := merge()
		if notices != 0 || g.Open || len(g.Evidence) != 1 || g.StrictError("plan") != nil || g.Notice("plan") != "" {
			t.Errorf("%s: the gate is %+v with %d notices; want one requirement and silence", name, g, notices)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	nothing := gate.ReadDocument("plan.md", []byte("# Plan\n## Validation Gate\nAll is well.\n"))
	strict, _ := gate.New(true, nil).WithDocument(nothing)
	if err := strict.StrictError("plan"); err == nil || !strings.HasPrefix(err.Error(), `the gate of "plan" is strict but requires no evidence; want`) {
		t.Errorf("error is %v; want that a strict gate must ask for something", err)
	}
	lenient, _ := gate.New(false, nil).WithDocument(nothing)
	if err := lenient.StrictError("plan"); err != nil || !lenient.Open {
		t.Errorf("a lenient gate is refused: %v; want it open", err)
	}
}

func TestCriteria(t *testing.T) {
	t.Parallel()
	g := gate.New(true, []gate.Requirement{ask(t, "n", gate.Integer, "min 3")})
	want := gate.Criteria{Strict: true, RequiredEvidence: map[string]gate.Format{"n": {Type: "integer", Validator: "min 3", Required: true}}}
	if diff := cmp.Diff(want, g.Criteria()); diff != "" {
		t.Errorf("criteria (-want +got):\n%s", diff)
	}
	got, err := json.Marshal(g)
	if want := `{"strict":true,"evidence":[{"name":"n","type":"integer","required":true,"check":"min 3","description":"","file":"","line":0}],"open":false}`; err != nil || string(got) != want {
		t.Errorf("the gate is %s, %v; want %s", got, err, want)
	}
}
