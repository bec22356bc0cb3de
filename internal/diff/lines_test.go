package diff_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
)

func TestLines(t *testing.T) {
	s := newSandbox(t)
	ten := strings.Split(strings.TrimSuffix(text("ten", 10), "\n"), "\n")
	file := func(lines ...string) string { return strings.Join(lines, "\n") + "\n" }
	for _, name := range []string{"changed", "inserted", "cut", "beheaded", "emptied", "moved", "moved plainly", "dropped"} {
		s.write(name, strings.ReplaceAll(file(ten...), "ten", name))
	}
	s.write("binary", "\x00\x01")
	s.write("gone", "1\n")
	base := s.commit("base")

	as := func(name string, lines ...string) string { return strings.ReplaceAll(file(lines...), "ten", name) }
	s.write("changed", as("changed", append([]string{"one", "two"}, ten[2:]...)...))
	s.write("inserted", as("inserted", append(append([]string{}, ten[:5]...), append([]string{"+", "++"}, ten[5:]...)...)...))
	s.write("cut", as("cut", append(append([]string{}, ten[:4]...), ten[6:]...)...))
	s.write("beheaded", as("beheaded", ten[1:]...))
	s.write("emptied", "")
	s.git("mv", "moved", "new place")
	s.write("new place", as("moved", append(append([]string{}, ten[:9]...), "end")...))
	s.move("moved plainly", "dir/moved plainly")
	s.write("dir/moved plainly", as("moved plainly", append(append([]string{}, ten[:8]...), "end")...))
	s.git("rm", "-q", "--cached", "dropped")
	s.write("dropped", as("dropped", append([]string{"top"}, ten...)...))
	s.write("binary", "\x00\x02")
	s.remove("gone")
	s.write("added", "1\n2\n3")
	s.git("add", "added")
	s.write("untracked", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n")
	s.write("untracked binary", "\x00")
	s.write("untracked empty", "")
	s.write("odd \"name\n", "odd\n")
	s.link("untracked link", "changed")

	want := map[string][]diff.Lines{
		"changed":           {{First: 1, Last: 2}},
		"inserted":          {{First: 6, Last: 7}},
		"cut":               {{First: 4, Last: 4}},
		"beheaded":          {{First: 1, Last: 1}},
		"emptied":           {{First: 1, Last: 1}},
		"new place":         {{First: 10, Last: 10}},
		"dir/moved plainly": {{First: 9, Last: 9}},
		"dropped":           {{First: 1, Last: 1}},
		"added":             {{First: 1, Last: 3}},
		"untracked":         {{First: 1, Last: 3}},
		"untracked link":    {{First: 1, Last: 1}},
		"binary":            {{First: 1, Last: 1}},
		"untracked binary":  {{First: 1, Last: 1}},
		"odd \"name\n":      {{First: 1, Last: 1}},
	}
	set := s.changeset(diff.Worktree, base)
	equal(t, lines(t, s.at("dir").open(), set, set.Changes), want)

	for _, c := range set.Changes {
		one := map[string][]diff.Lines{}
		if runs, ok := want[c.Path]; ok {
			one[c.Path] = runs
		}
		equal(t, lines(t, s.open(), set, []diff.Change{c}), one)
	}
	equal(t, lines(t, s.open(), set, nil), map[string][]diff.Lines{})

	s.git("add", "-A")
	set = s.changeset(diff.Index, base)
	equal(t, lines(t, s.open(), set, set.Changes), want)
	s.commit("head")
	set = s.changeset(diff.Commit, base)
	equal(t, lines(t, s.at("dir").open(), set, set.Changes), want)
}

func lines(t *testing.T, e engine, set diff.Changeset, list []diff.Change) map[string][]diff.Lines {
	t.Helper()
	got, err := e.Lines(t.Context(), set.Base, set.Head, list)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestManyNames asks for more names than fit a command line.
func TestManyNames(t *testing.T) {
	s := newSandbox(t)
	s.write("outside", "1\n")
	base := s.commit("base")
	long := strings.Repeat("long/", 40)
	var names []string
	for i := range 300 {
		name := long + strconv.Itoa(i)
		s.write(name, "1\n2\n")
		names = append(names, name)
	}
	s.write("outside", "2\n")
	s.git("add", "-A")
	set := s.changeset(diff.Index, base)
	var asked []diff.Change
	for _, c := range set.Changes {
		if c.Path != "outside" {
			asked = append(asked, c)
		}
	}
	got := lines(t, s.open(), set, asked)
	equal(t, len(got), len(names))
	equal(t, got[names[0]], []diff.Lines{{First: 1, Last: 2}})
	content, err := s.open().Contents(t.Context(), set.Head, names, -1)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, len(content), len(names))
	equal(t, string(content[names[299]]), "1\n2\n")
}

// TestLinesOfWhatBecameALink: all of them; git itself writes no patch from a
// submodule to a symlink.
func TestLinesOfWhatBecameALink(t *testing.T) {
	s := newSandbox(t)
	s.write("file", "1\n")
	s.nested("lib")
	s.git("-c", "advice.addEmbeddedRepo=false", "add", "lib")
	base := s.commit("base")
	for _, name := range []string{"file", "lib"} {
		s.remove(name)
		s.link(name, "two\nlines")
	}
	s.write("added", "1\n")
	want := map[string][]diff.Lines{"added": {{First: 1, Last: 1}}, "file": {{First: 1, Last: 2}}, "lib": {{First: 1, Last: 2}}}
	for _, head := range []struct {
		kind diff.HeadKind
		make func()
	}{
		{diff.Worktree, func() {}},
		{diff.Index, func() { s.git("add", "-A") }},
		{diff.Commit, func() { s.commit("head") }},
	} {
		head.make()
		set := s.changeset(head.kind, base)
		got, err := s.open().Lines(t.Context(), set.Base, set.Head, set.Changes)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, got, want)
	}
}

// TestLinesOfSHA256 has the index that is written for a few changes be one of long
// ids, too.
func TestLinesOfSHA256(t *testing.T) {
	s := bareSandbox(t, t.TempDir())
	s.git("init", "-q", "-b", "main", "--object-format=sha256")
	for _, name := range []string{"a", "dir/file", strings.Repeat("long/", 500) + "name"} {
		s.write(name, "1\n2\n")
	}
	base := s.commit("base")
	for _, name := range []string{"a", "dir/file", strings.Repeat("long/", 500) + "name"} {
		s.write(name, "1\n2\n3\n")
	}
	s.commit("more")
	e, err := engines[0].open(t, s)
	if err != nil {
		t.Fatal(err)
	}
	set := s.changeset(diff.Commit, base)
	got, err := e.Lines(t.Context(), set.Base, set.Head, set.Changes)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range set.Changes {
		equal(t, got[c.Path], []diff.Lines{{First: 3, Last: 3}})
	}
	if len(got) != 3 {
		t.Errorf("lines of %d files; want 3", len(got))
	}
}
