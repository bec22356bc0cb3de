package condition_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/content/commits"
	"github.com/rulecheck/rulecheck/internal/content/establish"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// source has commits and files, and counts what is asked.
type source struct {
	establish.Source

	messages     []diff.Message
	files        map[string]string
	contents     map[string]diff.Content // of changed files
	err          error
	asked, lists int
}

func (s *source) Messages(context.Context, diff.Base, diff.Head) ([]diff.Message, error) {
	s.asked++
	return s.messages, s.err
}

func (s *source) Contents(_ context.Context, _ diff.Head, paths []string, limit int64) (map[string][]byte, error) {
	s.asked++
	found := map[string][]byte{}
	for _, path := range paths {
		if text, ok := s.files[path]; ok {
			found[path] = []byte(text[:min(len(text), int(limit))])
		}
	}
	return found, s.err
}

func (s *source) Files(context.Context, diff.Head) ([]string, error) {
	s.asked++
	s.lists++
	return slices.Sorted(maps.Keys(s.files)), s.err
}

func (s *source) Details(_ context.Context, _ diff.Base, _ diff.Head, list []diff.Change, _ []diff.Part) (map[string]*diff.Detail, error) {
	s.asked++
	found := map[string]*diff.Detail{}
	for i := range list {
		if content, ok := s.contents[list[i].Path]; ok {
			found[list[i].Path] = &diff.Detail{Content: &content}
		}
	}
	return found, s.err
}

// sourcesOf returns the sources of the facts about a change with a pending message; empty: none is
// written.
func sourcesOf(tb testing.TB, from *source, in policy.Input, pending string) *establish.Sources {
	tb.Helper()
	var message func(context.Context) (commits.Commit, error)
	if pending != "" {
		message = func(context.Context) (commits.Commit, error) { return commits.Of(pending), nil }
	}
	return establish.NewSources(tb.Context(), from, diff.Changeset{Base: in.Base, Head: in.Head.Head, Changes: in.Changes}, message)
}

func commit(subject, author string, body ...string) diff.Message {
	name, email, _ := strings.Cut(author, " <")
	return diff.Message{
		Commit: strings.Repeat("1", 40), Text: subject + "\n\n" + strings.Join(body, "\n") + "\n",
		Author: diff.Author{Name: name, Email: strings.TrimSuffix(email, ">")},
	}
}

// requested is the input of a run about a pull request.
func requested() policy.Input {
	in := changed
	title, body, draft := "WIP: parse", "- [x] tests", true
	in.PR = diff.PullRequest{Title: &title, Body: &body, Draft: &draft}
	in.Head.Labels = []string{"needs-docs", "size/L"}
	return in
}

// answers evaluates conditions, the texts of when, on a change.
func answers(tb testing.TB, in policy.Input, from *establish.Sources, whens ...string) map[string]condition.Answer {
	tb.Helper()
	var rules []*rule.Rule
	var infos []rule.Info
	for _, text := range whens {
		r := &rule.Rule{Info: rule.Info{ID: text, Mode: "trigger", Level: "error"}, When: when(tb, "x.md", text)}
		rules, infos = append(rules, r), append(infos, r.Info)
	}
	set, problems, err := condition.CompileRules(tb.Context(), load(tb), condition.ChangeVocabulary(condition.Names{}), rules)
	if err != nil || len(problems) > 0 {
		tb.Fatal(problems, err)
	}
	got := map[string]condition.Answer{}
	for i, a := range set.OnChange(tb.Context(), in, from, infos) {
		got[whens[i]] = a
	}
	return got
}

func TestFunctions(t *testing.T) {
	merge := commit(`Merge branch 'main' into topic`, "A <a@b.c>")
	merge.Merge = true
	from := &source{
		messages: []diff.Message{
			commit("refactor(api)!: Split it [chore]", "dependabot[bot] <x@github.com>", "Why.", "", "Reviewed-By: B <b@b.c>", "Empty:"),
			merge,
			commit("fixup! Chore: Tidy", "Ada <ada@example.com>"),
		},
		files: map[string]string{"go.mod": "module a\r\n\r\ntoolchain go1.26\r\n", "web/b.json": "{}", "web/a.json": `{"private": true}`, "dir/x": ""},
		contents: map[string]diff.Content{
			"src/a.go":    {Base: new("package a\nfunc F() {}\nfunc G() {}\n"), Head: new("package a\nfunc F(int) {}\nfunc G() { panic(1) }\nfunc f() {}\n")},
			"src/gone.go": {Base: new("package a\nfunc H() {}\n")},
			"src/z.go":    {Base: new("package a\nfunc K() {}\n"), Head: new("package a\n\nfunc K() {}\n")},
			"lib/b.go":    {Base: new("package a\n"), Head: new("package lib\nfunc L() {}\n")},
		},
	}
	want := map[string]bool{
		`change.any("src/**")`:       true,
		`change.any("none")`:         false,
		`change.added("docs/**")`:    true,
		`change.added("src/**")`:     false,
		`change.deleted("src/**")`:   true,
		`change.deleted("docs/**")`:  false,
		`change.count("src/**") > 4`: true,
		`change.count("src/**") > 5`: false,

		`api.any("src/{a,z}.go")`:                                  true,
		`api.any("src/z.go")`:                                      false,
		`api.added("lib/*.go")`:                                    true,
		`api.added("src/[a-z]*.go")`:                               true, // b.go was in it
		`api.added("src/{a,gone,z}.go")`:                           false,
		`api.removed("**/gone.go")`:                                true,
		`api.removed("src/{a,z}.go")`:                              false,
		`api.changed("src/a.go")`:                                  true,
		`api.changed("{lib,src}/[bgz]*.go") or api.any("none/**")`: false,
		`api.changed("src/a.go") and not type.any("feat") and not api.added("src/a.go")`: true,

		`subject.any("\\[chore\\]$")`:           true,
		`subject.any("^Merge ")`:                false, // no merge counts
		`subject.any("Why")`:                    false, // the body is no subject
		`subject.all(": ")`:                     true,
		`subject.all("^refactor")`:              false,
		`type.any("refactor")`:                  true,
		`type.any("Refactor", "x")`:             true,
		`type.any("api")`:                       false,
		`type.any("fixup")`:                     false,
		`type.all("refactor", "chore")`:         true,
		`type.all("refactor")`:                  false,
		`trailer.any("reviewed-by")`:            true,
		`trailer.any("Empty")`:                  false,
		`trailer.any("Signed-off-by")`:          false,
		`author.any("\\[bot\\] <")`:             true,
		`author.any("^Ada <ada@example.com>$")`: true,
		`author.any("^ada")`:                    false,

		`file.exists("go.mod")`:                    true,
		`file.exists("dir")`:                       false,
		`file.exists("web/*.json")`:                true,
		`file.exists("web/*.toml")`:                false,
		`file.has("go.mod", "^toolchain go1.26$")`: true,
		`file.has("go.mod", "^toolchain$")`:        false,
		`file.has("web/*.json", "\"private\"")`:    true,
		`file.has("none", "")`:                     false,
		`not file.has("none", "x")`:                true,

		`pr.label("needs-docs")`:      true,
		`pr.label("Needs-Docs")`:      false,
		`startswith(pr.title, "WIP")`: true,
		`contains(pr.body, "- [ ]")`:  false,
		`contains(pr.body, "- [x]")`:  true,
		`pr.draft`:                    true,
		`not pr.draft`:                false,
		`{ some c in commits; c.merge; startswith(c.subject, "Merge") }`:        true,
		`{ some c in commits; some t in c.trailers; t.value == "B <b@b.c>" }`:   true,
		`count(commits) == 3 and (subject.any("x") or type.any("chore"))`:       true,
		`{ some c in commits; subject.all("nothing") }`:                         false,
		`count([c | some c in commits; type.all("refactor", "chore")]) == 3`:    true,
		`head.author == "octocat"`:                                              false,
		`file.has("web/a.json", "private") and not file.has("web/b.json", "x")`: true,
	}
	delete(want, `file.has("none", "")`) // an empty expression does not load
	in := requested()
	called := map[string]map[bool]bool{}
	for text, answer := range answers(t, in, sourcesOf(t, from, in, ""), slices.Sorted(maps.Keys(want))...) {
		if answer.Err != nil || answer.Holds != want[text] {
			t.Errorf("%s: %v, %v; want %v", text, answer.Holds, answer.Err, want[text])
		}
		for _, row := range condition.Functions() {
			name, _, _ := strings.Cut(row[0], "(")
			if called[name] == nil {
				called[name] = map[bool]bool{}
			}
			if strings.HasPrefix(text, name+"(") {
				called[name][answer.Holds] = true
			}
		}
	}
	for name, found := range called {
		if len(found) < 2 {
			t.Errorf("%s has no case in which it is true, or none in which it is false", name)
		}
	}
	if from.lists != 1 {
		t.Errorf("the files were listed %d times; want once", from.lists)
	}
}

// TestFunctionsHaveRego checks the example of each function, and that each has its Rego.
func TestFunctionsHaveRego(t *testing.T) {
	rego := condition.FunctionsRego(t, load(t))
	for _, row := range condition.Functions() {
		name, _, _ := strings.Cut(row[0], "(")
		if !slices.Contains(rego, strings.ReplaceAll(name, ".", "_")) {
			t.Errorf("%s has no rule in library/, which has %q", name, rego)
		}
		text := row[0]
		if strings.HasSuffix(name, ".count") {
			text += " > 0"
		}
		answers(t, changed, sourcesOf(t, &source{}, changed, ""), text)
	}
	for want := range maps.Values(condition.Misnamed) {
		text, _, _ := strings.Cut(want, ", or ")
		if !strings.Contains(text, "(") && text != "pr.draft" {
			text += ` == "x"`
		}
		answers(t, changed, sourcesOf(t, &source{}, changed, ""), text)
	}
}

func TestWithoutCommitsAndPullRequest(t *testing.T) {
	want := map[string]bool{
		`subject.any(".")`: false, `subject.all(".")`: false, `type.any("fix")`: false, `type.all("fix")`: false,
		`trailer.any("Issue")`: false, `author.any(".")`: false, `not subject.all(".")`: true,
		`pr.label("x")`: false, `pr.title == ""`: false, `contains(pr.body, "")`: false, `pr.draft`: false, `not pr.draft`: true,
		`count(commits) == 0`: true, `file.exists("**")`: false,
	}
	whens := slices.Sorted(maps.Keys(want))
	check := func(name string, from *establish.Sources, want map[string]bool) {
		t.Helper()
		for text, a := range answers(t, changed, from, whens...) {
			if a.Err != nil || a.Holds != want[text] {
				t.Errorf("%s: %s: %v, %v; want %v", name, text, a.Holds, a.Err, want[text])
			}
		}
	}
	check("nothing", sourcesOf(t, &source{}, changed, ""), want)

	merge := commit("Merge branch 'x'", "A <a@b.c>")
	merge.Merge = true
	merged := maps.Clone(want)
	merged[`count(commits) == 0`] = false
	check("a merge alone", sourcesOf(t, &source{messages: []diff.Message{merge}}, changed, ""), merged)

	writing := maps.Clone(merged)
	for _, text := range []string{`subject.any(".")`, `subject.all(".")`, `type.any("fix")`, `type.all("fix")`, `trailer.any("Issue")`} {
		writing[text] = true
	}
	writing[`not subject.all(".")`] = false
	check("the message being written", sourcesOf(t, &source{}, changed, "fix: Parse\n\nIssue: 7\n"), writing)
}

// TestAsksOnlyWhatConditionsNeed checks that the commits and files are not read for others.
func TestAsksOnlyWhatConditionsNeed(t *testing.T) {
	for text, want := range map[string]int{
		`change.any("src/**") and head.branch == "topic" and not pr.draft`: 0,
		`lib.wanted == "changed"`: 0, // the library reads no commits
		`pr.label("x")`:           0,
		`subject.any("x") and type.all("fix") and { some c in commits; c.merge }`: 1,
		`file.exists("a") and file.exists("a")`:                                   1,
		`api.any("none/*.go") or api.any("none/*.ts")`:                            0,
		`file.has("a", "x") or file.has("a", "y")`:                                2, // whether it exists, and its text
	} {
		from := &source{files: map[string]string{"a": "z"}}
		answers(t, changed, sourcesOf(t, from, changed, ""), text)
		if from.asked != want {
			t.Errorf("%s: asked %d times; want %d", text, from.asked, want)
		}
	}
	// Conditions of rules that are not asked about need nothing.
	from := &source{}
	rules := []*rule.Rule{
		{Info: rule.Info{ID: "a"}, When: when(t, "a.md", `subject.any("x") and file.exists("x")`)},
		{Info: rule.Info{ID: "b"}, When: when(t, "b.md", `change.any("src/**")`)},
	}
	set, _, err := condition.CompileRules(t.Context(), load(t), condition.ChangeVocabulary(condition.Names{}), rules)
	if err != nil {
		t.Fatal(err)
	}
	got := set.OnChange(t.Context(), changed, sourcesOf(t, from, changed, ""), []rule.Info{rules[1].Info})
	if from.asked != 0 || !got[0].Holds {
		t.Errorf("asked %d times, %v; want none, and that it holds", from.asked, got)
	}
}

// TestUnansweredFailsAlone checks that only what asks has no answer.
func TestUnansweredFailsAlone(t *testing.T) {
	broken := errors.New("no such object")
	got := answers(t, changed, sourcesOf(t, &source{err: broken}, changed, ""), `not subject.any("x")`, `not file.has("a", "x")`, `change.any("src/**")`)
	for text, fails := range map[string]bool{`not subject.any("x")`: true, `not file.has("a", "x")`: true, `change.any("src/**")`: false} {
		failed := &condition.Error{}
		if a := got[text]; a.Holds == fails || fails != errors.Is(a.Err, broken) || fails && (!errors.As(a.Err, &failed) || failed.Place.Line != 3) {
			t.Errorf("%s: %+v", text, a)
		}
	}
	for text, want := range map[string]string{
		`api.any("docs/*")`:   "condition of api.any(\"docs/*\"): docs/new.md: no file with symbols has this name; want ",
		`api.any("src/a.go")`: "condition of api.any(\"src/a.go\"): src/a.go:1:1: at head, cannot be read as Go: expected 'package', found 'EOF'; fix the file, or exclude it",
		`api.any("src/z.go")`: "condition of api.any(\"src/z.go\"): src/z.go: its content is not known",
	} {
		from := &source{contents: map[string]diff.Content{"src/a.go": {Base: new("package a\n"), Head: new("")}, "docs/new.md": {Head: new("")}}}
		if a := answers(t, changed, sourcesOf(t, from, changed, ""), text)[text]; a.Err == nil || !strings.HasPrefix(a.Err.Error(), want) {
			t.Errorf("%v; want %s", a.Err, want)
		}
	}
	for content, want := range map[string]string{
		"version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("a", 64) + "\nsize 1\n": "condition of file.has(\"**\", \"x\"): a.bin: is in Git LFS, so its content is not known; want a pattern that does not match it",
		strings.Repeat("y", diff.ContentLimit+1):                                                           "condition of file.has(\"**\", \"x\"): a.bin: is larger than 1 MiB, so its content is not known; want a pattern that does not match it",
	} {
		a := answers(t, changed, sourcesOf(t, &source{files: map[string]string{"a.bin": content}}, changed, ""), `file.has("**", "x")`)[`file.has("**", "x")`]
		if a.Err == nil || a.Err.Error() != want {
			t.Errorf("%v; want %s", a.Err, want)
		}
	}
}

func TestWhenAndUnless(t *testing.T) {
	r := &rule.Rule{
		Info: rule.Info{ID: "r"}, When: when(t, "r.md", `change.any("src/**")`), Unless: when(t, "r.md", `subject.any("\\[chore\\]")`),
	}
	r.Unless.Unless = true
	set, problems, err := condition.CompileRules(t.Context(), load(t), condition.ChangeVocabulary(condition.Names{}), []*rule.Rule{r})
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	none := policy.Input{Head: changed.Head}
	for _, c := range []struct {
		in      policy.Input
		subject string
		want    []*rule.Condition
	}{
		{changed, "fix", nil},
		{changed, "fix [chore]", []*rule.Condition{r.Unless}},
		{none, "fix", []*rule.Condition{r.When}},
		{none, "[chore]", []*rule.Condition{r.When, r.Unless}},
	} {
		from := sourcesOf(t, &source{messages: []diff.Message{commit(c.subject, "A <a@b.c>")}}, c.in, "")
		got := set.OnChange(t.Context(), c.in, from, []rule.Info{r.Info})[0]
		if d := cmp.Diff(condition.Answer{Holds: len(c.want) == 0, Unmet: c.want}, got, cmp.AllowUnexported(rule.Condition{})); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.subject, d)
		}
	}
	// A problem of either leaves the rule out; both are reported.
	r.When, r.Unless = when(t, "r.md", `head.brnch == "x"`), when(t, "r.md", `subject.some("x")`)
	r.Unless.Unless = true
	set, problems, err = condition.CompileRules(t.Context(), load(t), condition.ChangeVocabulary(condition.Names{}), []*rule.Rule{r})
	if err != nil || len(problems) != 2 || set.Has("r") {
		t.Errorf("%v, %v; want two problems and no rule", problems, err)
	}
}

func (s *source) Links(context.Context, diff.Head, []string) (map[string]bool, error) {
	return nil, nil
}
