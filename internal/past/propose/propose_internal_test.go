package propose

import (
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/past/mine"
)

func TestChoose(t *testing.T) {
	t.Parallel()
	rules := []Proposed{{ID: "a"}, {ID: "b"}, {ID: "c"}}
	for _, c := range []struct {
		answer string
		want   []string
		bad    string
	}{
		{"", nil, ""},
		{"\r\n", nil, ""},
		{"none\n", nil, ""},
		{"all\n", []string{"a", "b", "c"}, ""},
		{"3, 1 3\n", []string{"c", "a"}, ""},
		{"4\n", nil, "4"},
		{"1 0\n", nil, "0"},
		{"yes\n", nil, "yes"},
	} {
		chosen, bad := Choose(c.answer, rules)
		var ids []string
		for _, r := range chosen {
			ids = append(ids, r.ID)
		}
		if bad != c.bad || !slices.Equal(ids, c.want) {
			t.Errorf("%q: %q, bad %q; want %q, bad %q", c.answer, ids, bad, c.want, c.bad)
		}
	}
}

func TestNamesAreNotTaken(t *testing.T) {
	t.Parallel()
	n := newNamer([]string{"version-with-changelog-md", "version changes with changelog.md"})
	m := mine.Candidate{Mode: mine.ModePair, Triggers: []string{"VERSION"}, Expects: []string{"CHANGELOG.md"}}
	if id, name := n.id(m), n.name(m); id != "version-with-changelog-md-2" || name != "VERSION changes with CHANGELOG.md 2" {
		t.Errorf("%q, %q", id, name)
	}
	same := mine.Candidate{Mode: mine.ModeSet, Triggers: []string{"a/vue/package.json", "a/vue-ts/package.json"}}
	if id, name := n.id(same), n.name(same); id != "vue-package-json-with-vue-ts-package-json" || name != "vue/package.json changes with vue-ts/package.json" {
		t.Errorf("%q, %q", id, name)
	}
	odd := mine.Candidate{Mode: mine.ModeSet, Triggers: []string{"a/{name}", "c/README"}}
	if id := n.id(odd); id != "mined-readme" {
		t.Errorf("%q; a README is no rule", id)
	}
}

func TestLevels(t *testing.T) {
	t.Parallel()
	for bound, want := range map[float64]finding.Level{1: finding.Warning, 0.9: finding.Warning, 0.899: finding.Note} {
		if got := levelOf(bound); got != want {
			t.Errorf("%v: %s; want %s", bound, got, want)
		}
	}
}

func TestTrusted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule mine.Candidate
		want bool
	}{
		{mine.Candidate{Label: mine.Code, Bound: 0.88}, true},
		{mine.Candidate{Label: mine.Code, Bound: 0.87}, false},
		{mine.Candidate{Label: mine.Lock, Bound: 0.99}, false},
		{mine.Candidate{Label: mine.Code, Bound: 0.99, Any: true}, false},
		{mine.Candidate{Label: mine.Docs, Bound: 0.95, Missed: 4, Repaired: 2}, true},
		{mine.Candidate{Label: mine.Code, Bound: 0.99, Mode: mine.ModeCreated, Triggers: []string{"src/{name}.rs"}, Expects: []string{"src/mod.rs"}}, false},
		{mine.Candidate{Label: mine.Docs, Bound: 0.95, Missed: 4, Repaired: 1}, false},
	} {
		if got := trusted(c.rule); got != c.want {
			t.Errorf("%+v: %v", c.rule, got)
		}
	}
}

func TestBots(t *testing.T) {
	t.Parallel()
	for author, want := range map[string]bool{
		"dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>": true,
		"renovate-bot <bot@renovateapp.com>":                                  true,
		"prombot <prometheus-team@googlegroups.com>":                          false,
		"Jane Abbot <jane@example.com>":                                       false,
		"GitHub Actions <actions@github.com>":                                 false,
	} {
		if got := isBot(author); got != want {
			t.Errorf("%q: %v", author, got)
		}
	}
}
