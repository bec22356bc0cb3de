package diff_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/rulecheck/rulecheck/internal/diff"
)

var heads = []diff.HeadKind{diff.Worktree, diff.Index, diff.Commit}

// each returns what EachContent visits, with names of many more files than there are.
func each(t *testing.T, e engine, head diff.Head, asked []string, texts ...string) map[string][]byte {
	t.Helper()
	for i := range 200 {
		asked = append(slices.Clip(asked), fmt.Sprint("none", i))
	}
	var mutex sync.Mutex
	got := map[string][]byte{}
	if err := e.EachContent(t.Context(), head, []diff.Sought{{Paths: asked, Texts: texts}}, -1, func(path string, content []byte) {
		mutex.Lock()
		defer mutex.Unlock()
		got[path] = content
	}); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestContents(t *testing.T) {
	s := newSandbox(t)
	s.write("a", "one\ntwo\n")
	s.write("empty", "")
	s.write("dir/new\nline", "n")
	s.write("dir/\xff", "f")
	s.write("twice", "one\ntwo\n")
	s.link("link", "../outside")
	s.link("linked dir", "dir")
	s.write("../outside", "secret\n")
	sub := s.at("sub")
	s.write("sub/f", "1\n")
	sub.git("init", "-q")
	sub.commit("sub")
	s.git("-c", "advice.addEmbeddedRepo=false", "add", "-A")
	s.git("commit", "-q", "-m", "all")
	if err := os.Remove(s.path("twice")); err != nil {
		t.Fatal(err)
	}
	s.write("intended", "1\n")
	s.git("add", "-N", "intended")

	asked := []string{
		"a", "empty", "dir/new\nline", "dir/\xff", "twice", "link", "linked dir", "sub", "dir", "dir/none", "none",
		"a/b", "linked dir/new\nline", "link/x", "../outside", "/etc/passwd", "intended",
	}
	for _, kind := range heads {
		want := map[string]string{
			"a": "one\ntwo\n", "empty": "", "dir/new\nline": "n", "dir/\xff": "f", "link": "../outside", "linked dir": "dir",
		}
		if kind == diff.Worktree {
			want["intended"] = "1\n"
		} else {
			want["twice"] = "one\ntwo\n"
		}
		for _, dir := range []string{".", "dir"} {
			e := s.at(dir).open()
			got, err := e.Contents(t.Context(), s.head(e, kind), asked, -1)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, texts(got), want)
			equal(t, texts(each(t, e, s.head(e, kind), asked)), want)
		}
	}
	for _, kind := range heads {
		e := s.open()
		got, err := e.Contents(t.Context(), s.head(e, kind), []string{"a", "empty", "link"}, 3)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, texts(got), map[string]string{"a": "one", "empty": "", "link": "../"})
		got, err = e.Contents(t.Context(), s.head(e, kind), nil, -1)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, texts(got), map[string]string{})
	}
}

func texts(content map[string][]byte) map[string]string {
	m := map[string]string{}
	for name, b := range content {
		m[name] = string(b)
	}
	return m
}

func TestMissingObject(t *testing.T) {
	s := newSandbox(t)
	s.write("a", "1\n")
	s.commit("all")
	blob := s.git("rev-parse", "HEAD:a")
	s.remove(".git/objects/" + blob[:2] + "/" + blob[2:])
	e := s.open()
	_, err := e.Contents(t.Context(), s.head(e, diff.Commit), []string{"a"}, -1)
	if err == nil || !strings.Contains(err.Error(), "object "+blob+" is missing") {
		t.Errorf("got %v; want an error that names the object", err)
	}
}

func TestFiles(t *testing.T) {
	s := newSandbox(t)
	s.write("b", "1\n")
	s.write("a/x", "1\n")
	s.write("gone", "1\n")
	s.write("turned", "1\n")
	s.write(".gitignore", "ignored\n")
	s.commit("base")
	s.remove("gone")
	s.remove("turned")
	s.write("turned/file", "1\n")
	s.write("staged", "1\n")
	s.git("add", "staged")
	s.write("intended", "1\n")
	s.git("add", "-N", "intended")
	s.write("untracked", "1\n")
	s.write("ignored", "1\n")
	s.write("nested/f", "1\n")
	s.at("nested").git("init", "-q")

	for kind, want := range map[diff.HeadKind][]string{
		diff.Worktree: {".gitignore", "a/x", "b", "intended", "nested", "staged", "turned/file", "untracked"},
		diff.Index:    {".gitignore", "a/x", "b", "gone", "staged", "turned"},
		diff.Commit:   {".gitignore", "a/x", "b", "gone", "turned"},
	} {
		for _, dir := range []string{".", "a"} {
			e := s.at(dir).open()
			got, err := e.Files(t.Context(), s.head(e, kind))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, got, want)
		}
	}
}

func TestTree(t *testing.T) {
	s := newSandbox(t)
	s.write(".rulecheck/config.yml", "config\n")
	s.write(".rulecheck/rules/a.md", "a\n")
	s.write(".rulecheck/rules/b.md", "b\n")
	s.write(".rulecheck/rules/deep/c.md", "c\n")
	s.write("elsewhere/x.md", "x\n")
	s.write("elsewhere/y.md", "y\n")
	s.write("../outside.md", "secret\n")
	s.link(".rulecheck/rules/x.md", "../../elsewhere/x.md")
	s.link(".rulecheck/rules/chain.md", "x.md")
	s.link("rules", "elsewhere")
	s.commit("all")
	for _, kind := range heads {
		e := s.at("elsewhere").open()
		tree, err := e.Tree(t.Context(), s.head(e, kind), ".rulecheck", "rules/", "missing", "../outside.md", "/etc")
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{
			".rulecheck/config.yml":      "config\n",
			".rulecheck/rules/a.md":      "a\n",
			".rulecheck/rules/deep/c.md": "c\n",
			".rulecheck/rules/x.md":      "x\n",
			".rulecheck/rules/chain.md":  "x\n",
			"rules/y.md":                 "y\n",
		} {
			got, err := fs.ReadFile(tree, name)
			if err != nil || string(got) != want {
				t.Errorf("%s: %s is %q, error %v; want %q", kind, name, got, err, want)
			}
		}
		for dir, want := range map[string][]string{
			".rulecheck":       {"config.yml", "rules"},
			".rulecheck/rules": {"a.md", "b.md", "chain.md", "deep", "x.md"},
			"rules":            {"x.md", "y.md"},
		} {
			got, err := fs.ReadDir(tree, dir)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, entryNames(got), want)
		}
		for _, name := range []string{"missing", "missing/a.md", ".rulecheck/none", "../outside.md", ".rulecheck"} {
			if got, err := fs.ReadFile(tree, name); err == nil {
				t.Errorf("%s: %s is %q; want an error", kind, name, got)
			}
		}
		if _, err := fs.ReadDir(tree, "missing"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: missing directory: %v; want %v", kind, err, fs.ErrNotExist)
		}
		if list, err := fs.ReadDir(tree, ".rulecheck/config.yml"); err == nil {
			t.Errorf("%s: a file has the entries %v", kind, list)
		}
	}
}

func entryNames(list []fs.DirEntry) []string {
	names := []string{}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// TestTreeKeepsInside: a link that leads out of the repository, round in circles
// or to a directory on the way is listed, so that it is noticed, and not read.
func TestTreeKeepsInside(t *testing.T) {
	s := newSandbox(t)
	s.write("../outside.md", "secret\n")
	s.link("rules/absolute.md", s.path("../outside.md"))
	s.link("rules/circle.md", "other.md")
	s.link("rules/other.md", "circle.md")
	s.link("rules/out.md", "../../outside.md")
	s.link("rules/nowhere.md", "none")
	s.commit("all")
	for _, kind := range heads {
		e := s.open()
		tree, err := e.Tree(t.Context(), s.head(e, kind), "rules")
		if err != nil {
			t.Fatal(err)
		}
		list, err := fs.ReadDir(tree, "rules")
		if err != nil {
			t.Fatal(err)
		}
		equal(t, entryNames(list), []string{"absolute.md", "circle.md", "nowhere.md", "other.md", "out.md"})
		for _, entry := range list {
			if got, err := fs.ReadFile(tree, "rules/"+entry.Name()); err == nil {
				t.Errorf("%s: %s is %q; want an error", kind, entry.Name(), got)
			}
		}
	}
}

// TestTreeOfLargeIndexes finds files at any position in an index,
// of any size and with names as long as a path may be.
func TestTreeOfLargeIndexes(t *testing.T) {
	for _, version := range []string{"2", "4"} {
		for _, n := range []int{100, 1500, 15000} { // of one window, of several, and of large ones
			s := newSandbox(t)
			blob, err := s.feed("r\n", "hash-object", "-w", "--stdin")
			if err != nil {
				t.Fatal(err)
			}
			var entries strings.Builder
			var want []string
			for i := range n {
				name := fmt.Sprintf("%05d%s", i, strings.Repeat("x", i%200))
				if i%(n/50) == 0 {
					name += "/" + strings.Repeat("y/", i%2000) + "z"
					want = append(want, name)
				}
				fmt.Fprintf(&entries, "100644 %s\t%s\n", strings.TrimSpace(blob), name)
			}
			if _, err := s.feed(entries.String(), "update-index", "--index-info"); err != nil {
				t.Fatal(err)
			}
			s.git("update-index", "--index-version", version)
			e := s.open()
			tree, err := e.Tree(t.Context(), s.head(e, diff.Index), want...)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range want {
				if got, err := fs.ReadFile(tree, name); err != nil || string(got) != "r\n" {
					t.Fatalf("version %s, %d entries: that of %s is %q; want r", version, n, name[:5], got)
				}
			}
		}
	}
}

// TestTreeIsAFileSystem holds the trees to the contract of package fs.
func TestTreeIsAFileSystem(t *testing.T) {
	s := newSandbox(t)
	s.write("rules/a.md", "a\n")
	s.write("rules/deep/b.md", "b\n")
	s.write("other", "o\n")
	s.commit("all")
	for _, kind := range heads {
		e := s.open()
		tree, err := e.Tree(t.Context(), s.head(e, kind), "rules")
		if err != nil {
			t.Fatal(err)
		}
		rules, err := fs.Sub(tree, "rules")
		if err != nil {
			t.Fatal(err)
		}
		if err := fstest.TestFS(rules, "a.md", "deep/b.md"); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if kind == diff.Worktree {
			continue
		}
		if err := fstest.TestFS(tree, "rules/a.md", "rules/deep/b.md"); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		none, err := e.Tree(t.Context(), s.head(e, kind), "none")
		if err != nil {
			t.Fatal(err)
		}
		if err := fstest.TestFS(none); err != nil {
			t.Errorf("%s: empty: %v", kind, err)
		}
	}
}
