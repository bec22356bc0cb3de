package diff_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
)

const searched = "Mark.Here"

// TestSearch compares searches with the content of every file at head.
func TestSearch(t *testing.T) {
	s := newSandbox(t)
	piece := strings.Repeat("x", 64<<10)
	for name, content := range map[string]string{
		"exact":             "a\nmark.here\n",
		"upper":             "// MARK.HERE(",
		"pattern":           "markxhere\n",
		"without":           "nothing\n",
		"empty":             "",
		"binary":            "\x00\x00 Mark.Here \x00",
		"attribute.bin":     "Mark.Here\n",
		".gitattributes":    "*.bin binary\n*.none -diff\n",
		"a.none":            "Mark.Here\n",
		"latin":             "\xe9\xff Mark.Here",
		"boundary":          piece[:len(piece)-4] + "Mark.Here",
		"large":             strings.Repeat(piece, 40) + "mark.HERE" + piece,
		"dir/new\nline":     "Mark.Here",
		"dir/\xff":          "Mark.Here",
		"dir/deep/file":     "Mark.Here",
		"dirty/file":        "Mark.Here",
		"ignored":           "Mark.Here",
		".gitignore":        "ignored*\n",
		"removed":           "Mark.Here",
		"edited":            "nothing",
		"cleaned":           "Mark.Here",
		"moved/here":        "Mark.Here",
		"-dash":             "Mark.Here",
		":(top)x":           "Mark.Here",
		"HEAD:x":            "Mark.Here",
		"link target/inner": "Mark.Here",
	} {
		s.write(name, content)
	}
	s.link("link", searched)
	s.link("linked", "link target")
	s.git("add", "-A", "-f")
	s.git("commit", "-q", "-m", "all")
	s.write("edited", searched)
	s.write("cleaned", "nothing")
	s.write("untracked", searched)
	s.write("untracked dir/file", "x"+searched)
	s.write("ignored too", searched)
	s.write("intended", searched)
	s.write("staged", searched)
	s.git("add", "staged")
	s.git("add", "-N", "intended")
	if err := os.Remove(s.path("removed")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(s.path("moved"), s.path("moved away")); err != nil {
		t.Fatal(err)
	}
	s.link("moved", "moved away")
	for key, value := range map[string]string{
		"grep.patternType": "perl", "grep.fullName": "false", "grep.column": "true", "grep.lineNumber": "true", "color.grep": "always",
		"submodule.recurse": "true", "core.quotePath": "true",
	} {
		s.git("config", key, value)
	}

	for _, kind := range heads {
		for _, below := range [][]string{nil, {"dir"}, {"dir", "untracked dir", "exact"}, {"di"}, {"none"}} {
			for _, dir := range []string{".", "dir"} {
				e := s.at(dir).open()
				head := s.head(e, kind)
				want := []string{}
				files, err := e.Files(t.Context(), head)
				if err != nil {
					t.Fatal(err)
				}
				contents, err := e.Contents(t.Context(), head, files, -1)
				if err != nil {
					t.Fatal(err)
				}
				for name, content := range contents {
					inside := len(below) == 0 || slices.ContainsFunc(below, func(d string) bool { return name == d || strings.HasPrefix(name, d+"/") })
					isLink := name == "link" || name == "linked" || name == "moved"
					if inside && !isLink && strings.Contains(strings.ToLower(string(content)), strings.ToLower(searched)) {
						want = append(want, name)
					}
				}
				slices.Sort(want)
				got, err := e.Search(t.Context(), head, searched, below)
				if err != nil {
					t.Fatal(err)
				}
				equal(t, append([]string{}, got...), want)
				if below == nil && len(want) < 15 {
					t.Errorf("%s: only %q", kind, want)
				}
				none, err := e.Search(t.Context(), head, "not anywhere", below)
				if err != nil || len(none) > 0 {
					t.Errorf("%q, %v; want none", none, err)
				}
			}
		}
	}
}

// TestSearchSkipsNoUnreadableFile fails where git would search the other files.
func TestSearchSkipsNoUnreadableFile(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads any file")
	}
	s := newSandbox(t)
	s.write("a", searched)
	s.write("b", searched)
	s.commit("all")
	if err := os.Chmod(s.path("b"), 0); err != nil {
		t.Fatal(err)
	}
	e := s.open()
	if got, err := e.Search(t.Context(), s.head(e, diff.Worktree), searched, nil); err == nil {
		t.Errorf("%q without an error", got)
	}
}

// TestSearchOfMissingObject fails where git would search the other objects.
func TestSearchOfMissingObject(t *testing.T) {
	s := newSandbox(t)
	s.write("a", searched)
	s.write("b", searched+" too")
	s.commit("all")
	object := s.git("rev-parse", "HEAD:b")
	if err := os.Remove(s.path(".git/objects/" + object[:2] + "/" + object[2:])); err != nil {
		t.Fatal(err)
	}
	e := s.open()
	for _, kind := range []diff.HeadKind{diff.Commit, diff.Index} {
		if got, err := e.Search(t.Context(), s.head(e, kind), searched, nil); err == nil {
			t.Errorf("%s: %q without an error", kind, got)
		}
	}
}
