package correspondence_test

import "testing"

// Files of rulecheck count only where a pattern names their directory.
func TestFilesOfRulecheck(t *testing.T) {
	const own = "packages/a/.rulecheck/rules/x.md"
	changes := modified("packages/a/b.md", own, "docs/x.rulecheck/y.md")
	for _, tt := range []struct {
		mode  string
		param string
		want  []string
	}{
		{mode: "trigger: '**/*.md'", param: "trigger", want: []string{"docs/x.rulecheck/y.md", "packages/a/b.md"}},
		{mode: "trigger: '{packages,docs}/**'", param: "trigger", want: []string{"docs/x.rulecheck/y.md", "packages/a/b.md"}},
		{mode: "trigger: '**/.rulecheck/**'", param: "trigger", want: []string{own}},
		{mode: "trigger: ['docs/**', '{packages/*/.rulecheck,x}/rules/*']", param: "trigger", want: []string{"docs/x.rulecheck/y.md", own}},
		{mode: "trigger: ['**/.rulecheck/**', 'docs/**']\nexclude: '**/x.md'", param: "trigger", want: []string{"docs/x.rulecheck/y.md"}},
		{mode: "trigger: 'docs/**'\nsafety: 'packages/*/*/**'", param: "safety", want: nil},
		{mode: "trigger: 'docs/**'\nsafety: '**/.rulecheck/rules/*'", param: "safety", want: []string{own}},
	} {
		facts := establish(t, tt.mode, nil, changes...)
		got := []string{}
		for _, m := range facts.Matches[tt.param] {
			got = append(got, m.Path)
		}
		if tt.want == nil {
			tt.want = []string{}
		}
		equal(t, got, tt.want)
	}
}

// They satisfy no expectation of other files either.
func TestFilesOfRulecheckSatisfyNothing(t *testing.T) {
	const pair = "pair: {trigger: 'src/{name}.py', expects: 'packages/**'}\nrequire: exists"
	own := "packages/a/.rulecheck/rules/x.md"
	c := establish(t, pair, []string{own, "src/a.py"}, modified("src/a.py", own)...).Correspondences
	if m := c[0].Members[0]; m.Changed || m.Exists {
		t.Errorf("%v; want nothing that satisfies it", m)
	}
}

// A pattern that has no path for an empty capture has no member.
func TestEmptyCaptures(t *testing.T) {
	paths := func(mode string, names ...string) [][]string {
		list := [][]string{}
		for _, c := range establish(t, mode, nil, modified(names...)...).Correspondences {
			var members []string
			for _, m := range c.Members {
				members = append(members, m.Path+m.Pattern)
			}
			list = append(list, members)
		}
		return list
	}
	equal(t, paths("pair: {trigger: '{**dir}/p.json', expects: '{**dir}/p.lock'}", "p.json", "a/p.json"),
		[][]string{{"p.lock", "p.json"}, {"a/p.lock", "a/p.json"}})
	equal(t, paths("pair: {trigger: '{**dir}/p.json', expects: ['{**dir}/p.lock', 'docs/{**dir}.md']}", "p.json"),
		[][]string{{"p.lock", "p.json"}})
	equal(t, paths("pair: {trigger: '{**dir}/p.json', expects: 'docs/{**dir}.md'}", "p.json", "a/p.json"),
		[][]string{{"docs/a.md", "a/p.json"}})
	equal(t, paths("pair: {trigger: '{**dir}/p.json', expects: 'docs/{**dir}/**'}", "p.json"),
		[][]string{{"docs/**", "p.json"}})
	equal(t, paths("pair: {trigger: '{**dir}/p.json', expects: {any: ['x-{**dir}/y', '{**dir}.z']}}", "p.json"), [][]string{})
	equal(t, paths("set: ['{path}/a.go', '{path}/b.go', 'docs/{path}.md']", "b.go"), [][]string{{"a.go", "b.go"}})
	equal(t, paths("set: ['src/{path}/a.go', 'docs/{path}.md']", "src/a.go"), [][]string{})
	equal(t, paths("set: ['src/{path|kebab}/a.go', 'docs/{path}/a.md']", "docs/a.md"), [][]string{{"src/a.go", "docs/a.md"}})
}
