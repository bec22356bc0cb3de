package setup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/finding"
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
		".rulecheck/workflows/a.yaml/x":         "is a directory; want a file",
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

func TestTwoDirectories(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Rule("readme", readme)
	r.Write("other/a.md", readme)
	r.Write(".rulecheck/config.yml", "rules: {rules_dir: other}\n")
	if got, want := strings.Join(read(t, r).Notices, "\n"), `.rulecheck/rules is not read, because rules_dir in .rulecheck/config.yml is "other"`; got != want {
		t.Errorf("the notices are %q; want %q", got, want)
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

// TestWrongKind expects an error for what has the name of something that is read and is
// none: taken for absent, it would leave things out in silence.
func TestWrongKind(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"rules", "policies", "workflows", "guides", "config.yml"} {
		for kind, create := range map[string]func(*gittest.Repository, string) error{
			"file": func(r *gittest.Repository, file string) error {
				return os.WriteFile(filepath.Join(r.Dir, file), nil, 0o600)
			},
			"link":      func(r *gittest.Repository, file string) error { return os.Symlink("gone", filepath.Join(r.Dir, file)) },
			"directory": func(r *gittest.Repository, file string) error { return os.Mkdir(filepath.Join(r.Dir, file), 0o700) },
		} {
			if (kind == "directory") != (name == "config.yml") && kind != "link" {
				continue // as it should be
			}
			t.Run(name+" is a "+kind, func(t *testing.T) {
				t.Parallel()
				r := gittest.New(t)
				r.Write(".rulecheck/README.md", "Rules.\n")
				if err := create(r, ".rulecheck/"+name); err != nil {
					t.Fatal(err)
				}
				p := read(t, r)
				if got := problems(p); !strings.Contains(got, ".rulecheck/"+name+": ") || p.Problems[0].Code != finding.CodeUnreadable {
					t.Errorf("the problems are %q", got)
				}
			})
		}
	}
}
