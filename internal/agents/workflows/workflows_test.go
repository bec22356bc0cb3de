package workflows_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
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

// TestImports reads what workflows can import, whether one does or not.
func TestImports(t *testing.T) {
	t.Parallel()
	const rules = "rule_definitions:\n  loop: {repeated_command: {threshold: 5, window: 60}, body: Stop.}\n"
	for name, test := range map[string]struct{ file, text, want string }{
		"imported":         {".rulecheck/workflows/rules/shared.yaml", rules, ""},
		"not imported":     {".rulecheck/workflows/rules/other.yaml", rules, ""},
		"below":            {".rulecheck/workflows/rules/team/loop.yaml", rules, ""},
		"rule files":       {".rulecheck/workflows/rules/team/loop.md", readme, ""},
		"misspelt key":     {".rulecheck/workflows/rules/other.yaml", strings.Replace(rules, "body", "bodi", 1), `unknown key "bodi"`},
		"condition":        {".rulecheck/workflows/rules/other.yaml", strings.Replace(rules, "body", "when: nonsense((, body", 1), "the condition ends too early"},
		"imported, wrong":  {".rulecheck/workflows/rules/shared.yaml", strings.Replace(rules, "body", "when: vars.free, body", 1), `unknown field "free" of vars`},
		"bad rule file":    {".rulecheck/workflows/rules/team/loop.md", "---\ntriger: a\n---\nb\n", `unknown key "triger"`},
		"workflow":         {".rulecheck/workflows/rules/build.yaml", build, "is a workflow in a directory of rules; want workflows in .rulecheck/workflows"},
		"extension":        {".rulecheck/workflows/rules/other.yml", rules, `is not read; want the name "other.yaml"`},
		"misplaced rule":   {".rulecheck/workflows/rules/loop.md", readme, "want a directory of rule files, such as .rulecheck/workflows/rules/loop/loop.md"},
		"text":             {".rulecheck/workflows/rules/README.md", "# Rules\n", ""},
		"misplaced, below": {".rulecheck/workflows/team/build.yaml", build, "is not read; want workflows in .rulecheck/workflows"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			r.Rule("readme", readme)
			if strings.HasSuffix(test.file, "/shared.yaml") {
				r.Write(".rulecheck/workflows/build.yaml", "imports: shared\nphases:\n- {name: a, prompt: A, check_rules: loop}\n")
			}
			r.Write(test.file, test.text)
			got := problems(read(t, r))
			if test.want == "" && got != "" || !strings.Contains(got, test.want) || strings.Count(got, "\n") > 1 {
				t.Errorf("the problems are %q; want %q alone", got, test.want)
			}
		})
	}
}

// documentedPath matches a path of rulecheck's own that a document names.
var documentedPath = regexp.MustCompile("`?\\.rulecheck(?:/[A-Za-z0-9_*.-]+)+/?")

// TestDocumentedPaths expects a repository to be clean with each file that the documents name, and
// in each directory.
func TestDocumentedPaths(t *testing.T) {
	t.Parallel()
	documents, err := filepath.Glob("../../../docs/*.md")
	if err != nil || len(documents) == 0 {
		t.Fatal(len(documents), err)
	}
	// Mistakes that the documents show, with what is reported.
	mistakes := map[string]string{".rulecheck/config.yaml": "want the name .rulecheck/config.yml"}
	places := map[string]string{} // a file of each place and kind
	for _, document := range append(documents, "../../../README.md") {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range documentedPath.FindAllString(string(text), -1) {
			name = strings.TrimRight(strings.TrimPrefix(name, "`"), "./")
			name = strings.NewReplacer("**/", "", "*", "a").Replace(name)
			if path.Ext(name) == "" && name != ".rulecheck/packs.lock" {
				name += map[string]string{
					".rulecheck/rules": "/a.md", ".rulecheck/policies": "/a.rego", ".rulecheck/workflows": "/a.yaml", ".rulecheck/workflows/rules": "/a.yaml",
					".rulecheck/workflows/rules/loops": "/a.md",
					".rulecheck/guides":                "/A.md", ".rulecheck/sessions": "/a.jsonl", ".rulecheck/schema": "/rule.json",
				}[name]
			}
			if path.Ext(name) == "" {
				t.Errorf("%s names %s; want a file for that directory in this test", document, name)
			}
			place := path.Dir(name) + "/*" + strings.TrimPrefix(path.Base(name), strings.TrimSuffix(path.Base(name), path.Ext(name)))
			if path.Dir(name) == ".rulecheck" {
				place = name
			}
			places[place] = name
		}
	}
	if len(places) < 10 || places[".rulecheck/workflows/rules/*.yaml"] == "" {
		t.Errorf("the documents name %v; want at least 10 places, among them rules for imports", places)
	}
	contents := map[string]string{
		".rulecheck/workflows/rules/*.yaml": "rule_definitions: {a: {trigger: a, body: b}}\n", ".rulecheck/workflows/*.yaml": build,
		".rulecheck/config.yml": "{}\n", ".rulecheck/config.yaml": "{}\n", ".rulecheck/known.json": "{\"version\": 1, \"findings\": []}\n", ".rulecheck/packs.lock": "{\"version\": 1}\n",
	}
	for place, name := range places {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			r.Rule("readme", readme)
			text, known := contents[place]
			switch ext := path.Ext(name); {
			case known:
			case strings.HasSuffix(name, "_test.rego"):
				text = "package rulecheck.lib.a_test\n\ntest_a if 1 == 1\n"
			case ext == ".rego":
				text = "package rulecheck.lib.a\n\na := 1\n"
			case ext == ".md" && strings.Contains(name, "/rules/"):
				text = readme
			}
			r.Write(name, text)
			want := mistakes[name]
			if got := problems(read(t, r)); want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("with %s, which the documents name, the problems are %q; want %q", name, got, want)
			}
		})
	}
}
