package owners_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/content/owners"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// The example of GitHub's documentation, and what it says about each line.
const documented = `# This is a comment.
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
*.txt @octo-org/octocats
/build/logs/ @doctocat
docs/* docs@example.com
apps/ @octocat
/docs/ @doctocat
/scripts/ @doctocat @octocat
**/logs @octocat
/apps/ @octocat
/apps/github
`

func TestOwnersOfTheDocumentedExample(t *testing.T) {
	f := owners.Parse(documented)
	for path, want := range map[string]int{
		"README.md": 2, "a/b/c.css": 2, "x.js": 3, "a/b/x.js": 3, "x.go": 4, "a/x.txt": 5,
		"build/logs/a/b.txt": 11, // **/logs is later
		"logs/x":             11, "a/logs": 11, "deeply/nested/logs/x.go": 11,
		"docs/getting-started.md": 9, "docs/build-app/troubleshooting.md": 9, "a/docs/x.md": 2, "sub/apps/x": 8,
		"apps/x": 12, "apps/github": 13, "apps/github/x.go": 13, "scripts/x": 10, "a/scripts/x": 2,
	} {
		if _, line := f.Owners(path); line != want {
			t.Errorf("line %d decides about %s; want line %d", line, path, want)
		}
	}
	if names, _ := f.Owners("apps/github/x.go"); len(names) > 0 {
		t.Errorf("apps/github has the owners %q; want none", names)
	}
	if names, _ := f.Owners("scripts/x"); !cmp.Equal(names, []string{"@doctocat", "@octocat"}) {
		t.Errorf("scripts has the owners %q", names)
	}
}

func TestOwnersByPattern(t *testing.T) {
	for _, tt := range []struct {
		pattern  string
		match    []string
		mismatch []string
	}{
		{"*", []string{"a", "a/b", ".x/y"}, nil},
		{"docs/*", []string{"docs/a.md"}, []string{"docs/a/b.md", "x/docs/a.md", "docs"}},
		{"/docs/", []string{"docs/a", "docs/a/b"}, []string{"docs", "x/docs/a"}},
		{"docs/", []string{"docs/a", "x/docs/a/b"}, []string{"docs", "x/docs"}},
		{"docs", []string{"docs", "x/docs", "x/docs/a/b"}, []string{"docs2", "mydocs"}},
		{"/src/**/test", []string{"src/test", "src/a/b/test", "src/a/test/x"}, []string{"x/src/test"}},
		{"/src/**", []string{"src/a", "src/a/b"}, []string{"src"}},
		{"src/*/x.go", []string{"src/a/x.go"}, []string{"src/x.go", "src/a/b/x.go"}},
		{"te??.c", []string{"test.c", "a/text.c"}, []string{"tet.c"}},
		{"a**b", []string{"ab", "axyb", "x/ab/c"}, []string{"a/b"}},
		{`my\ docs/x`, []string{"my docs/x"}, []string{"my/docs/x"}},
		{"/grün/{a,b}", []string{"grün/{a,b}"}, []string{"grün/a"}},
		{"!docs", nil, []string{"docs", "!docs"}},
		{"[ab].go", nil, []string{"a.go", "[ab].go"}},
		{`\#x`, nil, []string{"#x"}},
		{"/", nil, []string{"a", "a/b"}},
		{"a//b", nil, []string{"a/b"}},
	} {
		f := owners.Parse(tt.pattern + " @x\n")
		for _, path := range tt.match {
			if names, _ := f.Owners(path); len(names) != 1 {
				t.Errorf("%q does not match %q", tt.pattern, path)
			}
		}
		for _, path := range tt.mismatch {
			if names, line := f.Owners(path); len(names) != 0 || line != 0 {
				t.Errorf("%q matches %q", tt.pattern, path)
			}
		}
	}
}

// A line with a word that is no owner is skipped; a pattern without owners takes them away.
func TestParseSkipsMalformedLines(t *testing.T) {
	f := owners.Parse("\ufeff* @a\r\n*.go a b\n*.md\n*.js @a/b/c\n*.c @org/team x@y.org")
	for path, want := range map[string]int{"x.go": 1, "x.md": 3, "x.js": 1, "x.c": 5} {
		if _, line := f.Owners(path); line != want {
			t.Errorf("line %d decides about %s; want line %d", line, path, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(documented, "apps/github/x.go")
	f.Add("a\\ b** @x\n{} @y\n", "a b")
	f.Fuzz(func(t *testing.T, text, path string) {
		if names, line := owners.Parse(text).Owners(path); line == 0 && len(names) > 0 {
			t.Errorf("owners %q of no line", names)
		}
	})
}

// tree is the files at head.
type tree map[string]string

func (h tree) Contents(_ context.Context, _ diff.Head, paths []string, limit int64) (map[string][]byte, error) {
	contents := map[string][]byte{}
	for _, p := range paths {
		if text, ok := h[p]; ok {
			contents[p] = []byte(text[:min(len(text), int(limit))])
		}
	}
	return contents, nil
}

func (h tree) Files(context.Context, diff.Head) ([]string, error) {
	return slices.Sorted(maps.Keys(h)), nil
}

func TestReaderFindsNewDirectories(t *testing.T) {
	head := tree{"CODEOWNERS": "* @root\n", ".github/CODEOWNERS": "/a/ @a\n/h/ @h\n", "a/old.go": "", "a/b/new.go": "", "c/d/new.go": "", "c/e/new.go": "", "f/moved.go": "", "g/new.go": ""}
	changes := []diff.Change{
		{Path: "a/b/new.go", Status: diff.Added},
		{Path: "c/d/new.go", Status: diff.Added},
		{Path: "c/e/new.go", Status: diff.Added},
		{Path: "f/moved.go", OldPath: "h/moved.go", Status: diff.Renamed},
		{Path: "g/gone.go", Status: diff.Deleted},
		{Path: "g/new.go", Status: diff.Added},
	}
	paths := []string{"a/b/new.go", "c/d/new.go", "c/e/new.go", "f/moved.go", "g/gone.go", "g/new.go"}
	got, err := owners.NewReader(head, diff.Changeset{Changes: changes}).Of(t.Context(), paths)
	if err != nil {
		t.Fatal(err)
	}
	const file = ".github/CODEOWNERS" // the first of the places
	want := []owners.Owned{
		{Path: "a/b/new.go", Owners: []string{"@a"}, File: file, Line: 1, Directory: "a/b"},
		{Path: "c/d/new.go", Owners: []string{}, File: file, Directory: "c"},
		{Path: "c/e/new.go", Owners: []string{}, File: file, Directory: "c"},
		{Path: "f/moved.go", Owners: []string{}, File: file, Directory: "f", OldPath: "h/moved.go", OldOwners: []string{"@h"}},
		{Path: "g/new.go", Owners: []string{}, File: file},
	}
	if differs := cmp.Diff(want, got); differs != "" {
		t.Errorf("owners (-want +got):\n%s", differs)
	}
}

func TestReaderRefusesALargeFile(t *testing.T) {
	_, err := owners.NewReader(tree{"CODEOWNERS": strings.Repeat("#", diff.ContentLimit+1)}, diff.Changeset{}).Of(t.Context(), []string{"a"})
	if want := "CODEOWNERS is larger than 1 MiB, so its owners are not known"; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}

func (h tree) Details(context.Context, diff.Base, diff.Head, []diff.Change, []diff.Part) (map[string]*diff.Detail, error) {
	return nil, nil
}
