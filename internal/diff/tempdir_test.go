package diff_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// What a killed run has left goes with a later one, and nothing else does.
func TestAbandonedDirectoriesGo(t *testing.T) {
	s := newSandbox(t)
	s.write("a", "1")
	s.commit("one")
	s.write("a", "2")
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	for _, name := range []string{"rulecheck-git-1", "rulecheck-git-2", "other-1"} {
		if err := os.MkdirAll(filepath.Join(temp, name, "in"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-25 * time.Hour)
	for _, name := range []string{"rulecheck-git-1", "other-1"} {
		if err := os.Chtimes(filepath.Join(temp, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	s.changes(diff.Worktree, "HEAD")
	for name, want := range map[string]bool{"rulecheck-git-1": false, "rulecheck-git-2": true, "other-1": true} {
		if _, err := os.Stat(filepath.Join(temp, name)); (err == nil) != want {
			t.Errorf("%s is there: %v; want %v", name, err == nil, want)
		}
	}
}

// Temporary files in the working tree are no changes.
func TestTemporaryFilesInTheWorkingTree(t *testing.T) {
	s := newSandbox(t)
	s.write("a", "1")
	s.write("tmp/keep", "")
	s.commit("one")
	s.write("a", "2")
	s.write("b", "1")
	t.Setenv("TMPDIR", filepath.Join(s.dir, "tmp"))
	for range 20 {
		if got := s.changes(diff.Worktree, "HEAD"); len(got) != 2 {
			t.Fatalf("%v; want the changes of a and b", got)
		}
	}
}
