package ifchange_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/content/ifchange"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// TestReader finds what a change removed in the files that did not change, and searches them
// only if it removed something.
func TestReader(t *testing.T) {
	repository := &files{of: map[string]versions{
		"a.py": {now: "# LINT.IfChange\n1\n# LINT.ThenChange(//b.py:x, //gone/)\n"},
		"b.py": {now: "# LINT.IfChange(y)\n# LINT.ThenChange()\n", before: "# LINT.IfChange(x)\n# LINT.ThenChange()\n"},
	}}
	facts := func(covers bool, changes ...diff.Change) []ifchange.File {
		return repository.facts(t, ifchange.Scope{Covers: func(string) bool { return covers }}, changes...)
	}
	b := modified("b.py")
	gone := diff.Change{Path: "gone/c", Status: diff.Deleted, Kind: diff.File}
	want := []ifchange.File{{Path: "a.py", Blocks: []ifchange.BlockFact{{Line: 1, Targets: []ifchange.TargetFact{
		{Name: "b.py:x", Path: "b.py", Line: 3, Label: "x", Exists: true, At: 1},
		{Name: "gone/", Path: "gone/", Line: 3, Found: true, Changed: true, At: 1},
	}}}, Problems: []ifchange.Problem{}}}
	if d := gocmp.Diff(want, facts(true, b, gone)); d != "" {
		t.Errorf("facts (-want +got):\n%s", d)
	}
	if got := facts(false, b, gone); len(got) > 0 {
		t.Errorf("files that the rule does not cover: %v", got)
	}
	repository.asked = nil
	if got := facts(true, modified("other")); len(got) > 0 {
		t.Errorf("a change that removes nothing: %v", got)
	}
	repository.asks(t, "details")
}

// TestQuestions asks for no more than the targets need: the files at head are listed only for
// a directory without changes and a path that is no file.
func TestQuestions(t *testing.T) {
	block := func(targets string) versions {
		text := func(line string) string { return "# LINT.IfChange\n" + line + "\n# LINT.ThenChange(" + targets + ")\n" }
		return versions{now: text("2"), before: text("1")}
	}
	for _, c := range []struct {
		targets string
		want    []string
	}{
		{"//changed.py, //dir/", []string{"details"}},
		{"//b.py", []string{"details", "contents b.py"}},
		{"//b.py:x", []string{"details", "contents b.py"}},
		{"//b.py, //changed.py, //b.py:x", []string{"details", "contents b.py"}},
		{"//lib/", []string{"details", "files"}},
		{"//none.py", []string{"details", "contents none.py", "files"}},
	} {
		repository := &files{of: map[string]versions{
			"a.py": block(c.targets), "changed.py": {now: "2", before: "1"}, "dir/x": {now: "2", before: "1"},
			"b.py": {now: "# LINT.IfChange(x)\n# LINT.ThenChange()\n"}, "lib/x": {now: "1"},
		}}
		about := ifchange.Scope{Changed: []string{"a.py"}}
		found := repository.facts(t, about, modified("a.py"), modified("changed.py"), modified("dir/x"))
		repository.asks(t, c.want...)
		if exists := found[0].Blocks[0].Targets[0].Exists; exists != (c.targets != "//none.py") {
			t.Errorf("%s: exists is %v", c.targets, exists)
		}
	}
}

// TestLongFiles reads files that did not change beyond the bound for those that did, and fails
// where a text is longer than that.
func TestLongFiles(t *testing.T) {
	block := "\n# LINT.IfChange(x)\n1\n# LINT.ThenChange(//gone)\n"
	gone := diff.Change{Path: "gone", Status: diff.Deleted, Kind: diff.File}
	scope := ifchange.Scope{Covers: func(string) bool { return true }}
	for _, c := range []struct {
		content string
		lines   int // of the findings; 0: none, -1: an error
	}{
		{strings.Repeat("#\n", diff.ContentLimit) + block, 1},
		{strings.Repeat("#\n", 8<<20) + block, -1},
		{"\x00" + strings.Repeat("#\n", 8<<20) + block, 0},
		{strings.Repeat("#\n", diff.ContentLimit) + "\x00" + block, 1},
		{strings.Repeat("#\n", 8<<20), 0},
	} {
		repository := &files{of: map[string]versions{"long.py": {now: c.content}}}
		for range 2 { // rules
			r := ifchange.NewReader(repository, diff.Changeset{Changes: []diff.Change{gone}})
			found, err := r.Facts(t.Context(), scope)
			switch {
			case c.lines < 0:
				want := `long.py has more than 16 MiB, so whether it names what the change removed is not known; leave it out with the key "exclude"`
				if err == nil || err.Error() != want {
					t.Errorf("error %v; want %s", err, want)
				}
			case err != nil || len(found) != c.lines:
				t.Errorf("%d bytes: %d files, %v; want %d", len(c.content), len(found), err, c.lines)
			}
		}
	}
	repository := &files{of: map[string]versions{
		"long.py": {now: strings.Repeat("#\n", 8<<20) + block},
		"a.py":    {now: "# LINT.IfChange\n# LINT.ThenChange(//long.py:x)\n"},
	}}
	_, err := ifchange.NewReader(repository, diff.Changeset{Changes: []diff.Change{modified("a.py")}}).Facts(t.Context(), ifchange.Scope{Changed: []string{"a.py"}})
	if want := "long.py has more than 16 MiB, so its labels are not known; name it without a label"; err == nil || err.Error() != want {
		t.Errorf("error %v; want %s", err, want)
	}
}

func modified(name string) diff.Change {
	return diff.Change{Path: name, Status: diff.Modified, Kind: diff.File}
}

// files is a repository in memory that records its questions.
type files struct {
	of    map[string]versions
	asked []string
}

type versions struct{ now, before string }

func (f *files) facts(t *testing.T, about ifchange.Scope, changes ...diff.Change) []ifchange.File {
	t.Helper()
	found, err := ifchange.NewReader(f, diff.Changeset{Changes: changes}).Facts(t.Context(), about)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// asks compares the questions so far.
func (f *files) asks(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(f.asked, want) {
		t.Errorf("asked %q; want %q", f.asked, want)
	}
}

func (f *files) Details(_ context.Context, _ diff.Base, _ diff.Head, list []diff.Change, _ []diff.Part) (map[string]*diff.Detail, error) {
	f.asked = append(f.asked, "details")
	details := map[string]*diff.Detail{}
	for _, c := range list {
		d := &diff.Detail{Content: &diff.Content{}}
		if c.Status != diff.Deleted {
			d.Content.Head = new(f.of[c.Path].now)
		}
		if c.Status != diff.Added {
			d.Content.Base = new(f.of[c.Path].before)
		}
		details[c.Path] = d
	}
	return details, nil
}

func (f *files) Contents(_ context.Context, _ diff.Head, paths []string, limit int64) (map[string][]byte, error) {
	contents := map[string][]byte{}
	for _, name := range paths {
		f.asked = append(f.asked, "contents "+name)
		if v, ok := f.of[name]; ok {
			contents[name] = []byte(v.now[:min(int64(len(v.now)), limit)])
		}
	}
	return contents, nil
}

func (f *files) Files(context.Context, diff.Head) (names []string, err error) {
	f.asked = append(f.asked, "files")
	for name := range f.of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

func (f *files) Search(_ context.Context, _ diff.Head, text string, _ []string) (names []string, err error) {
	f.asked = append(f.asked, "search")
	for name, v := range f.of {
		if strings.Contains(v.now, text) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}
