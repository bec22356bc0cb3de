package rule_test

import (
	"encoding/json"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// The cases' rules are about tools. Here their keys are those of a mode, so
// that they are read as any rule is.
var toolModes = policies.NewModes(policies.Mode{Name: "tools", Params: []policies.Param{
	{Name: "reason", Type: policies.String},
	{Name: "tools", Type: policies.Strings},
}})

type toolRule struct {
	Tools  []string `json:"tools,omitempty"`
	Reason string   `json:"reason,omitempty"`
	Body   string   `json:"body,omitempty"`
}

type workflowCase struct {
	ID    string
	Given struct {
		Tiers      map[string]json.RawMessage     // by name; with a project_id
		CheckRules []string                       `json:"check_rules"`
		RuleFiles  map[string]map[string]toolRule `json:"rule_files"`
		Imports    []string
		FileLocal  map[string]toolRule `json:"file_local"`
		Before     struct{ Bundled map[string]toolRule }
		Config     struct {
			Rules []struct {
				Name string
				toolRule
			}
		}
	}
	Expect struct {
		Resolved    []struct{ Name, Reason string }
		Definitions map[string]string
		LoadError   string `json:"load_error"`
		Suggest     string
		Searched    []string
		StillActive []string `json:"still_active"`
	}
}

func workflowCases(t *testing.T, file string) []workflowCase {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var suite struct{ Cases []workflowCase }
	if err := json.Unmarshal(content, &suite); err != nil || len(suite.Cases) == 0 {
		t.Fatal(len(suite.Cases), err)
	}
	return suite.Cases
}

// elsewhere lists the cases that are not about resolving names.
var elsewhere = map[string]string{
	"AS21": "a database is written: there is none, and a file saved twice is one file",
	"AS22": "a database is written: a rule's tier is the directory it is in",
	"AS23": "a database is written: no project's directory, no project's tier",
	"AS28": "decisions about tool calls",
	"AS29": "decisions about tool calls",

	"AL04": "conditions", "AL05": "conditions", "AL06": "conditions", "AL07": "conditions",
	"AL10": "conditions", "AL11": "conditions", "AL12": "conditions", "AL13": "conditions",
	"AL24": "behaviours of observers",
	"AL25": "what a rule about tools must have in addition to its reason",
	"AL26": "steps of a workflow",
	"AL27": "steps of a workflow",
}

func TestWorkflowConformance(t *testing.T) {
	t.Parallel()
	left := maps.Clone(elsewhere)
	for _, file := range []string{"testdata/workflow_resolution.json", "testdata/workflow_load_errors.json"} {
		for _, c := range workflowCases(t, file) {
			if _, ok := left[c.ID]; ok {
				delete(left, c.ID)
				continue
			}
			t.Run(c.ID, func(t *testing.T) {
				t.Parallel()
				c.run(t)
			})
		}
	}
	if len(left) > 0 {
		t.Errorf("cases that are elsewhere and do not exist: %v", left)
	}
}

func (c workflowCase) run(t *testing.T) {
	t.Helper()
	if c.Expect.StillActive != nil {
		c.reload(t)
		return
	}
	fsys := fstest.MapFS{}
	local := maps.Clone(c.Given.FileLocal)
	for tier, raw := range c.Given.Tiers {
		var rules map[string]toolRule
		if tier == "project_id" {
			continue
		}
		if err := json.Unmarshal(raw, &rules); err != nil {
			t.Fatal(err)
		}
		if tier == "file_local" {
			local = rules
			continue
		}
		for id, r := range rules {
			fsys[tier+"/rules/"+id+".md"] = file("---\n" + encoded(t, r) + "\n---\n" + r.Reason + "\n")
		}
	}
	for name, rules := range c.Given.RuleFiles {
		tier, stem := path.Split(name)
		fsys[tier+"imports/"+stem+".yaml"] = file(encoded(t, map[string]any{"rule_definitions": withBodies(rules)}))
	}
	var tiers, imports []rule.Directory
	for _, tier := range []rule.Tier{rule.ProjectTier, rule.UserTier, rule.BundledTier} {
		tiers = append(tiers, rule.Directory{Tier: tier, FS: fsys, Dir: string(tier) + "/rules"})
		imports = append(imports, rule.Directory{Tier: tier, FS: fsys, Dir: string(tier) + "/imports"})
	}
	resolver := rule.Resolver{Tiers: rule.LoadTiers(tiers, toolModes), Imports: imports, Modes: toolModes}

	asked := slices.Concat(c.Given.CheckRules, slices.Sorted(maps.Keys(c.Expect.Definitions)))
	scope, problems := resolver.Open("w.yaml", []byte(c.source(t, local, asked)))
	rules, more := scope.Rules(nil, "check_rules")
	problems = append(append(resolver.Tiers.Problems, problems...), more...)
	c.compare(t, rules, problems)

	for _, defined := range c.Given.RuleFiles {
		for id := range defined {
			if _, ok := c.Expect.Definitions[id]; ok {
				continue
			}
			scope, _ := resolver.Open("w.yaml", []byte(c.source(t, local, []string{id})))
			if got, unknown := scope.Rules(nil, "check_rules"); len(got) > 0 || len(unknown) != 1 {
				t.Errorf("%s is %v, %v; want it unknown", id, got, unknown)
			}
		}
	}
}

// reload holds that nothing is kept from one load to the next.
func (c workflowCase) reload(t *testing.T) {
	t.Helper()
	fsys := fstest.MapFS{}
	for id, r := range c.Given.Before.Bundled {
		fsys["rules/"+id+".md"] = file("---\n" + encoded(t, r) + "\n---\nDo it.\n")
	}
	if rules, problems := rule.Load(fsys, "rules", toolModes); len(rules) != len(fsys) || len(problems) > 0 {
		t.Fatalf("before: %v, %v", rules, problems)
	}
	clear(fsys)
	active := []string{}
	rules, _ := rule.Load(fsys, "rules", toolModes)
	for _, r := range rules {
		active = append(active, r.ID)
	}
	if diff := cmp.Diff(c.Expect.StillActive, active); diff != "" {
		t.Errorf("still active (-want +got):\n%s", diff)
	}
}

// source is the workflow file of the case. Rules with one name twice are
// definitions with one key twice.
func (c workflowCase) source(t *testing.T, local map[string]toolRule, checked []string) string {
	t.Helper()
	if rules := c.Given.Config.Rules; len(rules) > 0 {
		var entries []string
		for _, r := range rules {
			r.Body = "Do it."
			entries = append(entries, encoded(t, r.Name)+": "+encoded(t, r.toolRule))
		}
		return "rule_definitions: {" + strings.Join(entries, ", ") + "}\n"
	}
	return encoded(t, map[string]any{"rule_definitions": withBodies(local), "imports": c.Given.Imports, "check_rules": checked})
}

func (c workflowCase) compare(t *testing.T, rules []*rule.Rule, problems []finding.Problem) {
	t.Helper()
	if c.Expect.LoadError != "" {
		var text strings.Builder
		for _, p := range problems {
			text.WriteString(p.Error() + " [" + p.Code + "]\n")
		}
		for _, want := range append(c.Expect.Searched, c.Expect.LoadError, c.Expect.Suggest) {
			if len(problems) != 1 || !strings.Contains(text.String(), want) {
				t.Errorf("problems:\n%s\nwant one with %q", text.String(), want)
			}
		}
		return
	}
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	want := [][2]string{}
	for _, r := range c.Expect.Resolved {
		want = append(want, [2]string{r.Name, r.Reason})
	}
	for _, id := range slices.Sorted(maps.Keys(c.Expect.Definitions)) {
		want = append(want, [2]string{id, c.Expect.Definitions[id]})
	}
	got := [][2]string{}
	for _, r := range rules {
		got = append(got, [2]string{r.ID, r.Params["reason"].(string)})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
}

// encoded is a value as JSON, which is YAML too.
func encoded(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func withBodies(rules map[string]toolRule) map[string]toolRule {
	with := maps.Clone(rules)
	for id, r := range with {
		r.Body = r.Reason
		with[id] = r
	}
	return with
}
