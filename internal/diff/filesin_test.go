package diff_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
)

// TestFilesIn compares the tracked files with a name in any case, and those below it, with the
// list of all files.
func TestFilesIn(t *testing.T) {
	const name = ".tool"
	s := newSandbox(t)
	for _, file := range []string{
		".tool/root", ".tool/in/.tool/deep", "a/.tool/x", "a/.tool/rules/y", "a/.tools/x", "a/b.tool/x", "b/c/.tool", "d\n/.tool/\xff",
		"e/.tool-old/.tool/x", "e/x.tool", "f/.TOOL/x", ".Tool/x",
	} {
		s.write(file, "x")
	}
	s.link("g/.tool", "a/.tool")
	s.commit("all")
	s.write("untracked/.tool/x", "x")
	check := func(t *testing.T, e diff.Engine) {
		t.Helper()
		for _, kind := range heads {
			head := headOf(t, e, kind)
			of := head
			if kind == diff.Worktree {
				of = diff.Head{Kind: diff.Index}
			}
			files, err := e.Files(t.Context(), of)
			if err != nil {
				t.Fatal(err)
			}
			want := slices.DeleteFunc(files, func(file string) bool {
				for ; file != "."; file = path.Dir(file) {
					if strings.EqualFold(path.Base(file), name) && file != name {
						return false
					}
				}
				return true
			})
			got, err := e.FilesIn(t.Context(), head, name)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, got, want)
			if len(got) != 9 || !slices.Contains(got, "g/.tool") {
				t.Errorf("%s: %q", kind, got)
			}
		}
	}
	eachEngine(t, s, check)
	e, err := program.Open(t.Context(), git.Options{Dir: s.path("a"), Env: s.env}) // it reads a small index itself
	if err != nil {
		t.Fatal(err)
	}
	check(t, e)
}

// headOf returns the head of a kind, of a commit HEAD.
func headOf(t *testing.T, e diff.Engine, kind diff.HeadKind) diff.Head {
	t.Helper()
	ref := ""
	if kind == diff.Commit {
		ref = "HEAD"
	}
	head, err := e.Head(t.Context(), kind, ref)
	if err != nil {
		t.Fatal(err)
	}
	return head
}
