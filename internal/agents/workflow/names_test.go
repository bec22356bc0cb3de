package workflow_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
)

// TestMisspelledNames checks that names which nothing provides, and keys which
// nothing reads, do not load.
func TestMisspelledNames(t *testing.T) {
	t.Parallel()
	const document = "# A\n\n## Gate\n\n| Evidence | Type | Validator |\n|---|---|---|\n| `cases` | int | evidence.cases > evidence.limt |\n| `limit` | int | |\n"
	for _, c := range []struct {
		name, file string
		want       []string
	}{
		{"gate", `phases:
  - name: a
    gate:
      evidence:
        x: {type: integer, check: 'evidence.x > evidence.yy and evidence["zz"] == 1'}
        y: {type: integer, check: 'evidence.y > 1 and "evidence.b" != "x" and artifacts.evidence.c > 1 # evidence.d'}
    outputs: [y, xx]
`, []string{
			`w.yaml:5:58: phases[0].gate.evidence.x: unknown evidence "yy"; want one of "x", "y"`,
			`w.yaml:5:75: phases[0].gate.evidence.x: unknown evidence "zz"; want one of "x", "y"`,
			`w.yaml:7:18: phases[0].outputs: unknown evidence "xx"; want one of "x", "y"`,
		}},
		{"document", `phases:
  - name: a
    doc: docs/a.md
    outputs: [limit, case]
`, []string{
			`docs/a.md:7:1: phases[0].gate.evidence.cases: unknown evidence "limt"; did you mean "limit"? want one of "cases", "limit"`,
			`w.yaml:4:22: phases[0].outputs: unknown evidence "case"; did you mean "cases"? want one of "cases", "limit"`,
		}},
		{"any output without a gate", "phases: [{name: a, prompt: A, outputs: [x]}]\n", nil},
		{"done", `phases:
  - {name: a, prompt: A}
  - {name: done, prompt: Done., rules: [phase_timeout: {max_duration: 60}], exit_when: evidence.x == 1}
  - {name: b, prompt: B}
`, []string{
			`w.yaml:3:5: phases[1]: the phase "done" ends the workflow; want it last in the list`,
			`w.yaml:3:33: phases[1].rules: has no effect in "done", the end of the workflow; want nothing but a prompt or a document`,
			`w.yaml:3:77: phases[1].exit_when: has no effect in "done", the end of the workflow; want nothing but a prompt or a document`,
		}},
		{"done in a mapping", "nodes:\n  done: {prompt: Done., gate: {strict: false}}\n  a: {transitions: [{when: true, to: done}]}\n", []string{
			`w.yaml:2:25: nodes.done.gate: has no effect in "done", the end of the workflow; want nothing but a prompt or a document`,
		}},
		{"done at the end", "phases: [{name: a}, {name: done, doc: docs/b.md}]\n", nil},
	} {
		fsys := fstest.MapFS{"w.yaml": {Data: []byte(c.file)}, "docs/a.md": {Data: []byte(document)}, "docs/b.md": {Data: []byte("B\n")}}
		_, problems, _ := workflow.Load(fsys, "w.yaml", resolver(t))
		var got []string
		for _, p := range problems {
			got = append(got, p.Error())
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
