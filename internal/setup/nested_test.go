package setup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/policies"
)

// TestNestedUnread expects a problem for every rule of a directory that is not read, and a
// notice for what only the root has, at every kind of head.
func TestNestedUnread(t *testing.T) {
	t.Parallel()
	const notice = " not read: below the root, only rules are; want the place .rulecheck"
	for _, c := range []struct {
		name            string
		files           map[string]string // a text that begins with -> is the target of a symbolic link
		problem, notice string
	}{
		{"a linked directory", map[string]string{"web/.rulecheck": "->../shared"}, "web/.rulecheck: is not read: it is a symbolic link or a file; want a directory", ""},
		{"linked rules", map[string]string{"web/.rulecheck/rules": "->../../shared/rules"}, "web/.rulecheck/rules: is not read: it is a symbolic link or a file; want a directory", ""},
		{"a link to nothing", map[string]string{"web/.rulecheck": "->gone"}, "web/.rulecheck: is not read", ""},
		{"a file", map[string]string{"web/.rulecheck": "x"}, "web/.rulecheck: is not read", ""},
		{"another name of rules", map[string]string{"web/.rulecheck/rule/a.md": readme}, "web/.rulecheck/rule: is not read; want the name web/.rulecheck/rules", ""},
		{"a subdirectory", map[string]string{"web/.rulecheck/rules/deep/a.md": readme}, "web/.rulecheck/rules/deep: rules in subdirectories are not read", ""},
		{"next to rules", map[string]string{"web/.rulecheck/a.md": readme, "web/.rulecheck/b.md": "Text."}, "web/.rulecheck/a.md: is not read; want rules in web/.rulecheck/rules", ""},
		{"configuration", map[string]string{"web/.rulecheck/config.yml": "exclude: a"}, "", "web/.rulecheck/config.yml is" + notice},
		{"configuration with another extension", map[string]string{"web/.rulecheck/config.yaml": ""}, "", "web/.rulecheck/config.yaml is" + notice},
		{
			"what the root has",
			map[string]string{
				"web/.rulecheck/policies/a.rego": "", "web/.rulecheck/workflows/a.yaml": "", "api/.rulecheck/guides/x": "", "a/b/.rulecheck/known.json": "",
			},
			"", "a/b/.rulecheck/known.json, api/.rulecheck/guides, web/.rulecheck/policies and 1 more are" + notice,
		},
		{"excluded", map[string]string{"vendor/a/.rulecheck": "->../x", "vendor/b/.rulecheck/config.yml": ""}, "", ""},
		{"notes", map[string]string{"web/.rulecheck/README.md": readme, "web/.rulecheck/notes.txt": "", "web/.rulecheck/sessions/a.jsonl": ""}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			r.Rule("readme", readme)
			r.Write(".rulecheck/config.yml", "exclude: vendor/**\n")
			r.Write("shared/rules/a.md", readme)
			for file, text := range c.files {
				target, link := strings.CutPrefix(text, "->")
				if !link {
					r.Write(file, text)
					continue
				}
				r.Write(filepath.Join(filepath.Dir(file), "x"), "")
				if err := os.Symlink(target, filepath.Join(r.Dir, file)); err != nil {
					t.Fatal(err)
				}
			}
			r.Commit("all")
			for _, kind := range []diff.HeadKind{diff.Worktree, diff.Index, diff.Commit} {
				p := readAt(t, r.Open(), kind)
				if got := strings.TrimSpace(problems(p)); c.problem == "" && got != "" || !strings.HasPrefix(got, c.problem) || strings.Contains(got, "\n") {
					t.Errorf("%s: the problems are %q; want %q", kind, got, c.problem)
				}
				if got := strings.Join(p.Notices, "\n"); got != c.notice {
					t.Errorf("%s: the notices are %q; want %q", kind, got, c.notice)
				}
			}
		})
	}
}

// readAt reads the configuration and the rules at a head.
func readAt(t *testing.T, engine diff.Engine, kind diff.HeadKind) *setup.Project {
	t.Helper()
	ref := ""
	if kind == diff.Commit {
		ref = "HEAD"
	}
	head, err := engine.Head(t.Context(), kind, ref)
	if err != nil {
		t.Fatal(err)
	}
	p, err := setup.Open(t.Context(), engine, head, nil)
	if err != nil {
		t.Fatal(err)
	}
	builtin, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	p.ReadPolicies(builtin)
	if err := p.ReadRules(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return p
}
