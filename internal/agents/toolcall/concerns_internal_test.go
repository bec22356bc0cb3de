package toolcall

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
	"testing/fstest"

	"github.com/rulecheck/rulecheck/internal/agents/bash"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

// TestConcerns asks the policy about the calls that no rule concerns: it has nothing to say.
func TestConcerns(t *testing.T) {
	b, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	tree := fstest.MapFS{}
	for name, params := range map[string]string{
		"command": "{command_pattern: '^git push', effect: deny}", "not": "{command_not_pattern: '^git', effect: ask}",
		"paths": "{paths: '**/*.md', effect: deny, opaque: deny}", "both": "{command_pattern: rm, paths: 'src/**', effect: warn}", "any": "{tools: Bash, effect: warn}",
	} {
		tree[".rulecheck/rules/"+name+".md"] = &fstest.MapFile{Data: []byte("---\ntool: " + params + "\n---\nNo.\n")}
	}
	loaded := rule.LoadTiers(rule.Tiers(rule.Config{RulesDir: ".rulecheck/rules"}, tree, nil), b.Modes)
	engine, err := policy.NewFor(t.Context(), b, []string{Mode})
	if err != nil || len(loaded.Problems) > 0 {
		t.Fatal(err, loaded.Problems)
	}
	lines, err := os.Open("testdata/shell_lines.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer lines.Close()
	skipped, asked := 0, 0
	for scanner := bufio.NewScanner(lines); scanner.Scan(); {
		var row struct{ Line, Cwd string }
		if err := json.Unmarshal(scanner.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		call := Call{Tool: "Bash", Event: BeforeTool, Input: map[string]any{"command": row.Line}, World: bash.World{Root: "/w/repo", Dir: row.Cwd}}
		f := read(call)
		for _, r := range loaded.Rules {
			one, err := compile(r)
			if err != nil {
				t.Fatal(err)
			}
			if one.concerns(call, f) {
				asked++
				continue
			}
			skipped++
			violations, err := engine.Decide(t.Context(), policy.Input{Rule: r.Info, Call: one.facts(call, f, policy.AnswerYes)})
			if err != nil || len(violations) > 0 {
				t.Errorf("%s: %q: %v, %v; want nothing", r.ID, row.Line, violations, err)
			}
		}
	}
	if skipped < 500 || asked < 500 {
		t.Errorf("skipped %d, asked %d; want many of both", skipped, asked)
	}
}

// TestInputHasAllFacts: a policy that asks for any fact about a call gets it.
func TestInputHasAllFacts(t *testing.T) {
	call := Call{Tool: "Read", Event: BeforeTool}
	encoder := policy.NewEncoder(policies.FactsFrom(policies.NeedCall))
	encoder.Term(compiled{Rule: &rule.Rule{}}.input(call, read(call), policy.AnswerYes))
	if err := encoder.Err(); err != nil {
		t.Error(err)
	}
}
