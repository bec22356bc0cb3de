package condition_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/condition"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/policy"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// drawMessage draws a commit: functions look for half of its parts.
func drawMessage(t *rapid.T) diff.Message {
	subject := rapid.SampledFrom([]string{"", "fixup! ", "squash! fixup! ", "Merge ", "Revert \""}).Draw(t, "prefix") +
		rapid.SampledFrom([]string{"", "fix", "Fix", "feat", "refactor", "re factor", "fix-it", "x_1", "é"}).Draw(t, "type") +
		rapid.SampledFrom([]string{"", "", "(api)", "(a/b, c)", "()", "(a(b))", " (x)"}).Draw(t, "scope") +
		rapid.SampledFrom([]string{"", "!", "!!"}).Draw(t, "bang") +
		rapid.SampledFrom([]string{": ", ":", " ", " : "}).Draw(t, "colon") +
		rapid.SampledFrom([]string{"Parse", "parse [chore]", "x: y", ""}).Draw(t, "text")
	lines := []string{subject, ""}
	lines = append(lines, rapid.SliceOfN(rapid.SampledFrom([]string{
		"Issue: 7", "issue: 8", "Issue:", "Signed-off-by: A <a@b.c>", "ISSUE : 9", "Why it is so.", "", "fix: a line",
	}), 0, 4).Draw(t, "body")...)
	return diff.Message{
		Commit: strings.Repeat("a", 40), Text: strings.Join(lines, "\n") + "\n",
		Author: diff.Author{
			Name:  rapid.SampledFrom([]string{"Ada", "ada", "dependabot[bot]", "A <B>"}).Draw(t, "name"),
			Email: rapid.SampledFrom([]string{"ada@example.com", "x@github.com", ""}).Draw(t, "email"),
		},
		Merge: rapid.IntRange(0, 4).Draw(t, "merge") == 0,
	}
}

// modelCommit has the data of a commit that the functions use. It is read line by line, without
// the packages under test.
type modelCommit struct {
	subject, kind, author string
	keys                  map[string]bool // in lower case, of trailers with a value
}

func modelOf(m diff.Message, authored bool) modelCommit {
	c := modelCommit{keys: map[string]bool{}}
	paragraphs := [][]string{nil}
	for line := range strings.SplitSeq(m.Text, "\n") {
		last := len(paragraphs) - 1
		switch {
		case strings.TrimSpace(line) != "":
			paragraphs[last] = append(paragraphs[last], line)
		case len(paragraphs[last]) > 0:
			paragraphs = append(paragraphs, nil)
		}
	}
	if len(paragraphs[len(paragraphs)-1]) == 0 && len(paragraphs) > 1 {
		paragraphs = paragraphs[:len(paragraphs)-1]
	}
	var words []string
	for _, line := range paragraphs[0] {
		words = append(words, strings.TrimSpace(line))
	}
	c.subject = strings.Join(words, " ")
	c.kind = modelType(c.subject)
	if authored {
		c.author = m.Author.Name + " <" + m.Author.Email + ">"
	}
	if len(paragraphs) > 1 {
		c.keys = modelTrailers(paragraphs[len(paragraphs)-1])
	}
	return c
}

// modelType reads a type one byte at a time.
func modelType(subject string) string {
	for again := true; again; {
		again = false
		for _, prefix := range []string{"fixup! ", "squash! ", "amend! "} {
			if strings.HasPrefix(subject, prefix) {
				subject, again = subject[len(prefix):], true
			}
		}
	}
	i := 0
	for i < len(subject) && strings.IndexByte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", subject[i]) >= 0 {
		i++
	}
	kind, rest := subject[:i], subject[i:]
	if strings.HasPrefix(rest, "(") {
		end := strings.IndexAny(rest[1:], "()")
		if end < 0 || rest[1+end] == '(' {
			return ""
		}
		rest = rest[end+2:]
	}
	rest = strings.TrimPrefix(rest, "!")
	if !strings.HasPrefix(rest, ": ") {
		return ""
	}
	return strings.ToLower(kind)
}

// modelTrailers reads the last paragraph: all of its lines are trailers, or git signed it.
func modelTrailers(lines []string) map[string]bool {
	keys, others, signed := map[string]bool{}, 0, false
	count := 0
	for _, line := range lines {
		key, value, ok := strings.Cut(line, ":")
		key = strings.TrimRight(key, " ")
		signed = signed || strings.HasPrefix(line, "Signed-off-by: ")
		if !ok || key == "" || strings.ContainsAny(key, " .") {
			others++
			continue
		}
		count++
		if strings.TrimSpace(value) != "" {
			keys[strings.ToLower(key)] = true
		}
	}
	if others > 0 && (!signed || count*3 < others) {
		return map[string]bool{}
	}
	return keys
}

// calls returns conditions, with their values for the commits that count by the model.
func calls() map[string]func([]modelCommit) bool {
	matches := func(expression string, of func(modelCommit) string) func(modelCommit) bool {
		re := regexp.MustCompile(expression)
		return func(c modelCommit) bool { return re.MatchString(of(c)) }
	}
	subject := func(c modelCommit) string { return c.subject }
	has := func(one func(modelCommit) bool) func([]modelCommit) bool {
		return func(list []modelCommit) bool { return slices.ContainsFunc(list, one) }
	}
	all := func(one func(modelCommit) bool) func([]modelCommit) bool {
		return func(list []modelCommit) bool {
			return len(list) > 0 && !slices.ContainsFunc(list, func(c modelCommit) bool { return !one(c) })
		}
	}
	typed := func(kinds ...string) func(modelCommit) bool {
		return func(c modelCommit) bool { return c.kind != "" && slices.Contains(kinds, c.kind) }
	}
	author := func(expression string) func([]modelCommit) bool {
		matches := matches(expression, func(c modelCommit) string { return c.author })
		return has(func(c modelCommit) bool { return c.author != "" && matches(c) })
	}
	return map[string]func([]modelCommit) bool{
		`subject.any("\\[chore\\]$")`:         has(matches(`\[chore\]$`, subject)),
		`subject.any("^(?i)fix")`:             has(matches(`^(?i)fix`, subject)),
		`subject.all(": ")`:                   all(matches(`: `, subject)),
		`subject.all("[a-z]")`:                all(matches(`[a-z]`, subject)),
		`type.any("fix")`:                     has(typed("fix")),
		`type.any("FIX", "feat")`:             has(typed("fix", "feat")),
		`type.any("fix-it", "x_1")`:           has(typed("fix-it", "x_1")),
		`type.all("fix", "feat", "refactor")`: all(typed("fix", "feat", "refactor")),
		`type.all("refactor")`:                all(typed("refactor")),
		`trailer.any("Issue")`:                has(func(c modelCommit) bool { return c.keys["issue"] }),
		`trailer.any("signed-off-by")`:        has(func(c modelCommit) bool { return c.keys["signed-off-by"] }),
		`author.any("^Ada <")`:                author(`^Ada <`),
		`author.any("\\[bot\\] <x@")`:         author(`\[bot\] <x@`),
	}
}

// TestFunctionsEqualModel compares the functions of commits with a model.
func TestFunctionsEqualModel(t *testing.T) {
	calls := calls()
	var rules []*rule.Rule
	var infos []rule.Info
	for text := range calls {
		r := &rule.Rule{Info: rule.Info{ID: text}, When: when(t, "x.md", text)}
		rules, infos = append(rules, r), append(infos, r.Info)
	}
	set, problems, err := condition.CompileRules(t.Context(), load(t), condition.ChangeVocabulary(condition.Names{}), rules)
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	lawtest.Check(t, func(rt *rapid.T) {
		var counted []modelCommit
		pending := ""
		if rapid.IntRange(0, 3).Draw(rt, "writing") == 0 {
			m := drawMessage(rt)
			pending = m.Text
			counted = append(counted, modelOf(m, false))
		}
		from := &source{}
		for range rapid.IntRange(0, 4).Draw(rt, "commits") {
			m := drawMessage(rt)
			from.messages = append(from.messages, m)
			if !m.Merge {
				counted = append(counted, modelOf(m, true))
			}
		}
		for i, got := range set.OnChange(t.Context(), changed, sourcesOf(t, from, changed, pending), infos) {
			if want := calls[infos[i].ID](counted); got.Err != nil || got.Holds != want {
				rt.Fatalf("%s: %v, %v; want %v of %+v, writing %q", infos[i].ID, got.Holds, got.Err, want, from.messages, pending)
			}
		}
	})
}

// drawCondition draws a condition with "and", "or" and "not".
func drawCondition(t *rapid.T, depth int) string {
	if depth == 0 || rapid.IntRange(0, 2).Draw(t, "leaf") == 0 {
		return rapid.SampledFrom([]string{
			`change.any("src/**")`, `change.added("*.md")`, `change.count("**") > 1`, `subject.any("fix")`, `subject.all(":")`, `type.any("fix", "feat")`,
			`trailer.any("Issue")`, `author.any("Ada")`, `file.exists("go.mod")`, `file.has("*.mod", "^toolchain")`, `pr.label("a")`, `pr.draft`,
			`contains(pr.title, "WIP")`, `head.branch == "topic"`, `{ some c in commits; c.merge }`, `{ some c in changes; c.status == "deleted" }`,
			`count(commits) < count(changes)`, `to_number(head.branch) > 3`,
		}).Draw(t, "call")
	}
	one, other := drawCondition(t, depth-1), drawCondition(t, depth-1)
	switch rapid.IntRange(0, 2).Draw(t, "operator") {
	case 0:
		return "not " + operand(one)
	case 1:
		return operand(one) + " and " + operand(other)
	default:
		return operand(one) + " or " + operand(other)
	}
}

// operand puts a condition in brackets, unless it is in braces.
func operand(text string) string {
	if strings.HasPrefix(text, "{") && strings.Index(text, "}") == len(text)-1 {
		return text
	}
	return "(" + text + ")"
}

// TestUnlessIsNotWhen compares unless with when and not, alone and together with another condition.
func TestUnlessIsNotWhen(t *testing.T) {
	bundle := load(t)
	lawtest.Check(t, func(rt *rapid.T) {
		text, also := drawCondition(rt, 2), drawCondition(rt, 1)
		unless := when(t, "x.md", text)
		unless.Unless = true
		rules := []*rule.Rule{
			{Info: rule.Info{ID: "unless"}, Unless: unless},
			{Info: rule.Info{ID: "not"}, When: when(t, "x.md", "not "+operand(text))},
			{Info: rule.Info{ID: "both"}, When: when(t, "x.md", also), Unless: unless},
			{Info: rule.Info{ID: "and"}, When: when(t, "x.md", operand(also)+" and not "+operand(text))},
		}
		set, problems, err := condition.CompileRules(t.Context(), bundle, condition.ChangeVocabulary(condition.Names{}), rules)
		if err != nil || len(problems) > 0 {
			rt.Fatal(problems, err)
		}
		for range 4 {
			in, from := drawChange(rt)
			var got []string
			for _, a := range set.OnChange(t.Context(), in, sourcesOf(t, from, in, ""), infosOf(rules)) {
				got = append(got, fmt.Sprintf("%v, failed: %v", a.Holds, a.Err != nil))
			}
			// A part that has no answer fails the rule, though "and" may not reach it.
			if got[0] != got[1] || got[2] != got[3] && !strings.Contains(got[2], "failed: true") {
				rt.Fatalf("unless: %s: %q", text, got)
			}
		}
	})
}

func infosOf(rules []*rule.Rule) []rule.Info {
	var list []rule.Info
	for _, r := range rules {
		list = append(list, r.Info)
	}
	return list
}

// drawChange draws a change with its commits, pull request and files.
func drawChange(t *rapid.T) (policy.Input, *source) {
	in := policy.Input{Base: changed.Base, Head: changed.Head, Now: changed.Now}
	in.Head.Branch = rapid.SampledFrom([]string{"main", "topic", "4"}).Draw(t, "branch")
	in.Changes = rapid.SliceOfNDistinct(rapid.SampledFrom(changed.Changes), 0, 4, func(c diff.Change) string { return c.Path }).Draw(t, "changes")
	if rapid.Bool().Draw(t, "requested") {
		title, draft := rapid.SampledFrom([]string{"WIP", "Parse"}).Draw(t, "title"), rapid.Bool().Draw(t, "draft")
		in.PR.Title, in.PR.Draft = &title, &draft
		in.Head.Labels = rapid.SliceOf(rapid.SampledFrom([]string{"a", "b"})).Draw(t, "labels")
	}
	from := &source{files: map[string]string{}}
	for range rapid.IntRange(0, 3).Draw(t, "commits") {
		from.messages = append(from.messages, drawMessage(t))
	}
	if rapid.Bool().Draw(t, "module") {
		from.files["go.mod"] = rapid.SampledFrom([]string{"", "toolchain x", "module\ntoolchain x\n", "toolchain\x00"}).Draw(t, "go.mod")
	}
	return in, from
}
