package example_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/rule/example"
	"github.com/rulecheck/rulecheck/policies"
)

func modes(tb testing.TB) policies.Modes {
	tb.Helper()
	bundle, err := policies.Load()
	if err != nil {
		tb.Fatal(err)
	}
	return bundle.Modes
}

// withBody is a rule file whose body begins on line 4.
func withBody(lines ...string) []byte {
	return []byte("---\ntrigger: a\n---\n" + strings.Join(lines, "\n"))
}

func TestParseExamples(t *testing.T) {
	t.Parallel()
	got, problems := rule.Parse("rules/a.md", withBody(
		"Do it.",
		"",
		"```rulecheck",
		"# everything there is",
		"@ release/1.0",
		"M src/a b.py",
		"+ new",
		"+",
		"+   indented  ",
		"- old",
		"A src/new.py",
		"D old.py",
		`R "a, b.py" -> src/b.py  `,
		"T link",
		"? untracked.txt",
		`= "\xff"`,
		"C fix: Parse",
		"+ Why.",
		"by Ada <ada@example.com>",
		"P Fix: parse",
		"+ - [x] tests",
		"L size/L",
		"draft",
		"",
		"--",
		`src/b.py, "a, b.py" -> docs/*.md, "a -> b", docs/*.md`,
		`src/a b.py:2`,
		"```",
		"",
		"  ~~~~ rulecheck",
		"M a",
		"--",
		"silent",
		"~~~~~",
		"And then.",
		"````markdown",
		"```rulecheck",
		"this is no example",
		"```",
		"````",
		"    ```rulecheck",
		"```rulecheck",
		"A a",
		"--",
		"fires",
		"```",
	), modes(t))
	if problems != nil {
		t.Fatal(problems)
	}
	body := "Do it.\n\nAnd then.\n````markdown\n```rulecheck\nthis is no example\n```\n````\n    ```rulecheck"
	if diff := cmp.Diff(body, got.Body); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
	want := []example.Example{
		{
			Line: 6, Branch: "release/1.0",
			Files: []example.File{
				{Status: example.Modified, Path: "src/a b.py", Added: []string{"new", "", "  indented  "}, Removed: []string{"old"}},
				{Status: example.Added, Path: "src/new.py"},
				{Status: example.Deleted, Path: "old.py"},
				{Status: example.Renamed, Path: "src/b.py", OldPath: "a, b.py"},
				{Status: example.TypeChanged, Path: "link"},
				{Status: example.Untracked, Path: "untracked.txt"},
				{Status: example.Unchanged, Path: "\xff"},
			},
			Commits: []example.Commit{{Subject: "fix: Parse", Body: []string{"Why."}, Author: "Ada <ada@example.com>"}},
			Request: &example.Request{Title: "Fix: parse", Body: []string{"- [x] tests"}, Labels: []string{"size/L"}, Draft: true},
			Wanted: []example.Finding{
				{Files: []string{"a, b.py", "src/b.py"}, Expected: []string{"a -> b", "docs/*.md"}},
				{Files: []string{"src/a b.py"}, At: 2},
			},
		},
		{Line: 33, Files: []example.File{{Status: example.Modified, Path: "a"}}},
		{Line: 45, Files: []example.File{{Status: example.Added, Path: "a"}}, Fires: true},
	}
	if diff := cmp.Diff(want, got.Examples); diff != "" {
		t.Errorf("examples (-want +got):\n%s", diff)
	}
}

func TestParseSaysWhatIsWrongWithAnExample(t *testing.T) {
	t.Parallel()
	const want = `want "M", "A", "D", "T" or "?" and a path, "R" and "old -> new", or "=" and the path of a file that did not change, or "C" and the subject of a commit, "P" and the title of the pull request, "L" and its label`
	for _, test := range []struct {
		name    string
		lines   []string // of the block, from line 6 of the file
		problem string
	}{
		{"nothing", nil, `5:1: the example has no files; ` + want},
		{"no finding", []string{"M a"}, `5:1: the example has no outcome; want a line "--", and below it "silent", "fires", or findings such as "a.go, b.go -> c.go"`},
		{"nothing below the divider", []string{"M a", "--"}, `5:1: the example has no outcome; want "silent", "fires", or findings such as "a.go, b.go -> c.go" below "--"`},
		{"two dividers", []string{"M a", "--", "silent", "--"}, `9:1: a second "--"; want one, between the files and the outcome`},
		{"no status", []string{"src/a.go", "--", "silent"}, `6:1: "src/a.go" has no status; ` + want},
		{"lower case", []string{"m a", "--", "silent"}, `6:1: "m a" has no status; did you mean "M"? ` + want},
		{"no path", []string{"M", "--", "silent"}, `6:1: "M" has no status; ` + want},
		{"two blanks", []string{"M  a", "--", "silent"}, `6:3: " a" begins or ends with a blank; want one blank before a path, or the path in quotes`},
		{"an absolute path", []string{"A b", "M /a", "--", "silent"}, `7:3: bad path "/a"; want one such as "src/a.go", without "..", "./" or a "/" at either end`},
		{"a rename without its new name", []string{"R a", "--", "silent"}, `6:1: "R a"; ` + want},
		{"a change with two names", []string{"M a -> b", "--", "silent"}, `6:1: "M a -> b"; ` + want},
		{"a rename to nothing", []string{`R a -> ""`, "--", "silent"}, `6:8: bad quoted path ""; want one such as "a\tb"`},
		{"a rename of nothing", []string{`R "" -> a`, "--", "silent"}, `6:3: bad quoted path ""; want one such as "a\tb"`},
		{"a bad quote", []string{`M "a`, "--", "silent"}, `6:3: bad quoted path "a; want one such as "a\tb"`},
		{"a file twice", []string{"M a", "R b -> a", "--", "silent"}, `7:8: "a" is on line 6 already; want each file once`},
		{"two branches", []string{"@ a", "@ b", "M a", "--", "silent"}, `7:1: a second branch; the first is "a"`},
		{"an author without a commit", []string{"M a", "by A <a@b.c>", "--", "silent"}, `7:1: no commit above "by A <a@b.c>"; want "C" and a subject`},
		{"a bad author", []string{"C a", "by A", "--", "silent"}, `7:4: the author is "A"; want a name and an address, such as Ada <ada@example.com>`},
		{"two pull requests", []string{"P a", "M b", "P c", "--", "silent"}, `8:1: a second pull request; the first is "a"`},
		{"a pull request alone", []string{"P a", "L b", "--", "silent"}, `5:1: the example has no files; ` + want},
		{"a removed line of a pull request", []string{"M b", "P a", "- c", "--", "silent"}, `8:1: a commit or pull request cannot have lines with "-"`},
		{"a bad branch", []string{"@ a b", "M a", "--", "silent"}, `6:4: the branch is "a b"; want the name of a branch, such as main`},
		{"a line of nothing", []string{"+ a", "M a", "--", "silent"}, `6:1: no file above "+ a"; ` + want},
		{"a line of an unchanged file", []string{"M b", "= a", "- x", "--", "silent"}, `8:1: a file with the status "=" cannot have lines with "-"`},
		{"a line added to a deleted file", []string{"D a", "+ x", "--", "silent"}, `7:1: a file with the status "D" cannot have lines with "+"`},
		{"a line removed from a new file", []string{"? a", "- x", "--", "silent"}, `7:1: a file with the status "?" cannot have lines with "-"`},
		{"silent and a finding", []string{"M a", "--", "silent", "a"}, `9:1: "a" and another outcome; want "silent" or "fires" alone`},
		{"a finding and fires", []string{"M a", "--", "a", "fires"}, `9:1: "fires" and another outcome; want "silent" or "fires" alone`},
		{"a file that is not there", []string{"R old.go -> new.go", "--", "nwe.go"}, `8:1: "nwe.go" is not a file of the example; did you mean "new.go"? want one of "new.go", "old.go", "silent", "fires"`},
		{"the arrow of reports", []string{"M a", "--", "a → b"}, `8:3: bad arrow "→"; want "->"`},
		{"nothing expected", []string{"M a", "--", "a -> b, , c"}, `8:9: a path is missing`},
		{"the line of one of two", []string{"M a", "M b", "--", "a, b:2"}, `9:4: "b:2" has the line of one of several files; want no line`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			lines := append(append([]string{"Do it.", "```rulecheck"}, test.lines...), "```")
			_, problems := rule.Parse("a.md", withBody(lines...), modes(t))
			if diff := cmp.Diff([]string{"a.md:" + test.problem}, errorTexts(problems)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseRefusesFencesThatAreNearlyExamples(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ line, problem string }{
		{" ```rulecheck first", `a.md:5:5: an example begins with "rulecheck first"; want "rulecheck" alone`},
		{"```sh\n```rulecheck", "a.md:6:1: an example begins inside the block of line 5; want a line \"```\" above it, or a longer fence on line 5"},
		{"````rulecheck", "a.md:5:5: the example is not closed; want a line \"````\" below it"},
	} {
		_, problems := rule.Parse("a.md", withBody("Do it.", test.line, "M a", "--", "silent", "```"), modes(t))
		if diff := cmp.Diff([]string{test.problem}, errorTexts(problems)); diff != "" {
			t.Errorf("problems of %q (-want +got):\n%s", test.line, diff)
		}
	}
}

func TestExamplesAloneAreNoInstructions(t *testing.T) {
	t.Parallel()
	_, problems := rule.Parse("a.md", withBody("```rulecheck", "M a", "--", "silent", "```"), modes(t))
	want := []string{`a.md:3:1: the body is empty; want instructions below the frontmatter, or an "action"`}
	if diff := cmp.Diff(want, errorTexts(problems)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestDiffers(t *testing.T) {
	t.Parallel()
	a, b := example.Finding{Files: []string{"a"}, At: 3}, example.Finding{Files: []string{"b"}, Expected: []string{"c"}}
	anywhere := example.Finding{Files: []string{"a"}}
	elsewhere := example.Finding{Files: []string{"a"}, At: 4}
	for _, test := range []struct {
		name    string
		example example.Example
		found   []example.Finding
		want    []string
	}{
		{name: "silent as wanted"},
		{name: "not silent", found: []example.Finding{a}, want: []string{"- silent", "+ a:3"}},
		{name: "fires as wanted", example: example.Example{Fires: true}, found: []example.Finding{{}}},
		{name: "does not fire", example: example.Example{Fires: true}, want: []string{"- fires", "+ silent"}},
		{name: "in another order", example: example.Example{Wanted: []example.Finding{b, a}}, found: []example.Finding{a, b}},
		{name: "on any line", example: example.Example{Wanted: []example.Finding{anywhere}}, found: []example.Finding{a}},
		{name: "on another line", example: example.Example{Wanted: []example.Finding{a}}, found: []example.Finding{elsewhere}, want: []string{"- a:3", "+ a:4"}},
		{name: "one too few", example: example.Example{Wanted: []example.Finding{a, b}}, found: []example.Finding{a}, want: []string{"- b -> c"}},
		{name: "twice", example: example.Example{Wanted: []example.Finding{a}}, found: []example.Finding{a, a}, want: []string{"+ a:3"}},
		{name: "none of it", example: example.Example{Wanted: []example.Finding{a, b}}, want: []string{"- a:3", "- b -> c", "+ silent"}},
		{name: "without files", found: []example.Finding{{}}, want: []string{"- silent", "+ (a finding without files)"}},
	} {
		if diff := cmp.Diff(test.want, test.example.Differs(test.found)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// What a failure shows as found can be put into the example.
func TestFindingsAreReadBackAsTheyAreShown(t *testing.T) {
	t.Parallel()
	known := modes(t)
	path := rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{
		"a", "b.go", " ", ",", "->", "→", `"`, ":3", "#", "-", "+", "silent", "fires", "\xff", "\t", "\n", "`", "--", "é",
	}), 1, 4), func(parts []string) string { return strings.Join(parts, "") })
	lawtest.Check(t, func(t *rapid.T) {
		files := rapid.SliceOfNDistinct(path, 1, 3, rapid.ID).Draw(t, "files")
		finding := example.Finding{Files: files, Expected: rapid.SliceOfNDistinct(path, 0, 2, rapid.ID).Draw(t, "expected")}
		if len(files) == 1 {
			finding.At = rapid.IntRange(0, 9).Draw(t, "line")
		}
		lines := []string{"Do it.", "```rulecheck"}
		for _, f := range files {
			lines = append(lines, "M "+example.QuotePath(f))
		}
		lines = append(lines, "--", finding.String(), "```")
		r, problems := rule.Parse("a.md", withBody(lines...), known)
		if problems != nil {
			t.Fatalf("%v of %q", problems, lines)
		}
		if left := r.Examples[0].Differs([]example.Finding{sorted(finding)}); left != nil {
			t.Fatalf("%q is read as something else: %q", lines, left)
		}
	})
}

func errorTexts(problems []finding.Problem) []string {
	var list []string
	for _, p := range problems {
		list = append(list, p.Error())
	}
	return list
}

// sorted is a finding as policies give it.
func sorted(f example.Finding) example.Finding {
	f.Files, f.Expected = slices.Sorted(slices.Values(f.Files)), slices.Sorted(slices.Values(f.Expected))
	return f
}

func FuzzExample(f *testing.F) {
	for _, seed := range []string{
		"@ b\nM a\n+ x\n--\nsilent", "R \"a, b\" -> c\n--\nc, \"a, b\" -> d", "= a\n--\nfires", "A a:3\n--\n\"a:3\":4 -> b", "? a\n--\na -> ",
	} {
		f.Add(seed)
	}
	known := modes(f)
	f.Fuzz(func(t *testing.T, text string) {
		source := string(withBody("Do it.", "```rulecheck", text, "```"))
		r, problems := rule.Parse("a.md", []byte(source), known)
		lines := strings.Split(source, "\n")
		for _, p := range problems {
			if p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column > len(lines[p.Line-1])+1 || p.Code == "" || p.Message == "" {
				t.Errorf("%#v is incomplete, or outside of %q", p, source)
			}
		}
		if r == nil {
			return
		}
		for _, x := range r.Examples {
			if len(x.Files) == 0 || x.Fires && len(x.Wanted) > 0 {
				t.Errorf("example %+v of %q", x, text)
			}
			if left := x.Differs(x.Wanted); !x.Fires && left != nil {
				t.Errorf("%+v differs from itself: %q", x, left)
			}
		}
	})
}
