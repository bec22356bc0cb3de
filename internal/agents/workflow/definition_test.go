package workflow_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/golden"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// repo is a repository with workflows, guides and documents.
func repo() fs.FS { return os.DirFS("testdata/repo") }

func loadRepo(tb testing.TB, name string) (*workflow.Definition, []finding.Problem, []string) {
	tb.Helper()
	return workflow.Load(repo(), path.Join(rule.WorkflowsDir, name+".yaml"), resolver(tb))
}

// shown prints problems with their codes and source lines.
func shown(t *testing.T, problems []finding.Problem) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, p := range problems {
		b.WriteString(p.Error() + " [" + p.Code + "]\n")
		source, err := fs.ReadFile(repo(), p.File)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(p.Excerpt(source))
	}
	return b.Bytes()
}

// TestBadDefinitions compares the problems of each file in the directory bad with
// its golden.
func TestBadDefinitions(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(repo(), rule.WorkflowsDir+"/bad/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, problems, _ := workflow.Load(repo(), file, resolver(t))
			if len(problems) == 0 {
				t.Error("no problem")
			}
			golden.Compare(t, filepath.Join("testdata", "bad", name+".golden"), string(shown(t, problems)))
		})
	}
}

func TestLint(t *testing.T) {
	t.Parallel()
	d, problems, notices := loadRepo(t, "lint")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	const file = ".rulecheck/workflows/lint.yaml"
	open := []string{
		file + `:10:1: no gate for the phase "c": it requires no evidence, and any evidence passes`,
		file + `:12:23: nodes.c.exit_conditions[0]: the form "type: variable_set" is deprecated; want a condition on its value, such as "vars.name == true"`,
		file + `:16:11: no gate for the phase "d": it requires no evidence, and any evidence passes`,
	}
	want := []string{
		file + `:3:1: the phase "a" never ends: no sequence of transitions leads to "done" [dead_end]`,
		file + `:6:1: the phase "b" never ends: no sequence of transitions leads to "done" [dead_end]`,
		file + `:8:1: "sure" also passes when false; want the check "is_true" in the workflow's gate or in a table, or evidence that can be inspected [weak_check]`,
		open[0] + " [open_gate]",
		file + `:10:1: the phase "c" is unreachable: no transition leads to it from "a", where the workflow begins [unreachable_phase]`,
		open[1] + " [deprecated]",
		file + `:14:1: the phase "d" is unreachable: no transition leads to it from "a", where the workflow begins [unreachable_phase]`,
		file + `:14:1: the phase "d" has no content; want "prompt" or "doc" [no_content]`,
		open[2] + " [open_gate]",
		`docs/differs.md:1:1: "sure" is required in ` + file + `:8 but not in the document [evidence_differs]`,
		`docs/differs.md:7:1: "n" is integer, positive here and integer, present in ` + file + `:8, which takes precedence [evidence_differs]`,
	}
	var got []string
	for _, p := range d.Lint() {
		got = append(got, p.Error()+" ["+p.Code+"]")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lint (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(open, notices); diff != "" {
		t.Errorf("notices (-want +got):\n%s", diff)
	}
}

func TestUnusedGuides(t *testing.T) {
	t.Parallel()
	d, problems, _ := loadRepo(t, "full")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var unused []string
	for _, p := range workflow.UnusedGuides(repo(), []*workflow.Definition{d}) {
		unused = append(unused, p.Error())
	}
	want := []string{
		".rulecheck/guides/BYTES.md:1:1: no workflow uses this guide; want {{BYTES}} in a prompt",
		".rulecheck/guides/OTHER.md:1:1: no workflow uses this guide; want {{OTHER}} in a prompt",
	}
	if diff := cmp.Diff(want, unused); diff != "" {
		t.Errorf("unused guides (-want +got):\n%s", diff)
	}
}

func TestDefinition(t *testing.T) {
	t.Parallel()
	d, problems, notices := loadRepo(t, "full")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	const file = ".rulecheck/workflows/full.yaml"
	when := func(text string) *rule.Condition { return &rule.Condition{Text: text, File: file} }
	claimed := "claimed"
	want := &workflow.Definition{
		Name: "complete", File: file, Start: "design",
		Vars: map[string]any{
			"claimed": false, "edits": 0.0, "seen": []any{"a", map[string]any{"b": 1.5}}, "none": "",
			"task_claimed": false, "claimed_task_id": "", "session_had_task": false,
		},
		ToolRules: []*rule.Rule{toolRule(file, "full.tool_rules[0]", "Claim a task first.", 5, when("not vars.claimed"), map[string]any{
			"tool.tools": []string{"Edit", "Write"}, "tool.mcp_tools": "tracker:*", "tool.command_pattern": `git\s+push`,
			"tool.command_not_pattern": "--dry-run", "tool.effect": "warn",
		})},
		Observers: []workflow.Observer{
			{
				Name: "count", On: []string{"after_tool"}, Match: workflow.Match{Tools: []string{"Edit"}, MCPServer: "s", MCPTool: "t"}, Line: 13,
				Set: []workflow.Assignment{{Name: "edits", Value: when("vars.edits + 1")}, {Name: "claimed", Value: when("true")}},
			},
			{
				Name: "claims", On: []string{"after_tool"}, Behavior: "task_claim_tracking", Line: 16,
				With: map[string]any{"server": "tracker", "claim": []string{"claim_task"}, "update": "update_task", "create": "create_task", "close": "close_task"},
			},
		},
		Phases: []*workflow.Phase{
			{
				Name: "design", Prompt: "Design it.\nUse {{OTHER}} style. and Use {{OTHER}} style., not {{ x.y }} or {{}}.\n", Line: 20,
				Sources: []string{file, ".rulecheck/guides/STYLE.md"},
				Outputs: []string{"goals", "srd"}, ExitWhen: when("evidence.goals < 100"),
				ExitConditions: []workflow.ExitCondition{
					{ID: "condition-1", When: when("vars.edits > 2"), Line: 39},
					{ID: "ship", Approval: "Ship?", Timeout: time.Minute, Line: 40},
					{ID: "approval-3", Approval: "Sure?", Line: 41},
					{ID: "hook", Webhook: &workflow.Webhook{URL: "http://x", Status: []int{200, 204}, BodyContains: "ok", JSONField: "data.ok", JSONValue: true}, Line: 42},
					{ID: "variable_set-5", Variable: &claimed, Line: 44},
					{ID: "expression-6", When: when("vars.claimed"), Line: 45},
					{ID: "user_approval-7", Approval: "Really?", Line: 46},
				},
				Transitions: []workflow.Transition{
					{Claim: "designed", To: "check", Line: 48},
					{When: when("claims.n == true"), To: "design", Line: 49},
					{Always: true, To: "check", Line: 50},
				},
				ToolRules: []*rule.Rule{toolRule(file, "full.design.tool_rules[0]", "Not yet.", 28, when(`tool_name == "Bash"`), map[string]any{
					"tool.effect": "deny",
				})},
			},
			{
				Name: "check", Prompt: "# Check\n\nLook.\n\n## Validation Gate\n\n- [ ] All tests pass (`tests_pass`)\n", Line: 51,
				Doc: "docs/check.md", Sources: []string{"docs/check.md"}, Transitions: []workflow.Transition{{Always: true, To: "done", Line: 51}},
			},
		},
	}
	ignored := cmpopts.IgnoreFields(workflow.Phase{}, "Rules", "Gate", "Document")
	if diff := cmp.Diff(want, d, ignored, cmpopts.IgnoreFields(workflow.Definition{}, "Rules"), cmpopts.IgnoreUnexported(workflow.Definition{}, rule.Condition{})); diff != "" {
		t.Errorf("definition (-want +got):\n%s", diff)
	}
	if len(notices) != 3 {
		t.Errorf("notices %q; want one for each deprecated form", notices)
	}
	design, check := d.Phases[0], d.Phases[1]
	var ids []string
	for _, r := range design.Rules {
		ids = append(ids, r.ID)
	}
	if diff := cmp.Diff([]string{"full.design.rules[0]", "slow"}, ids); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	var asked []string
	for _, q := range append(design.Gate.Evidence, check.Gate.Evidence...) {
		asked = append(asked, q.Name+" "+string(q.Type)+" "+q.Check.String())
	}
	if diff := cmp.Diff([]string{"srd string file_exists", "goals integer evidence.goals >= 3", "agreed boolean is_true", "notes list present", "tests_pass boolean is_true"}, asked); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
	if !design.Gate.Strict || check.Gate.Strict || design.Gate.Evidence[2].Required {
		t.Errorf("gates %+v and %+v; want a strict and a lenient one", design.Gate, check.Gate)
	}
	texts := map[string]bool{}
	for _, c := range d.Expressions() {
		texts[c.Text] = true
	}
	if want := []string{"evidence.goals < 100", "vars.edits > 2", "vars.claimed", "claims.n == true", "evidence.goals >= 3", "not vars.claimed", `tool_name == "Bash"`, "true", "vars.edits + 1", `change.any("a")`}; len(texts) != len(want) {
		t.Errorf("conditions %v; want %q", texts, want)
	}
	if rules := d.ToolRulesIn("design"); len(rules) != 2 || rules[1].ID != "full.design.tool_rules[0]" {
		t.Errorf("tool rules of the phase: %v; want those of every phase and its own", rules)
	}
	if p, ok := d.Phase("done"); !ok || p.Prompt != "Well done." {
		t.Errorf("done is %+v", p)
	}
	if _, ok := d.Phase("x"); ok {
		t.Error("there is a phase x; want none")
	}
}

// The defaults are the name of the file, the first phase and the phase done.
func TestDefinitionDefaults(t *testing.T) {
	t.Parallel()
	d, problems, notices := load(t, "nodes: {b: {prompt: B., rules: , transitions: }, a: {check_rules: [], exit_conditions: []}}\n")
	if len(problems)+len(notices) > 0 {
		t.Fatal(problems, notices)
	}
	if done, ok := d.Phase(workflow.Done); d.Name != "w" || d.Start != "b" || !ok || done.Name != "done" || len(d.Phases[0].Transitions) > 0 || d.Phases[0].Gate != nil {
		t.Errorf("definition %+v", d)
	}
}

// broken is a file system that fails to read one file.
type broken struct {
	fs.FS

	file string
}

func (b broken) Open(name string) (fs.File, error) {
	if name == b.file {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("the disk is on fire")}
	}
	return b.FS.Open(name)
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	const guide = rule.GuidesDir + "/G.md"
	files := fstest.MapFS{workflowFile: {Data: []byte("nodes: {a: {prompt: \"{{G}}\"}}")}, guide: {Data: []byte("G")}}
	for _, file := range []string{workflowFile, guide} {
		_, problems, _ := workflow.Load(broken{files, file}, workflowFile, resolver(t))
		want := file + ":1:1: cannot read the file: the disk is on fire"
		if len(problems) != 1 || problems[0].Error() != want {
			t.Errorf("problems %v; want %s", problems, want)
		}
	}
}

// TestKeys checks that every key has a description and an expected value.
func TestKeys(t *testing.T) {
	t.Parallel()
	for _, table := range workflow.Keys() {
		for _, k := range table.Keys {
			if !strings.HasSuffix(k.Doc, ".") || k.Want == "" {
				t.Errorf("%s: key %+v; want a sentence about it and what it wants", table.Of, k)
			}
		}
	}
}

func FuzzLoad(f *testing.F) {
	files, err := fs.Glob(repo(), rule.WorkflowsDir+"/*.yaml")
	bad, err2 := fs.Glob(repo(), rule.WorkflowsDir+"/bad/*.yaml")
	if err != nil || err2 != nil || len(files) == 0 || len(bad) == 0 {
		f.Fatal(files, err, bad, err2)
	}
	for _, file := range append(files, bad...) {
		source, err := fs.ReadFile(repo(), file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(source))
	}
	known := resolver(f)
	f.Fuzz(func(t *testing.T, source string) {
		fsys := fstest.MapFS{workflowFile: {Data: []byte(source)}}
		d, problems, _ := workflow.Load(fsys, workflowFile, known)
		lines := strings.Split(strings.TrimPrefix(source, "\ufeff"), "\n")
		for _, p := range problems {
			if p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column > len(lines[p.Line-1])+1 || p.Code == "" {
				t.Errorf("%v [%s] is outside %q", p, p.Code, source)
			}
		}
		if len(problems) > 0 {
			return
		}
		if _, ok := d.Phase(d.Start); !ok || d.Start == workflow.Done {
			t.Errorf("%q begins with %q", source, d.Start)
		}
		for _, p := range d.Phases {
			for _, next := range p.Transitions {
				if _, ok := d.Phase(next.To); !ok || next.Claim != "" == (next.Always || next.When != nil) {
					t.Errorf("transition %+v of %q", next, source)
				}
			}
		}
		for _, p := range d.Lint() {
			if p.Line < 1 || p.Message == "" {
				t.Errorf("lint %v of %q", p, source)
			}
		}
	})
}

// toolRule returns a rule of tool_rules.
func toolRule(file, id, body string, line int, when *rule.Condition, params map[string]any) *rule.Rule {
	r := &rule.Rule{
		Info: rule.Info{Mode: "tool", Level: finding.Error, Params: params}, When: when, Enabled: true, Line: line, Tier: rule.ProjectTier,
	}
	r.ID, r.Name, r.File, r.Body = id, id, file, body
	return r
}
