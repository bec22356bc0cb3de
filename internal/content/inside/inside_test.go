package inside_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/content/inside"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// edited is a file on both sides of a change; an empty side does not exist.
type edited struct{ oldPath, path, base, head string }

// both reads the parts of one kind on both sides of files.
func both(t *testing.T, kind pattern.Kind, files ...edited) []inside.Both {
	t.Helper()
	var changes []diff.Change
	details := map[string]*diff.Detail{}
	for _, f := range files {
		c := diff.Change{Path: f.path, OldPath: f.oldPath, Status: diff.Modified, Kind: diff.File}
		content := &diff.Content{Base: &f.base, Head: &f.head}
		switch {
		case f.base == "":
			c.Status, content.Base = diff.Added, nil
		case f.head == "":
			c.Status, content.Head = diff.Deleted, nil
		case f.oldPath != "":
			c.Status = diff.Renamed
		}
		changes, details[f.path] = append(changes, c), &diff.Detail{Content: content}
	}
	s := inside.Of(kind)
	s.Open(changes)
	return s.Joined(s.Both(t.Context(), changes, details))
}

// changed lists what changed in files, or why that is not known.
func changed(files []inside.Both) string {
	var all []string
	for _, b := range files {
		if b.Err != nil {
			all = append(all, b.Err.Error())
		}
		for _, c := range b.Changed {
			all = append(all, fmt.Sprintf("%s %s %s", b.Path, c.Status, c.Name))
		}
	}
	return strings.Join(all, "; ")
}

func TestPartsOfAFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind pattern.Kind
		edited
		want string
	}{
		{pattern.Keys, edited{path: "a.json", base: `{"b": 1, "c": 2}`, head: `{"c": 3, "b": 1}`}, "a.json modified ; a.json modified /c"},
		{pattern.Keys, edited{path: "a.yaml", base: "b: 1\n", head: "# d\nb:   1\n"}, ""},
		{pattern.Keys, edited{path: "a.json", base: "{}", head: "{"}, "a.json:1:2: at head, cannot be read as JSON: parsing value: unexpected EOF; fix the file, or exclude it"},
		{pattern.Keys, edited{path: "a.txt", base: "b", head: "c"}, "a.txt: no file with keys has this name; want " + inside.Of(pattern.Keys).Names() + ", or exclude it"},
		{pattern.Headings, edited{path: "a.md", base: "# B\nc\n\n## D\ne\n", head: "B\n=\nc\n\n## D\nf\n"}, "a.md modified heading:b; a.md modified heading:d"},
		{pattern.Headings, edited{path: "a.md", base: "# B\n## C\n", head: "# B\n"}, "a.md modified heading:b; a.md deleted heading:c"},
		{pattern.API, edited{path: "a.go", base: "package a\n\nfunc B() {}\n\nfunc c() {}\n", head: "package a\n\nfunc B(d int) {}\n\nfunc c(e int) {}\n"}, "a.go modified symbol:B"},
		{pattern.API, edited{oldPath: "a.txt", path: "a.go", base: "func B() {}", head: "package a\n\nfunc B() {}\n"}, "a.go added symbol:B"},
		{pattern.API, edited{path: "a.go", base: "package a\n\nfunc B() {}\n"}, "a.go deleted symbol:B"},
		{pattern.Symbols, edited{path: "a.py", base: "def _b(): pass\n", head: "def _b(c): pass\n"}, "a.py modified symbol:_b"},
		{pattern.Symbols, edited{path: "a.py", base: "def b(:\n", head: "def b(): pass\n"}, `a.py:1:7: at the base, cannot be read as Python: ":" cannot be here; fix the file, or exclude it`},
	} {
		if got := changed(both(t, c.kind, c.edited)); got != c.want {
			t.Errorf("%s %+v: %q; want %q", c.kind, c.edited, got, c.want)
		}
	}
}

// TestSymbolsThatMove compares symbols that move between files of a package, which is the API of Go, and of a module,
// which is not that of Python.
func TestSymbolsThatMove(t *testing.T) {
	t.Parallel()
	moved := func(extension, package_, symbol string) string {
		return changed(both(t, pattern.API,
			edited{path: "d/a" + extension, base: package_ + symbol, head: package_}, edited{path: "d/b" + extension, base: package_, head: package_ + symbol}))
	}
	if got := moved(".go", "package d\n\n", "func B() {}\n"); got != "" {
		t.Errorf("Go: %q; want nothing", got)
	}
	if got := moved(".py", "import c\n", "def b(): pass\n"); got != "d/a.py deleted symbol:b; d/b.py added symbol:b" {
		t.Errorf("Python: %q", got)
	}
}

func TestFilesWithoutText(t *testing.T) {
	t.Parallel()
	s, pointer := inside.Of(pattern.Keys), "version https://git-lfs.github.com/spec/v1\noid sha256:"+strings.Repeat("0", 64)+"\nsize 1\n"
	for name, c := range map[string]struct {
		change diff.Change
		detail *diff.Detail
		want   string
	}{
		"a link":   {diff.Change{Path: "a.json", Status: diff.Modified, Kind: diff.Symlink}, nil, "a.json: is a symlink; want a file with keys, or exclude it"},
		"unread":   {diff.Change{Path: "a.json", Status: diff.Modified, Kind: diff.File}, nil, "a.json: its content is not known"},
		"binary":   {diff.Change{Path: "a.json", Status: diff.Added, Kind: diff.File}, &diff.Detail{Content: &diff.Content{}}, "a.json: at head it is in a binary format, or larger than"},
		"git lfs":  {diff.Change{Path: "a.json", Status: diff.Added, Kind: diff.File}, &diff.Detail{Content: &diff.Content{Head: &pointer}}, "a.json: at head it is in Git LFS"},
		"at base":  {diff.Change{Path: "a.json", Status: diff.Modified, Kind: diff.File}, &diff.Detail{Content: &diff.Content{Head: &pointer}}, "a.json: at the base it is in a binary format"},
		"line end": {diff.Change{Path: "a\n.txt", Status: diff.Added, Kind: diff.File}, &diff.Detail{Content: &diff.Content{}}, `a\n.txt: no file with keys`},
	} {
		got := changed(s.Both(t.Context(), []diff.Change{c.change}, map[string]*diff.Detail{c.change.Path: c.detail}))
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q; want %q", name, got, c.want)
		}
	}
}
