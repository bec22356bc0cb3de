//go:build unix

package staging_test

import (
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// TestKilledRunLeavesNoFiles kills a run after every step, where the git directory is not
// below the working tree.
func TestKilledRunLeavesNoFiles(t *testing.T) {
	for _, layout := range []struct {
		name string
		make func(parent string) *repository
	}{
		{"linked", func(parent string) *repository {
			w := newRepository(t, parent)
			w.write("seed", "1\n")
			w.git("add", "-A")
			w.git("commit", "-q", "-m", "seed")
			w.git("worktree", "add", "-q", "../linked")
			linked := *w
			linked.dir = w.path("../linked")
			return &linked
		}},
		{"separate", func(parent string) *repository {
			return newRepository(t, parent, "--separate-git-dir", filepath.Join(parent, "elsewhere.git"))
		}},
	} {
		for _, head := range []diff.HeadKind{diff.Index, diff.Worktree} {
			t.Run(layout.name+" "+string(head), func(t *testing.T) {
				t.Parallel()
				for n := 1; ; n++ {
					w := layout.make(t.TempDir())
					w.t = t
					for _, name := range []string{"a", "dir/b"} {
						w.write(name, lines(6, 2))
					}
					w.git("add", "-A")
					w.git("commit", "-q", "-m", "base")
					w.write("dir/b", lines(6, 2)+mine)
					edits := w.staged("a", "dir/b")
					if head == diff.Worktree {
						edits = w.present("a", "dir/b")
					}
					err := w.child(t.Context(), head, edits, crashKey+"="+strconv.Itoa(n)).Run()
					for _, name := range strayFiles(t, w) {
						t.Errorf("step %d: %s is left in the working tree", n, name)
					}
					w.git("status", "--porcelain")
					if err == nil {
						if n < 8 {
							t.Errorf("only %d steps", n)
						}
						return
					}
					w.recovers()
				}
			})
		}
	}
}

// recovers recovers a stopped run, after which no file of it is left anywhere.
func (w *repository) recovers() {
	w.t.Helper()
	w.must(w.child(w.t.Context(), "", nil).Run())
	w.tidied()
}

// strayFiles are the names in a working tree that a run made.
func strayFiles(t *testing.T, w *repository) (names []string) {
	t.Helper()
	err := filepath.WalkDir(w.dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(entry.Name(), ".rulecheck-") {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
