package diff_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
)

// TestTreeReadLocally compares the tree of an index that is read from the index file and the
// working tree with the one of a commit of it.
func TestTreeReadLocally(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(s *sandbox){
		"as committed":      func(*sandbox) {},
		"staged and edited": func(s *sandbox) { s.write("r/a", "2\n"); s.git("add", "r/a"); s.write("r/a", "3\n") },
		"deleted on disk":   func(s *sandbox) { s.remove("r/a") },
		"intent to add":     func(s *sandbox) { s.write("r/new", "1\n"); s.git("add", "-N", "r/new") },
		"a symlink":         func(s *sandbox) { s.link("r/link", "a"); s.link("r/out", "../../x"); s.git("add", "r") },
		"index version 4":   func(s *sandbox) { s.git("update-index", "--index-version", "4") },
		"split index":       func(s *sandbox) { s.git("update-index", "--split-index") },
		"skip-worktree":     func(s *sandbox) { s.git("update-index", "--skip-worktree", "r/a"); s.write("r/a", "4\n") },
		"a replaced object": func(s *sandbox) { s.git("replace", s.git("rev-parse", ":r/a"), s.git("rev-parse", ":b")) },
		"converted line ends": func(s *sandbox) {
			s.write(".gitattributes", "* text=auto eol=crlf\n")
			s.write("r/crlf", "1\r\n2\r\n")
			s.git("add", "-A")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.write("r/a", "1\n")
			s.write("r/d/b", "b\n")
			s.write("rr", "not below r\n")
			s.write("b", "other\n")
			s.commit("base")
			change(s)
			local, err := program.Open(t.Context(), git.Options{Dir: s.dir, Env: s.env})
			if err != nil {
				t.Fatal(err)
			}
			asked, err := engines[0].open(t, s)
			if err != nil {
				t.Fatal(err)
			}
			head := diff.Head{Kind: diff.Index}
			commit := s.git("commit-tree", "-m", "index", s.git("write-tree"))
			equal(t, treeOf(t, local, head), treeOf(t, asked, diff.Head{Kind: diff.Commit, Commit: commit}))
			tree, err := local.Tree(t.Context(), head, "r")
			if err != nil {
				t.Fatal(err)
			}
			want, err := asked.Contents(t.Context(), head, []string{"r/a", "r/d/b", "r/crlf"}, -1)
			if err != nil {
				t.Fatal(err)
			}
			for name, content := range want {
				if got, err := fs.ReadFile(tree, name); err != nil || !bytes.Equal(got, content) {
					t.Errorf("%s: %q, %v; want %q", name, got, err, content)
				}
			}
		})
	}
}

// treeOf lists the files below r at head, with their content or the error of reading it.
func treeOf(t *testing.T, e diff.Engine, head diff.Head) []string {
	t.Helper()
	tree, err := e.Tree(t.Context(), head, "r", "missing")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(tree, name)
		list = append(list, fmt.Sprintf("%s %v %q %v", name, d.Type(), content, err))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Error("no files below r")
	}
	return list
}
