package workflows_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/workflows"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

const build = `nodes:
  plan:
    prompt: Plan.
  code:
    prompt: Write.
    rules:
      - {type: phase_timeout, max_duration: 60}
`

// TestPhaseRules expects the rules of a workflow's phases among the project's, under ids
// that name workflow and phase.
func TestPhaseRules(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Rule("readme", readme)
	r.Write(".rulecheck/workflows/build.yaml", build)
	p := read(t, r)
	if got := problems(p); got != "" {
		t.Fatalf("the problems are\n%s", got)
	}
	if !slices.Contains(workflows.Of(p).Names(), "build") {
		t.Errorf("the workflows are %q", workflows.Of(p).Names())
	}
	if got := ids(p.Rules); !strings.HasPrefix(got, "readme build.code.") {
		t.Fatalf("the rules are %q", got)
	}
	limited := p.Rules[1]
	if limited.Workflow != "build" || !slices.Equal(limited.Phases, []string{"code"}) {
		t.Errorf("the phase's rule is limited to %q of %q", limited.Phases, limited.Workflow)
	}
	if err := workflows.Of(p).AddWorkflow("build"); err != nil {
		t.Fatal(err)
	}
	if len(p.Rules) != 2 || p.Rules[1].Workflow != "" {
		t.Errorf("the rules are %q; want that of the workflow once, for every log", ids(p.Rules))
	}
	if err := workflows.Of(p).AddWorkflow("buil"); err == nil || !strings.Contains(err.Error(), `did you mean "build"`) {
		t.Errorf("an unknown workflow: %v", err)
	}
}

// TestInspectWorkflows expects the problems of workflow files, and of rules that no phase
// can ever have.
func TestInspectWorkflows(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ workflow, rule, want string }{
		"misspelt key":   {strings.Replace(build, "prompt: Plan.", "promt: Plan.", 1), "", "nodes.plan.promt: unknown key"},
		"condition":      {strings.Replace(build, "prompt: Plan.", "prompt: Plan.\n    exit_when: nothing == 1", 1), "", "nothing"},
		"tool rules":     {"tool_rules:\n  - {tools: [Bash], reason: no, when: tool_name == \"Bash\" and not vars.free}\nvars: {free: false}\n" + build, "", ""},
		"bad tool rule":  {"tool_rules:\n  - {tools: [Bash], reason: no, when: not vars.fre}\nvars: {free: false}\n" + build, "", "fre"},
		"misspelt phase": {build, "---\nphase_timeout: {max_duration: 60}\nphase: cod\n---\nText.\n", `no workflow has a phase "cod"`},
		"known phase":    {build, "---\nphase_timeout: {max_duration: 60}\nphase: code\n---\nText.\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			r.Rule("readme", readme)
			r.Write(".rulecheck/workflows/build.yaml", test.workflow)
			if test.rule != "" {
				r.Rule("slow", test.rule)
			}
			got := problems(read(t, r))
			if test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Errorf("the problems are %q; want %q", got, test.want)
			}
		})
	}
}

const readme = "---\ntrigger: src/**\ntags: [docs]\n---\nCheck the README.\n"

// read reads the project in the working tree of a repository.
func read(t *testing.T, r *gittest.Repository) *setup.Project {
	t.Helper()
	p, err := setup.Read(t.Context(), r.Open(), nil, workflows.Agents{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// problems returns the messages of a project's problems.
func problems(p *setup.Project) string {
	var b strings.Builder
	for _, problem := range p.Problems {
		b.WriteString(problem.Message + "\n")
	}
	return b.String()
}

func ids(rules []*rule.Rule) string {
	var names []string
	for _, r := range rules {
		names = append(names, r.ID)
	}
	return strings.Join(names, " ")
}
