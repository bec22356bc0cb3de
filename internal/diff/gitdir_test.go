package diff_test

import (
	"os"
	"path/filepath"
	"testing"
)

func TestGitDir(t *testing.T) {
	s := newSandbox(t)
	s.commit("base")
	s.git("worktree", "add", "-q", filepath.Join(filepath.Dir(s.dir), "linked"))
	for dir, want := range map[string]string{".": ".git", "../linked": filepath.Join(".git", "worktrees", "linked")} {
		here := s.at(dir)
		for _, engine := range engines {
			e, err := engine.open(t, here)
			if refused(err) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			wanted, err := os.Stat(filepath.Join(s.dir, want))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.Stat(e.GitDir()); err != nil || !os.SameFile(got, wanted) {
				t.Errorf("%s of %s: %q, %v; want %s", engine.name, dir, e.GitDir(), err, want)
			}
		}
	}
}
