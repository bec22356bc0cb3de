package gitfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rulecheck/rulecheck/internal/gitfile"
)

func TestNoneSkipped(t *testing.T) {
	dir := repository(t, "a")
	gitDir := filepath.Join(dir, ".git")
	index := filepath.Join(gitDir, "index")
	if gitfile.NoneSkipped(filepath.Join(gitDir, "missing"), gitDir) {
		t.Error("a missing index: true; want false")
	}
	for _, tt := range []struct {
		option, value string
		want          bool
	}{
		{"--index-version", "2", true},
		{"--skip-worktree", "old", false},
		{"--no-skip-worktree", "old", true},
		{"--index-version", "4", false}, // which may have any flag
		{"--skip-worktree", "old", false},
		{"--index-version", "2", false}, // git writes 3
		{"--split-index", "new", false}, // into a part without flags, and a shared one with them
		{"--no-skip-worktree", "old", false},
	} {
		program(t, dir, "", "update-index", tt.option, tt.value)
		if got := gitfile.NoneSkipped(index, gitDir); got != tt.want {
			t.Errorf("after update-index %s %s: %v; want %v", tt.option, tt.value, got, tt.want)
		}
	}
	for _, text := range []string{"", "DIRC", "DIRC\x00\x00\x00\x02\x00\x00", "CRID\x00\x00\x00\x02\x00\x00\x00\x00"} {
		if err := os.WriteFile(index, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if gitfile.NoneSkipped(index, t.TempDir()) {
			t.Errorf("an index of %q: true; want false", text)
		}
	}
}
