package diff_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
)

// TestPairs holds renames in the working tree to those that git finds in an index of everything, and
// shows in which working trees git is asked about the deleted and new files alone.
func TestPairs(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name  string
		apart bool // git is asked about the deleted and new files alone
		base  func(s *sandbox)
		work  func(s *sandbox)
	}{
		{name: "nothing deleted", work: func(s *sandbox) { s.write("a", text("a", 20)); s.write("new", text("b", 20)) }},
		{name: "deleted", apart: true, work: func(s *sandbox) { s.remove("b") }},
		{name: "untracked", apart: true, work: func(s *sandbox) { s.move("b", "c"); s.write("c", text("b", 15)+"other\n") }},
		{name: "staged", apart: true, work: func(s *sandbox) { s.git("mv", "b", "c") }},
		{name: "staged and edited", apart: true, work: func(s *sandbox) { s.git("mv", "b", "c"); s.write("c", text("b", 15)+"other\n") }},
		{name: "intent to add", apart: true, work: func(s *sandbox) { s.move("b", "c"); s.git("add", "-N", "c") }},
		{name: "removed from the index", apart: true, work: func(s *sandbox) { s.git("rm", "-q", "b"); s.write("c", text("b", 20)) }},
		{name: "an untracked file is a better match", apart: true, work: func(s *sandbox) {
			s.git("mv", "b", "c")
			s.write("c", text("b", 12)+text("else", 8))
			s.write("d", text("b", 19))
		}},
		{name: "ties", apart: true, work: func(s *sandbox) {
			s.remove("b")
			s.remove("b2")
			for _, name := range []string{"x/b", "y/b2", "y/b", "z"} {
				s.write(name, text("b", 20))
			}
		}},
		{name: "mode and symlink", apart: true, work: func(s *sandbox) {
			s.git("mv", "b", "c")
			s.chmod("c", true)
			s.move("link", "dir/link")
		}},
		{name: "line ends that the index decides about", apart: true, work: func(s *sandbox) {
			s.git("mv", "crlf", "c")
			s.write("c", windows(text("crlf", 18)+"other\n"))
			s.git("add", "c")
			s.write(".gitattributes", "* text=auto\n")
			s.write("c", windows(text("crlf", 20)))
		}},
		{name: "version 4", apart: true, work: func(s *sandbox) { s.git("update-index", "--index-version", "4"); s.git("mv", "b", "c") }},
		{name: "executable bits do not count", apart: true, work: func(s *sandbox) {
			s.git("config", "core.fileMode", "false")
			s.chmod("b", true)
			s.git("mv", "b", "c")
			s.git("update-index", "--chmod=+x", "c")
			s.write("c", text("b", 19))
		}},
		{name: "a filter for other files", apart: true, work: func(s *sandbox) {
			s.git("config", "filter.lfs.clean", "cat")
			s.write(".gitattributes", "*.big filter=lfs\n")
			s.git("mv", "b", "c")
		}},
		{name: "more files than git compares", apart: true, base: func(s *sandbox) { many(s, "old", "before") }, work: func(s *sandbox) {
			if err := os.RemoveAll(s.path("old")); err != nil {
				s.t.Fatalf("%v", err)
			}
			many(s, "new", "after")
			s.move("b", "c")
		}},

		{name: "a filter", work: func(s *sandbox) {
			s.git("config", "filter.lfs.clean", "cat")
			s.git("mv", "b", "c.big")
			s.write(".gitattributes", "*.big filter=lfs\n")
		}},
		{name: "a conversion since the file was added", work: func(s *sandbox) {
			s.git("mv", "crlf", "c")
			before := time.Now().Add(-time.Hour) // git trusts the index
			if err := os.Chtimes(s.path("c"), before, before); err != nil {
				s.t.Fatalf("%v", err)
			}
			s.git("update-index", "--refresh")
			s.write(".gitattributes", "* text\n")
		}},
		{name: "attributes in the index alone", base: func(s *sandbox) { s.write("at/x", "x\n") }, work: func(s *sandbox) {
			s.write("at/.gitattributes", "* binary\n")
			s.git("add", "at")
			s.remove("at/.gitattributes")
			s.move("b", "at/c")
			s.write("at/c", windows(text("b", 15))+"other\n")
		}},
		{name: "attributes are deleted", base: func(s *sandbox) { s.write("at/.gitattributes", "* binary\n"); s.write("at/x", text("x", 20)) }, work: func(s *sandbox) {
			s.git("rm", "-q", "--cached", "at/.gitattributes")
			s.remove("at/.gitattributes")
			s.move("at/x", "at/y")
			s.write("at/y", windows(text("x", 15))+"other\n")
		}},
		{name: "on disk, not in the index", work: func(s *sandbox) { s.git("rm", "-q", "--cached", "b"); s.write("c", text("b", 20)) }},
		{name: "on disk and ignored", work: func(s *sandbox) {
			s.git("rm", "-q", "--cached", "b")
			s.write(".git/info/exclude", "b\n")
			s.write("c", text("b", 20))
		}},
		{name: "a directory in the place of a file", work: func(s *sandbox) { s.remove("b"); s.write("b/c", text("b", 20)) }},
		{name: "a file in the place of a directory", work: func(s *sandbox) { s.remove("dir"); s.write("dir", text("d", 20)) }},
		{name: "a repository", work: func(s *sandbox) { s.remove("b"); s.nested("lib") }},
		{name: "a deleted submodule", base: func(s *sandbox) { s.nested("lib") }, work: func(s *sandbox) {
			s.git("rm", "-q", "--cached", "lib")
			s.remove("lib")
			s.write("c", text("b", 20))
		}},
		{name: "marked", apart: true, work: func(s *sandbox) { s.git("update-index", "--assume-unchanged", "a"); s.move("b", "c") }},
		{name: "marked and left out", work: func(s *sandbox) {
			s.write("c", text("b", 20))
			s.git("add", "c")
			s.git("update-index", "--skip-worktree", "c")
			s.remove("c")
			s.remove("b")
		}},
		{name: "split index", work: func(s *sandbox) { s.git("update-index", "--split-index"); s.move("b", "c") }},
		{name: "sparse checkout", work: func(s *sandbox) { s.git("sparse-checkout", "set", "--cone", "dir"); s.move("dir/d", "dir/e") }},
		{name: "a conflict", work: func(s *sandbox) {
			s.git("checkout", "-q", "-b", "theirs")
			s.write("a", "theirs\n")
			s.commit("theirs")
			s.git("checkout", "-q", "-b", "ours", "main")
			s.write("a", "ours\n")
			s.commit("ours")
			_, _ = s.try("merge", "-q", "theirs")
			s.move("b", "c")
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			for _, name := range []string{"a", "b", "b2", "dir/d"} {
				s.write(name, text(name, 20))
			}
			s.write("crlf", windows(text("crlf", 20)))
			s.link("link", "a")
			if c.base != nil {
				c.base(s)
			}
			base := diff.Base{ID: diff.From, Commit: s.commit("base")}
			s.write("untracked", "1\n")
			c.work(s)
			var trace bytes.Buffer
			e, err := program.Open(t.Context(), git.Options{Dir: s.dir, Env: s.userEnv(), Trace: &trace})
			if err != nil {
				t.Fatal(err)
			}
			set, err := e.Changes(t.Context(), base, diff.Head{Kind: diff.Worktree})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range set.Changes {
				got = append(got, whole(c))
			}
			slices.Sort(got)
			want, _ := s.worktreeChanges(base.Commit)
			equal(t, got, want)
			if more := strings.HasPrefix(c.name, "more files"); more != slices.Contains(set.Notices, diff.TruncatedSearch) {
				t.Errorf("notices %q; want one of an incomplete search: %v", set.Notices, more)
			}
			// Git compares with the index that holds the deleted files, not with base.
			apart := regexp.MustCompile(`(?m) -M50% -l1000 --$`).MatchString(trace.String())
			if whole := strings.Count(trace.String(), " -M50% -l1000 "+base.Commit); c.apart != (apart && whole == 1) {
				t.Errorf("renames are searched among deleted and new files alone: %v, and %d times in everything; want the first alone: %v", apart, whole, c.apart)
			}
		})
	}
}

// many writes so many files in a directory that git does not compare each with as many others.
func many(s *sandbox, dir, content string) {
	for i := range 1001 {
		s.write(fmt.Sprintf("%s/%s%d", dir, content, i), fmt.Sprintf("%s %d\n", content, i))
	}
}

// TestPairsWithRefusedName: git adds no file of this name to an index, so it is no new name either.
func TestPairsWithRefusedName(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("b", text("b", 20))
	base := s.commit("base")
	s.move("b", "dir/git~1")
	equal(t, s.changes(diff.Worktree, base), []string{"deleted b", "added dir/git~1 untracked"})
}
