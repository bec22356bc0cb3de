package setup_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/setup"
)

const readme = "---\ntrigger: src/**\ntags: [docs]\n---\nCheck the README.\n"

// read reads the project in the working tree of a repository.
func read(t *testing.T, r *gittest.Repository) *setup.Project {
	t.Helper()
	p, err := setup.Read(t.Context(), r.Open(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// problems returns the messages of a project's problems, each with its file, by line.
func problems(p *setup.Project) string {
	var b strings.Builder
	for _, problem := range p.Problems {
		b.WriteString(problem.File + ": " + problem.Message + "\n")
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

func TestRead(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Rule("readme", readme)
	r.Rule("typo", "---\ntriger: src/**\n---\nText.\n")
	r.Rule("condition", "---\ntrigger: src/**\nwhen: count(nothing) > 1\n---\nText.\n")
	r.Write(".rulecheck/config.yml", "exclude: [vendor/**]\n")
	p := read(t, r)
	if got := ids(p.Rules); got != "readme" {
		t.Errorf("the rules are %q; want those that load and whose condition compiles", got)
	}
	if got := strings.Join(p.Broken, " "); got != "typo condition" {
		t.Errorf("the broken rules are %q", got)
	}
	if got := problems(p); !strings.Contains(got, `unknown key "triger"`) || !strings.Contains(got, "condition.md: ") {
		t.Errorf("the problems are\n%s", got)
	}
	if got := p.Rules[0].Patterns["exclude"]; len(got) != 1 {
		t.Errorf("the rule excludes %v; want vendor/**", got)
	}
}

func TestReadDisabled(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Rule("readme", readme)
	r.Write(".rulecheck/config.yml", "rules: {enabled: false}\n")
	p := read(t, r)
	if len(p.Rules) > 0 || len(p.Notices) != 1 || !strings.Contains(p.Notices[0], "nothing was checked") {
		t.Errorf("the rules are %q, the notices %q", ids(p.Rules), p.Notices)
	}
}

func TestCheckVersion(t *testing.T) {
	t.Parallel()
	p := &setup.Project{Config: rule.Config{MinVersion: "1.2.0"}}
	for version, enough := range map[string]bool{"v1.2.0": true, "v1.10.0": true, "v1.1.9": false, "v1.2.0-rc1": false, "dev": true} {
		if err := p.CheckVersion(version); (err == nil) != enough {
			t.Errorf("%s: %v", version, err)
		}
	}
}

// TestMissingRules expects an error wherever there are no rules to check with, and what
// to do about it.
func TestMissingRules(t *testing.T) {
	t.Parallel()
	empty, untracked, removed := gittest.New(t), gittest.New(t), gittest.New(t)
	empty.Commit("empty")
	untracked.Commit("empty")
	untracked.Rule("readme", readme)
	removed.Rule("readme", readme)
	removed.Commit("a rule")
	removed.Git("rm", "-q", "-r", ".rulecheck")
	for _, test := range []struct {
		name string
		r    *gittest.Repository
		kind diff.HeadKind
		want string
	}{
		{"none", empty, diff.Worktree, "run: rulecheck init"},
		{"in the working tree", untracked, diff.Worktree, ""},
		{"not in the index", untracked, diff.Index, "run: git add .rulecheck, or add --rules-from worktree"},
		{"in the commit only", removed, diff.Worktree, "add --rules-from HEAD"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			engine := test.r.Open()
			p := readAt(t, engine, test.kind)
			missing, err := p.MissingRules(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			message := ""
			if missing != nil {
				message = missing.Message
			}
			if test.want == "" && message != "" || !strings.Contains(message, test.want) {
				t.Errorf("the problem is %q; want %q", message, test.want)
			}
		})
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Rule("readme", readme)
	p := read(t, r)
	selected, err := p.Select(setup.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	rep := p.Report(selected)
	if rep.Command != "check" || rep.RulesFrom != "worktree" || rep.Summary.Rules != 1 || len(rep.Rules) != 1 || rep.Rules[0].ID != "readme" {
		t.Errorf("the report is %+v", rep)
	}
	if got := strings.Join(setup.ModesOf(selected.Rules), " "); got != "trigger" {
		t.Errorf("the modes are %q", got)
	}
}
