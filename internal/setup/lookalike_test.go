package setup_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/gittest"
)

// TestLookAlikes expects an error for each file that looks like configuration or rules and
// is not read, with the name it should have.
func TestLookAlikes(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		".rulecheck.yml":                        "want the name .rulecheck/config.yml",
		".rulecheck/config.yaml":                "want the name .rulecheck/config.yml",
		".rulecheck/Config.YML":                 "want the name .rulecheck/config.yml",
		".rulecheck/rule/a.md":                  "want the name .rulecheck/rules",
		".rulecheck/polices/a.rego":             "want the name .rulecheck/policies",
		".rulecheck/a.md":                       "want rules in .rulecheck/rules",
		".rulecheck/rules/a.markdown":           `want the name "a.md"`,
		".rulecheck/workflows/a.json":           `want the name "a.yaml"`,
		".rulecheck/workflows/deep/a.yaml":      "want workflows in .rulecheck/workflows",
		".rulecheck/notes.txt":                  "",
		".rulecheck/workflows/build/1-plan.md":  "",
		".rulecheck/sessions/2026-01/log.jsonl": "",
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			r.Rule("readme", readme)
			r.Write(file, readme)
			got := problems(read(t, r))
			if want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("the problems are %q; want %q", got, want)
			}
		})
	}
}

func TestDeepWorkNotice(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Rule("readme", readme)
	r.Write(".deepwork/rules/a.md", readme)
	if got := strings.Join(read(t, r).Notices, "\n"); !strings.Contains(got, "set rules: {rules_dir: .deepwork/rules}") {
		t.Errorf("the notices are %q", got)
	}
}
