package condition_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/golden"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// changed is a changeset with a change of every kind.
var changed = policy.Input{
	Base: diff.Base{ID: "base", Ref: "origin/main", Commit: "c0ffee", FoundBy: "origin/HEAD"},
	Head: policy.HeadFacts{Head: diff.Head{Kind: diff.Worktree, Branch: "topic"}},
	Changes: []diff.Change{
		{Path: "docs/new.md", Status: diff.Added, Kind: diff.File, Mode: "100644", Untracked: true},
		{Path: "lib/b.go", OldPath: "src/b.go", Status: diff.Renamed, Kind: diff.File, Mode: "100644", Similarity: 90},
		{Path: "src/\xff.go", Status: diff.Modified, Kind: diff.File, Mode: "100644"},
		{Path: "src/a.go", Status: diff.Modified, Kind: diff.File, Mode: "100644"},
		{Path: "src/gone.go", Status: diff.Deleted, Kind: diff.File, Mode: "100644"},
		{Path: "src/z.go", OldPath: "src/y.go", Status: diff.Renamed, Kind: diff.File, Mode: "100644", Similarity: 100},
	},
	Now: "2026-11-20T12:00:00Z",
}

// onChange says which conditions hold for a changeset, by their text.
func onChange(tb testing.TB, in policy.Input, whens ...string) map[string]bool {
	tb.Helper()
	texts := map[string]string{}
	var rules []rule.Info
	for i, when := range whens {
		id := fmt.Sprintf("r%d", i)
		texts[id] = when
		rules = append(rules, rule.Info{ID: id, Name: "Rule " + id, Mode: "trigger", Level: "error", Params: map[string]any{"trigger": "a"}})
	}
	conditions, problems := compiled(tb, condition.ChangeVocabulary(condition.Names{}), texts)
	if len(problems) > 0 {
		tb.Fatal(problems)
	}
	holding := map[string]bool{}
	for i, v := range conditions.OnChange(tb.Context(), in, nil, rules) {
		if v.Err != nil {
			tb.Errorf("%q: %v", whens[i], v.Err)
		}
		holding[whens[i]] = v.Holds
	}
	return holding
}

func TestConditionsOnChange(t *testing.T) {
	want := map[string]bool{
		`change.any("src/**")`:                       true,
		`change.any("src/b.go")`:                     true,
		`change.any("lib/*.go")`:                     true,
		`change.any("test/**")`:                      false,
		`not change.any("test/**")`:                  true,
		`change.added("docs/**")`:                    true,
		`change.added("lib/**")`:                     false,
		`change.deleted("src/gone.go")`:              true,
		`change.deleted("src/b.go")`:                 false,
		`change.count("src/**") == 5`:                true,
		`change.count("nothing/{x}") == 0`:           true,
		`change.count("src/**") > 5`:                 false,
		"change.any(`src/*.go`)":                     true,
		`{ some c in changes; c.untracked }`:         true,
		`{ some file in changes; file.untracked }`:   true,
		`startswith(head.branch, "release/")`:        false,
		`startswith(now, "2026-")`:                   true,
		`lib.listed({head.kind}) == "worktree"`:      true,
		`"src/a.go" in [c.path | some c in changes]`: true,
		`object.get(head, "ref", "none") == "none"`:  true,
		`changes[0].path == "docs/new.md"`:           true,
		`{ x = head.branch; x == "topic" }`:          true,
		`head.branch != ""`:                          true,
		`regex.match("^(feat|topic)", head.branch)`:  true,
		`data.rulecheck.lib.wanted == "exists"`:      false,
	}
	want[`{ some change in changes; change.kind == "x" }`] = false
	want[`not { some c in changes; c.kind == "symlink" }`] = true
	want[`count(changes) > 5 and (head.branch == "main" or change.any("docs/**"))`] = true
	want[`{ some c in changes; c.status == "deleted" } and change.any("docs/**")`] = true
	want[`{ some c in changes; c.path == "src/\\xff.go" }`] = true
	want[`head.kind == "worktree" and not head.branch == "main" and base.id in {"base"}`] = true
	want[`every c in changes { not c.status == "unmerged" }`] = true
	want[`count({c.path | some c in changes; endswith(c.path, ".go")}) == 5`] = true
	want[`time.parse_rfc3339_ns(now) > time.parse_rfc3339_ns("2026-01-01T00:00:00Z")`] = true
	want[`rule.id == "r25" or rule.level == "error" and not rule.params.trigger == "b"`] = true
	want[`lib.wanted == "changed" and rule.name != "x"`] = true
	want["# Not on a release.\nnot startswith(head.branch, \"release/\") # at all\n  and change.any(\"**\")"] = true
	want[`head.branch in {"topic", "other"} and not base.ref in {"x"}`] = true
	want[`{ some i, c in changes; i == 0; c.untracked == true }`] = true
	want[`{ names := {c.path | some c in changes}; "src/a.go" in names; count(names) > 2 }`] = true
	want[`$"{head.kind}/{head.branch}" == "worktree/topic"`] = true
	want[`object.get(rule.params, ["trigger"], "") == "a"`] = true
	want[`change.count("src/**") > change.count("docs/**")`] = true
	want[`(change.any("src/**") or change.any("lib/**")) and not (change.any("x") or change.any("y"))`] = true
	want[`{"kind": head.kind} == {"kind": "worktree"}`] = true
	whens := slices.Sorted(maps.Keys(want))
	if d := cmp.Diff(want, onChange(t, changed, whens...)); d != "" {
		t.Errorf("what holds (-want +got):\n%s", d)
	}
}

func TestConditionsOnNoChange(t *testing.T) {
	want := map[string]bool{`change.any("**")`: false, `change.count("**") == 0`: true, `every c in changes { c.untracked }`: true}
	if d := cmp.Diff(want, onChange(t, policy.Input{}, slices.Collect(maps.Keys(want))...)); d != "" {
		t.Errorf("what holds (-want +got):\n%s", d)
	}
	if got := compiledNothing(t).OnChange(t.Context(), changed, nil, nil); len(got) > 0 {
		t.Errorf("verdicts on no rule: %v", got)
	}
}

func compiledNothing(t *testing.T) *condition.Set {
	t.Helper()
	conditions, problems := compiled(t, condition.ChangeVocabulary(condition.Names{}), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return conditions
}

func TestChangeConditionProblems(t *testing.T) {
	var got strings.Builder
	for _, when := range []string{
		`change.any("src/{x")`,
		"change.any(`src/{x`)",
		`change.any("src\\/a/{x")`,
		`change.count("src/**")`,
		`change.any(head.branch)`,
		`change.any("a", "b")`,
		`change.any`,
		`change.any == true`,
		`{ some change in changes; change.any("x") }`,
		`change.renamed("src/**")`,
		`change.any("a") or changes[_].path == "x"`,
		`print(head.branch) or change.any("a")`,
		`print(head.branch)`,
		`$"{head.knd}" == "x"`,
		`count({k: v | some v in changes; k := v.pth}) > 1`,
		`count({v.pth | some v in changes}) > 1`,
		`{"a": [head.knd], head.bse: {rule.nm}} == {}`,
		`changes[0].pth == "a"`,
		`{ some c in changes; c.stats == "added" }`,
		`{ some i; changes[i].old_path != "a" }`,
		`{ some c in changes; c.similarity }`,
		`{ some c in changes; c.untracked != true }`,
		`head.brnch == "x"`,
		`head.branch != "main"`,
		`matches.trigger == []`,
		`rule.nme == "x"`,
		`vars.tries > 3`,
		`evidence.n > 3`,
		`changes.path == "a"`,
		`{ some c in changes; c.added_lines != [] }`,
		`head.branch.name == "x"`,
		`subject.any("(x")`,
		`subject.any("")`,
		`subject.any("a", "b")`,
		`subject.any(head.branch)`,
		`subject.some("x")`,
		`type.any("refactor:")`,
		`type.all()`,
		`trailer.any(" ")`,
		`trailer("Reviewed-by")`,
		`file.has("go.mod")`,
		`file.has("go.mod", "(?!x)")`,
		`file.exists("src/{x")`,
		`file.exists("package.json#/x")`,
		`commits.any("x")`,
		`"bug" in pr.labels`,
		`"bug" in labels`,
		`pr.titel == "x"`,
		`pr.title != "x"`,
		`pr.title`,
		`pr.label`,
		`pr.labeled("x")`,
		`contains(title, "x")`,
		`{ some file in changes; file.exists("x") }`,
		`{ some c in commits; c.sujbect == "x" }`,
	} {
		_, problems := compiled(t, condition.ChangeVocabulary(condition.Names{}), map[string]string{"x": when})
		if len(problems) == 0 {
			t.Errorf("%q: no problem", when)
		}
		for _, p := range problems {
			got.WriteString(p.Error() + "\n" + p.Excerpt([]byte(ruleFile(when))))
		}
	}
	golden.Compare(t, "testdata/change_conditions.golden", got.String())
}

// TestConditionsFailAlone checks that a failing condition does not affect others.
func TestConditionsFailAlone(t *testing.T) {
	broken := map[string]string{
		"builtin":  `to_number(head.branch) > 3`,
		"negated":  `not to_number(head.branch) > 3`,
		"or":       `to_number(head.branch) > 3 or change.any("**")`,
		"conflict": `{ some c in changes; x := {"a": v | some v in [c.path, "b"]}; x.a == "b" }`,
		"regex":    `{ some c in changes; regex.match(c.path, c.path); regex.match(concat("", ["(", c.path]), "x") }`,
	}
	whens := maps.Clone(broken)
	whens["good"] = `change.any("src/**")`
	whens["false"] = `change.any("none")`
	for _, group := range [][]string{
		{"builtin", "negated", "or", "regex", "good", "false"}, // errors with a place
		slices.Sorted(maps.Keys(whens)),                        // and one that ends the query
	} {
		texts := map[string]string{}
		var rules []rule.Info
		for _, id := range group {
			texts[id] = whens[id]
			rules = append(rules, rule.Info{ID: id})
		}
		conditions, problems := compiled(t, condition.ChangeVocabulary(condition.Names{}), texts)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		for i, v := range conditions.OnChange(t.Context(), changed, nil, rules) {
			id := rules[i].ID
			if _, fails := broken[id]; !fails {
				if v.Err != nil || v.Holds != (id == "good") {
					t.Errorf("%s beside the broken: %v, %v", id, v.Holds, v.Err)
				}
				continue
			}
			failed, ok := errors.AsType[*condition.Error](v.Err)
			if !ok || failed.ID != id || v.Holds || !strings.HasPrefix(v.Err.Error(), "condition of "+id+": ") {
				t.Errorf("%s: %v, %v; want an error that names it", id, v.Holds, v.Err)
			}
			if place := strings.Index(whens[id], "to_number"); ok && place >= 0 && len(group) < len(whens) {
				if p := failed.Place; p.File != id+".md" || p.Line != 4 || p.Column != 3+place || p.Message != failed.Err.Error() {
					t.Errorf("%s fails at %v; want it at to_number", id, p)
				}
			}
		}
	}
}

// TestConditionsFailInALibrary fails in a library, so the position of the error does not
// identify the condition.
func TestConditionsFailInALibrary(t *testing.T) {
	bundle, problems := load(t).With(fstest.MapFS{"p/numbers.rego": &fstest.MapFile{Data: []byte(`# METADATA
# title: Numbers
# description: In texts.
package rulecheck.lib.numbers

# METADATA
# description: Whether a text is a large number.
large(text) if to_number(text) > 100
`)}}, "p", nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	conditions, refused, err := condition.Compile(t.Context(), bundle, tools(t), map[string]*rule.Condition{
		"bad":  when(t, "bad.md", `not lib.numbers.large(vars.s)`),
		"good": when(t, "good.md", `lib.numbers.large("101") and vars.a`),
	})
	if err != nil || len(refused) > 0 {
		t.Fatal(refused, err)
	}
	facts := map[string]any{"vars": map[string]any{"s": "none", "a": true}}
	if holds, err := conditions.Holds(t.Context(), "good", facts); !holds || err != nil {
		t.Errorf("the good one: %v, %v", holds, err)
	}
	if holds, err := conditions.Holds(t.Context(), "bad", facts); holds || err == nil {
		t.Errorf("the bad one: %v, %v; want an error", holds, err)
	}
}

// TestLibraryOfAProject: it may read facts, where conditions have them.
func TestLibraryOfAProject(t *testing.T) {
	bundle, problems := load(t).With(fstest.MapFS{"p/own.rego": &fstest.MapFile{Data: []byte(`# METADATA
# title: Own
# description: Reads facts.
package rulecheck.lib.own

# METADATA
# description: Whether the branch has the rule's name.
named if input.head.branch == input.rule.name
`)}}, "p", nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	whens := map[string]*rule.Condition{"named": when(t, "named.md", `lib.own.named`)}
	conditions, refused, err := condition.Compile(t.Context(), bundle, condition.ChangeVocabulary(condition.Names{}), whens)
	if err != nil || len(refused) > 0 || !conditions.Has("named") {
		t.Fatal(refused, err)
	}
	rules := []rule.Info{{ID: "named", Name: "topic"}, {ID: "named", Name: "other"}}
	want := []condition.Answer{{Holds: true}, {Unmet: []*rule.Condition{whens["named"]}}}
	if d := cmp.Diff(want, conditions.OnChange(t.Context(), changed, nil, rules), cmp.AllowUnexported(rule.Condition{})); d != "" {
		t.Errorf("verdicts (-want +got):\n%s", d)
	}
	conditions, refused, err = condition.Compile(t.Context(), bundle, tools(t), whens)
	if err != nil || len(refused) != 1 || conditions.Has("named") {
		t.Errorf("without a branch: %v, %v; want one problem", refused, err)
	}
}

// TestBrokenLibraryOfAProject expects that the policies report a broken library, and that
// conditions that call it do not compile.
func TestBrokenLibraryOfAProject(t *testing.T) {
	bundle, problems := load(t).With(fstest.MapFS{"p/broken.rego": &fstest.MapFile{Data: []byte(`# METADATA
# title: Broken
# description: It is.
package rulecheck.lib.broken

# METADATA
# description: No such function.
large(text) if nonsense(text)
`)}}, "p", nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	conditions, refused, err := condition.Compile(t.Context(), bundle, tools(t), map[string]*rule.Condition{
		"bad":  when(t, "bad.md", `lib.broken.large(vars.s)`),
		"good": when(t, "good.md", `vars.a`),
	})
	if err != nil || len(refused) != 1 || refused[0].File != "bad.md" {
		t.Fatal(refused, err)
	}
	if holds, err := conditions.Holds(t.Context(), "good", map[string]any{"vars": map[string]any{"a": true}}); !holds || err != nil {
		t.Errorf("the good one: %v, %v", holds, err)
	}
}

func TestConditionsRunAway(t *testing.T) {
	conditions, problems := compiled(t, condition.ChangeVocabulary(condition.Names{}), map[string]string{
		"endless": `count({[a, b, c, d, e, f] | some a in changes; some b in changes; some c in changes; some d in changes; some e in changes; some f in changes}) < 3`,
		"good":    `change.any("src/**")`,
	})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	in := changed
	for i := range 100 {
		in.Changes = append(in.Changes, diff.Change{Path: fmt.Sprintf("src/many%03d.go", i), Status: diff.Modified})
	}
	var verdicts []condition.Answer
	for timeout := 100 * time.Millisecond; ; timeout *= 2 { // on a busy machine, the good one needs longer
		late := fmt.Sprint("no answer within ", timeout)
		conditions.SetTimeout(timeout)
		verdicts = conditions.OnChange(t.Context(), in, nil, []rule.Info{{ID: "endless"}, {ID: "good"}})
		if err := verdicts[0].Err; err == nil || !strings.Contains(err.Error(), "condition of endless: "+late) {
			t.Errorf("endless: %v", verdicts[0])
		}
		if err := verdicts[1].Err; err == nil || !strings.Contains(err.Error(), late) {
			break
		}
	}
	if verdicts[1].Err != nil || !verdicts[1].Holds {
		t.Errorf("good: %v", verdicts[1])
	}
	for _, huge := range []string{`count(numbers.range(1, 1000000000)) > change.count("a")`, `bits.lsh(1, 1000000) > change.count("a")`} {
		if _, problems := compiled(t, condition.ChangeVocabulary(condition.Names{}), map[string]string{"x": huge}); len(problems) != 1 {
			t.Errorf("%s: %v; want it refused", huge, problems)
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	for _, v := range conditions.OnChange(stopped, in, nil, []rule.Info{{ID: "good"}}) {
		if !errors.Is(v.Err, context.Canceled) {
			t.Errorf("stopped: %v", v)
		}
	}
}

func TestConditionsWithoutAnAnswer(t *testing.T) {
	conditions, _ := compiled(t, condition.ChangeVocabulary(condition.Names{}), map[string]string{
		"good": `change.any("src/**")`, "now": `startswith(now, "2026")`, "rule": `rule.params.trigger == "a"`,
	})
	timeless := changed
	timeless.Now = ""
	twins := changed
	twins.Changes = []diff.Change{{Path: "\xff"}, {Path: `\xff`}}
	for _, c := range []struct {
		in   policy.Input
		rule rule.Info
		want string
	}{
		{changed, rule.Info{ID: "unknown"}, "condition of unknown: it does not compile"},
		{timeless, rule.Info{ID: "now"}, "condition of now: it reads now, but no time was given"},
		{changed, rule.Info{ID: "rule", Params: map[string]any{"a": func() {}}}, "condition of rule: a fact has the type func()"},
	} {
		v := conditions.OnChange(t.Context(), c.in, nil, []rule.Info{c.rule})[0]
		if v.Err == nil || v.Holds || !strings.HasPrefix(v.Err.Error(), c.want) {
			t.Errorf("%v; want %s", v, c.want)
		}
	}
	all, _ := compiled(t, condition.ChangeVocabulary(condition.Names{}), map[string]string{"all": `count(changes) > 1`})
	if v := all.OnChange(t.Context(), twins, nil, []rule.Info{{ID: "all"}})[0]; v.Err == nil {
		t.Errorf("names that look alike: %v", v)
	}
	if _, err := conditions.Holds(t.Context(), "good", map[string]any{"head": func() {}}); err == nil {
		t.Error("facts that no JSON can say have an answer")
	}
}

// TestLongConditions: those that would take long to compile are refused.
func TestLongConditions(t *testing.T) {
	long := strings.Repeat(`change.any("a") and `, 200) + `change.any("a")`
	if _, problems := compiled(t, condition.ChangeVocabulary(condition.Names{}), map[string]string{"x": long}); len(problems) > 0 {
		t.Error(problems)
	}
	long = strings.Repeat(" ", 4096) + long
	want := "x.md:3:7: the condition is 8111 bytes long; want at most 4096, or a function in the project's data.rulecheck.lib"
	if _, problems := compiled(t, condition.ChangeVocabulary(condition.Names{}), map[string]string{"x": "a" + long[1:]}); len(problems) != 1 || problems[0].Error() != want {
		t.Errorf("%v; want %s", problems, want)
	}
}

// TestDeepConditions: the parser takes many seconds for them, and they are refused before.
func TestDeepConditions(t *testing.T) {
	for _, bracket := range []string{"{", "[", "(", "f(", "not {", "{[", "$\"{"} {
		_, problems := compiled(t, condition.ChangeVocabulary(condition.Names{}), map[string]string{"x": strings.Repeat(bracket, 4000/len(bracket))})
		if len(problems) != 1 || problems[0].Message != "nested more than 64 deep; want fewer brackets in each other" {
			t.Errorf("%s: %.200v", bracket, problems)
		}
	}
}

// FuzzCompileConditions holds compiling to what it promises of any text: an
// answer or a problem, and never both.
func FuzzCompileConditions(f *testing.F) {
	for _, c := range refusedConditions {
		f.Add(c.when)
	}
	f.Add(`{ some c in changes; c.status == "added" } and change.any("src/**")`)
	for _, row := range condition.Functions() {
		f.Add(row[0])
	}
	f.Add("not {")
	f.Add("{}")
	f.Add("$\"{x}\"")
	f.Add("changes[_][_][_]")
	bundle := load(f)
	f.Fuzz(func(t *testing.T, when string) {
		r, problems := rule.Parse("x.md", []byte(ruleFile(when)), bundle.Modes)
		if len(problems) > 0 || r.When == nil {
			return
		}
		c, problems, err := condition.Compile(t.Context(), bundle, condition.ChangeVocabulary(condition.Names{}), map[string]*rule.Condition{"x": r.When})
		if err != nil {
			t.Fatalf("%q: %v", when, err)
		}
		for _, p := range problems {
			if p.Line < 3 || p.Column < 1 || p.Message == "" {
				t.Errorf("%q: %#v", when, p)
			}
		}
		c.SetTimeout(20 * time.Millisecond)
		if v := c.OnChange(t.Context(), changed, sourcesOf(t, &source{}, changed, ""), []rule.Info{{ID: "x"}})[0]; len(problems) > 0 && v.Err == nil {
			t.Errorf("%q has a problem, and %v: %v", when, v, problems)
		}
	})
}

func BenchmarkConditions(b *testing.B) {
	bundle := load(b)
	conditions := map[string]*rule.Condition{}
	var rules []rule.Info
	for i := range 100 {
		id := fmt.Sprintf("rule-%03d", i)
		conditions[id] = when(b, id+".md", fmt.Sprintf(
			`head.branch == "main" or change.any("src/dir%d/**") and not change.added("docs/dir%d/*.md")`, i, i))
		rules = append(rules, rule.Info{ID: id})
	}
	compile := func(b *testing.B) *condition.Set {
		b.Helper()
		c, problems, err := condition.Compile(b.Context(), bundle, condition.ChangeVocabulary(condition.Names{}), conditions)
		if err != nil || len(problems) > 0 {
			b.Fatal(problems, err)
		}
		return c
	}
	b.Run("compile=100", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			compile(b)
		}
	})
	b.Run("evaluate=100/changes=1000", func(b *testing.B) {
		c := compile(b)
		in := changed
		for i := range 1000 {
			in.Changes = append(in.Changes, diff.Change{Path: fmt.Sprintf("src/dir%d/file%d.go", i%200, i), Status: diff.Modified})
		}
		b.ReportAllocs()
		for b.Loop() {
			for _, v := range c.OnChange(b.Context(), in, nil, rules) {
				if v.Err != nil {
					b.Fatal(v.Err)
				}
			}
		}
	})
}
