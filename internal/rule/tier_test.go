package rule_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// dirs are three tiers, two of them bundled, with the files of each.
func dirs(project, user, pack, other fstest.MapFS) []rule.Directory {
	return []rule.Directory{
		{Tier: rule.ProjectTier, FS: project, Dir: ".rulecheck/rules"},
		{Tier: rule.UserTier, FS: user, Dir: "rules", Shown: "~/.config/rulecheck/rules"},
		{Tier: rule.BundledTier, FS: pack, Dir: "packs/go", Shown: "bundled/go"},
		{Tier: rule.BundledTier, FS: other, Dir: "packs/web", Shown: "bundled/web"},
	}
}

// held is each rule as tier, file and what it shadows.
func held(rules []*rule.Rule) []string {
	var lines []string
	for _, r := range rules {
		chain := []string{string(r.Tier) + " " + r.File}
		for _, o := range r.Shadows {
			chain = append(chain, string(o.Tier)+" "+o.File)
		}
		lines = append(lines, strings.Join(chain, " > "))
	}
	return lines
}

func messagesOf(problems []finding.Problem) []string {
	var lines []string
	for _, p := range problems {
		lines = append(lines, p.Error())
	}
	return lines
}

const (
	inProject = ".rulecheck/rules/x.md"
	inUser    = "rules/x.md"
	inPack    = "packs/go/x.md"
	inOther   = "packs/web/x.md"
	off       = "---\ntrigger: a\nenabled: false\n---\nDo it.\n"
)

func TestTiers(t *testing.T) {
	t.Parallel()
	x := func(name string) fstest.MapFS { return fstest.MapFS{name: file(good)} }
	none := fstest.MapFS{}
	for _, test := range []struct {
		name                        string
		project, user, pack, other  fstest.MapFS
		want, broken, problemsAbout []string
	}{
		{name: "nothing anywhere", project: none, user: none, pack: none, other: none},
		{
			name: "project over user", project: x(inProject), user: x(inUser), pack: none, other: none,
			want: []string{"project .rulecheck/rules/x.md > user ~/.config/rulecheck/rules/x.md"},
		},
		{
			name: "project over bundled", project: x(inProject), user: none, pack: x(inPack), other: none,
			want: []string{"project .rulecheck/rules/x.md > bundled bundled/go/x.md"},
		},
		{
			name: "user over bundled", project: none, user: x(inUser), pack: x(inPack), other: none,
			want: []string{"user ~/.config/rulecheck/rules/x.md > bundled bundled/go/x.md"},
		},
		{
			name: "all of them, the nearest first", project: x(inProject), user: x(inUser), pack: x(inPack), other: x(inOther),
			want: []string{"project .rulecheck/rules/x.md > user ~/.config/rulecheck/rules/x.md > bundled bundled/go/x.md > bundled bundled/web/x.md"},
			// The second pack's name is taken within its tier.
			problemsAbout: []string{`bundled/web/x.md:1:1: duplicate name "x", which bundled/go/x.md has too; want another`},
		},
		{
			name: "disabled shadows too", project: fstest.MapFS{inProject: file(off)}, user: none, pack: x(inPack), other: none,
			want: []string{"project .rulecheck/rules/x.md > bundled bundled/go/x.md"},
		},
		{
			name: "a broken rule is not replaced by a lower one", project: fstest.MapFS{inProject: file("")}, user: x(inUser), pack: x(inPack), other: none,
			broken:        []string{"x"},
			problemsAbout: []string{`.rulecheck/rules/x.md:1:1: the file begins with ""; want a line "---", the frontmatter and another "---"`},
		},
		{
			name: "a broken rule that is shadowed is reported too", project: x(inProject), user: fstest.MapFS{inUser: file("")}, pack: none, other: none,
			want:          []string{"project .rulecheck/rules/x.md > user ~/.config/rulecheck/rules/x.md"},
			problemsAbout: []string{`~/.config/rulecheck/rules/x.md:1:1: the file begins with ""; want a line "---", the frontmatter and another "---"`},
		},
		{
			name:    "tier by tier, in byte order of files, one name in two tiers",
			project: fstest.MapFS{".rulecheck/rules/b.md": file("---\nname: N\ntrigger: a\n---\nDo it.\n"), ".rulecheck/rules/c.md": file(good)},
			user:    fstest.MapFS{"rules/a.md": file("---\nname: n\ntrigger: a\n---\nDo it.\n")},
			pack:    fstest.MapFS{"packs/go/B.md": file(good)}, other: fstest.MapFS{"packs/web/0.md": file(good)},
			want: []string{
				"project .rulecheck/rules/b.md", "project .rulecheck/rules/c.md", "user ~/.config/rulecheck/rules/a.md",
				"bundled bundled/go/B.md", "bundled bundled/web/0.md",
			},
		},
		{
			name:    "a directory that cannot be listed hides what is behind it",
			project: x(inProject), user: fstest.MapFS{"rules": file("")}, pack: fstest.MapFS{"packs/go/y.md": file(good)}, other: none,
			want:          []string{"project .rulecheck/rules/x.md"},
			problemsAbout: []string{"~/.config/rulecheck/rules:1:1: cannot read the directory of rules: not implemented"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := rule.LoadTiers(dirs(test.project, test.user, test.pack, test.other), modes(t))
			if diff := cmp.Diff(test.want, held(got.Rules)); diff != "" {
				t.Errorf("rules (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.broken, got.Broken); diff != "" {
				t.Errorf("broken (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.problemsAbout, messagesOf(got.Problems)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// What a project extends is checked with its own rules, and switched off by a
// rule of the same id. Without a user there is no user's tier.
func TestTiersOfAProject(t *testing.T) {
	t.Parallel()
	project := fstest.MapFS{"own/go-vendor.md": file(off)}
	user := &rule.UserDir{FS: fstest.MapFS{"rules/mine.md": file(good)}, Shown: "~/.config/rulecheck"}
	config := rule.Config{RulesDir: "own", Extends: []string{"bundled/go"}}
	files := func(user *rule.UserDir) []string {
		loaded := rule.LoadTiers(rule.Tiers(config, project, user), modes(t))
		if len(loaded.Problems) > 0 {
			t.Error(loaded.Problems)
		}
		return held(loaded.Rules)
	}
	with, without := files(user), files(nil)
	if with[0] != "project own/go-vendor.md > bundled bundled/go/go-vendor.md" || with[1] != "user ~/.config/rulecheck/rules/mine.md" {
		t.Errorf("rules %q; want the project's, then the user's", with)
	}
	if diff := cmp.Diff(slices.Delete(slices.Clone(with), 1, 2), without); diff != "" {
		t.Errorf("without the user's (-want +got):\n%s", diff)
	}
	if !slices.Contains(without, "bundled bundled/go/go-protobuf.md") || len(without) != 3 {
		t.Errorf("rules %q; want the project's and the others of the pack", without)
	}
}

func TestConfigExtends(t *testing.T) {
	t.Parallel()
	got, problems := rule.LoadConfig(configOf("extends: [bundled/web, bundled/docs]\n"), configFile)
	want := defaults()
	want.Extends = []string{"bundled/web", "bundled/docs"}
	if diff := cmp.Diff(want, got, bySource); diff != "" || len(problems) > 0 {
		t.Errorf("problems %v, config (-want +got):\n%s", problems, diff)
	}
}

func TestContent(t *testing.T) {
	t.Parallel()
	all := dirs(
		fstest.MapFS{inProject: file("p")}, fstest.MapFS{inUser: file("u")},
		fstest.MapFS{inPack: file("b")}, fstest.MapFS{},
	)
	for name, want := range map[string]string{
		".rulecheck/rules/x.md": "p", "~/.config/rulecheck/rules/x.md": "u", "bundled/go/x.md": "b",
	} {
		if got, err := rule.Content(all, name); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"rules/x.md", "bundled/go", "bundled/web/x.md", ""} {
		if got, err := rule.Content(all, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %q, %v; want an error", name, got, err)
		}
	}
}
