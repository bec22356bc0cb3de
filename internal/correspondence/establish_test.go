package correspondence_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/correspondence"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/policies"
)

func load(t *testing.T, frontmatter string) (*rule.Rule, policies.Modes) {
	t.Helper()
	bundle, err := policies.Load()
	if err != nil {
		t.Fatal(err)
	}
	r, problems := rule.Parse("r.md", []byte("---\n"+frontmatter+"\n---\nDo it.\n"), bundle.Modes)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return r, bundle.Modes
}

// establish gives the facts of one rule.
func establish(t *testing.T, frontmatter string, files []string, changes ...diff.Change) correspondence.Facts {
	t.Helper()
	r, modes := load(t, frontmatter)
	return correspondence.Establish([]*rule.Rule{r}, modes, changes, files)[0]
}

func modified(paths ...string) []diff.Change {
	var changes []diff.Change
	for _, p := range paths {
		changes = append(changes, diff.Change{Path: p, Status: diff.Modified, Mode: "100644", Kind: diff.File})
	}
	return changes
}

func equal(t *testing.T, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func paths(matches []correspondence.Match) []string {
	list := []string{}
	for _, m := range matches {
		list = append(list, m.Path)
	}
	return list
}

func TestMatchesAreTheNamesThatMatch(t *testing.T) {
	changes := modified("README.md", "src/b.py", "src/a.py", "lib/c.py")
	facts := establish(t, "trigger: ['src/{name}.py', 'src/**']\nsafety: README.md", nil, changes...)
	want := map[string][]correspondence.Match{
		"trigger": {
			{Path: "src/a.py", Captures: pattern.Captures{"name": "a"}, Change: changes[2]},
			{Path: "src/b.py", Captures: pattern.Captures{"name": "b"}, Change: changes[1]},
		},
		"safety": {{Path: "README.md", Captures: pattern.Captures{}, Change: changes[0]}},
	}
	equal(t, facts.Matches, want)
	equal(t, facts.Correspondences, []correspondence.Correspondence(nil))
}

func TestARenameMatchesByBothNames(t *testing.T) {
	c := diff.Change{Path: "new/a.py", OldPath: "old/a.py", Status: diff.Renamed}
	equal(t, paths(establish(t, "trigger: 'old/**'", nil, c).Matches["trigger"]), []string{"old/a.py"})
	equal(t, paths(establish(t, "trigger: '**/a.py'", nil, c).Matches["trigger"]), []string{"new/a.py", "old/a.py"})
	equal(t, paths(establish(t, "trigger: x\nsafety: 'old/*'", nil, c).Matches["safety"]), []string{"old/a.py"})
}

func TestANameGivenAndTakenIsTheOneThatExists(t *testing.T) {
	swapped := []diff.Change{
		{Path: "a", OldPath: "b", Status: diff.Renamed},
		{Path: "b", OldPath: "a", Status: diff.Renamed},
	}
	matches := establish(t, "trigger: a", nil, swapped...).Matches["trigger"]
	equal(t, matches, []correspondence.Match{{Path: "a", Captures: pattern.Captures{}, Change: swapped[0]}})
}

func TestExcludedFilesTriggerNothingButStillSilence(t *testing.T) {
	changes := modified("src/a.py", "src/gen/b.py")
	facts := establish(t, "trigger: 'src/**'\nexclude: 'src/gen/**'\nsafety: 'src/gen/*'", nil, changes...)
	equal(t, paths(facts.Matches["trigger"]), []string{"src/a.py"})
	equal(t, paths(facts.Matches["safety"]), []string{"src/gen/b.py"})
}

const pairing = "set: ['src/{path}.py', 'tests/{path}_test.py']"

func TestASetGroupsByCaptures(t *testing.T) {
	facts := establish(t, pairing, nil, modified("src/b/c.py", "src/a.py", "tests/a_test.py", "docs/x")...)
	want := []correspondence.Correspondence{
		{
			Captures: pattern.Captures{"path": "a"},
			Members: []correspondence.Member{
				{Param: "set", Path: "src/a.py", Changed: true, Exists: true, SatisfiedBy: []string{"src/a.py"}, Trigger: true},
				{Param: "set", Path: "tests/a_test.py", Changed: true, Exists: true, SatisfiedBy: []string{"tests/a_test.py"}, Trigger: true},
			},
		},
		{
			Captures: pattern.Captures{"path": "b/c"},
			Members: []correspondence.Member{
				{Param: "set", Path: "src/b/c.py", Changed: true, Exists: true, SatisfiedBy: []string{"src/b/c.py"}, Trigger: true},
				{Param: "set", Path: "tests/b/c_test.py", SatisfiedBy: []string{}},
			},
		},
	}
	equal(t, facts.Correspondences, want)
}

func TestAFileBelongsToThePatternWithMostLiteralText(t *testing.T) {
	facts := establish(t, "set: ['{path}.go', '{path}_test.go']", nil, modified("p/a_test.go")...)
	want := []correspondence.Correspondence{{
		Captures: pattern.Captures{"path": "p/a"},
		Members: []correspondence.Member{
			{Param: "set", Path: "p/a.go", SatisfiedBy: []string{}},
			{Param: "set", Path: "p/a_test.go", Changed: true, Exists: true, SatisfiedBy: []string{"p/a_test.go"}, Trigger: true},
		},
	}}
	equal(t, facts.Correspondences, want)
}

func TestAWildcardPlaceStandsForManyFiles(t *testing.T) {
	facts := establish(t, "set: ['back/{f}/routes.py', 'front/{f}/**/*']", nil, modified("front/in/b.ts", "front/in/a/a.ts")...)
	place := "front/in/**/*"
	want := []correspondence.Correspondence{{
		Captures: pattern.Captures{"f": "in"},
		Members: []correspondence.Member{
			{Param: "set", Path: "back/in/routes.py", SatisfiedBy: []string{}},
			{Param: "set", Pattern: place, Changed: true, Exists: true, SatisfiedBy: []string{"front/in/a/a.ts", "front/in/b.ts"}},
			{Param: "set", Path: "front/in/a/a.ts", Pattern: place, Changed: true, Exists: true, SatisfiedBy: []string{"front/in/a/a.ts"}, Trigger: true},
			{Param: "set", Path: "front/in/b.ts", Pattern: place, Changed: true, Exists: true, SatisfiedBy: []string{"front/in/b.ts"}, Trigger: true},
		},
	}}
	equal(t, facts.Correspondences, want)
}

func TestAPairIsDirectional(t *testing.T) {
	const pair = "pair: {trigger: 'api/{path}.py', expects: ['docs/{path}.md', 'openapi/**']}"
	equal(t, establish(t, pair, nil, modified("docs/users.md")...).Correspondences, []correspondence.Correspondence{})
	facts := establish(t, pair, nil, modified("api/users.py", "docs/users.md")...)
	want := []correspondence.Correspondence{{
		Captures: pattern.Captures{"path": "users"},
		Members: []correspondence.Member{
			{Param: "pair.expects", Path: "docs/users.md", Changed: true, Exists: true, SatisfiedBy: []string{"docs/users.md"}},
			{Param: "pair.expects", Pattern: "openapi/**", SatisfiedBy: []string{}},
			{Param: "pair.trigger", Path: "api/users.py", Changed: true, Exists: true, SatisfiedBy: []string{"api/users.py"}, Trigger: true},
		},
	}}
	equal(t, facts.Correspondences, want)
}

func TestAFileThatIsExpectedDemandsNothing(t *testing.T) {
	facts := establish(t, "pair: {trigger: '{path}.go', expects: '{path}_test.go'}", nil, modified("a_test.go")...)
	equal(t, facts.Correspondences, []correspondence.Correspondence{})
}

func TestOfATieTheFirstListedOwnsTheFile(t *testing.T) {
	facts := establish(t, "pair: {trigger: 'a/{x}', expects: 'a/{x}'}", nil, modified("a/b")...)
	equal(t, len(facts.Correspondences), 1)
}

func TestExcludedFilesStillSatisfy(t *testing.T) {
	facts := establish(t, pairing+"\nexclude: 'tests/**'", nil, modified("src/a.py", "tests/a_test.py", "tests/b_test.py")...)
	equal(t, len(facts.Correspondences), 1)
	members := facts.Correspondences[0].Members
	equal(t, []bool{members[0].Trigger, members[1].Trigger, members[1].Changed}, []bool{true, false, true})
}

func TestExistenceIsLookedUpWhereARuleAsks(t *testing.T) {
	files := []string{"front/a/x.ts", "src/a.py", "tests/a_test.py"}
	asked := establish(t, pairing+"\nrequire: exists", files, modified("src/a.py")...)
	equal(t, asked.Correspondences[0].Members[1].Exists, true)
	not := establish(t, pairing, files, modified("src/a.py")...)
	equal(t, not.Correspondences[0].Members[1].Exists, false)
	wild := establish(t, "pair: {trigger: 'src/{n}.py', expects: 'front/{n}/*'}\nrequire: exists", files, modified("src/a.py", "src/b.py")...)
	equal(t, wild.Correspondences[0].Members[0].Exists, true)
	equal(t, wild.Correspondences[1].Members[0].Exists, false)
}

func TestADeletedFileChangedAndIsGone(t *testing.T) {
	deleted := diff.Change{Path: "src/a.py", Status: diff.Deleted}
	member := establish(t, pairing+"\nrequire: exists", nil, deleted).Correspondences[0].Members[0]
	equal(t, member, correspondence.Member{Param: "set", Path: "src/a.py", Changed: true, SatisfiedBy: []string{"src/a.py"}, Trigger: true})
}

func TestCapturesAreTextNotPattern(t *testing.T) {
	facts := establish(t, pairing, nil, modified("src/*.py", "tests/x_test.py")...)
	equal(t, len(facts.Correspondences), 2)
	equal(t, facts.Correspondences[0].Members[1].Path, "tests/*_test.py")
	equal(t, facts.Correspondences[0].Members[1].Changed, false)
}

func TestRulesKeepTheirOwnFacts(t *testing.T) {
	a, modes := load(t, "trigger: 'a/**'")
	b, _ := load(t, "trigger: 'b/**'")
	facts := correspondence.Establish([]*rule.Rule{a, b}, modes, modified("b/1", "a/1"), nil)
	equal(t, paths(facts[0].Matches["trigger"]), []string{"a/1"})
	equal(t, paths(facts[1].Matches["trigger"]), []string{"b/1"})
}

// TestPlacesThatAllFilesSatisfyListFew has as many places as files, each satisfied by all.
func TestPlacesThatAllFilesSatisfyListFew(t *testing.T) {
	const n = 3000
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("src/f%d.py", i), fmt.Sprintf("tests/f%d.py", i))
	}
	facts := establish(t, "pair: {trigger: 'src/{name}.py', expects: 'tests/**'}", nil, modified(names...)...)
	listed := 0
	for _, g := range facts.Correspondences {
		for _, m := range g.Members {
			if !m.Changed || !m.Exists || len(m.SatisfiedBy) == 0 {
				t.Fatalf("not satisfied: %+v", m)
			}
			listed += len(m.SatisfiedBy)
		}
	}
	if len(facts.Correspondences) != n || listed > 50*n {
		t.Errorf("%d places list %d files", len(facts.Correspondences), listed)
	}
}

func TestStatusLimitsTriggersNotWhatSatisfies(t *testing.T) {
	change := func(path string, status diff.Status) diff.Change {
		return diff.Change{Path: path, Status: status, Mode: "100644", Kind: diff.File}
	}
	facts := establish(t, "trigger: '*'\nstatus: [added, deleted]", nil, change("a", diff.Added), change("d", diff.Deleted), change("m", diff.Modified))
	equal(t, paths(facts.Matches["trigger"]), []string{"a", "d"})

	facts = establish(t, "set: ['{x}.a', '{x}.b']\nstatus: modified", nil, change("m.a", diff.Modified), change("m.b", diff.Added), change("n.a", diff.Added))
	want := []correspondence.Correspondence{{
		Captures: pattern.Captures{"x": "m"},
		Members: []correspondence.Member{
			{Param: "set", Path: "m.a", Changed: true, Exists: true, SatisfiedBy: []string{"m.a"}, Trigger: true},
			{Param: "set", Path: "m.b", Changed: true, Exists: true, SatisfiedBy: []string{"m.b"}},
		},
	}}
	equal(t, facts.Correspondences, want)
}
