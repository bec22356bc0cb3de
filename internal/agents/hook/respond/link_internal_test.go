package respond

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLink resolves links in directories, links to what does not exist, and such that go round.
func TestLink(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"d": "a/b", "new": "a/x", "far": "d/y", "r1": "r2", "r2": "r1", "abs": filepath.Join(root, "a", "z")} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skip(err)
		}
	}
	for name, want := range map[string]string{"d/1": "a/b/1", "d/c/1": "a/b/c/1", "new": "a/x", "far": "a/b/y", "abs": "a/z", "a/1": "a/1", "none/1": "none/1", "r1/x": "r1/x"} {
		if got := link(filepath.ToSlash(filepath.Join(root, name))); got != filepath.ToSlash(filepath.Join(root, want)) {
			t.Errorf("%s: %s; want %s", name, got, want)
		}
	}
	file := filepath.Join(root, "a", "1")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if shared(file) || shared(filepath.Join(root, "a")) {
		t.Error("a file with one name, or a directory, has several")
	}
	if os.Link(file, filepath.Join(root, "2")) == nil && !shared(file) {
		t.Error("a file with two names has one")
	}
}
