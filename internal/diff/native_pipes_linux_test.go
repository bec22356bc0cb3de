package diff_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestEmbeddedPipes puts a pipe in the place of each file of git that the embedded engine
// reads: no run may wait for it, and none may answer without the file.
func TestEmbeddedPipes(t *testing.T) {
	for _, tt := range []struct {
		name    string
		ignored bool // git does not read it either
	}{
		{".git/HEAD", false},
		{".git/config", false},
		{".git/index", false},
		{".git/packed-refs", true},
		{".git/info/exclude", false},
		{".git/info/attributes", false},
		{".git/objects/info/alternates", false},
		{".git/refs/heads/main", false},
		{".git/refs/heads/other", true},
		{"../home/git/ignore", false},
		{"../home/git/attributes", false},
		{"../home/.gitconfig", false},
		{".gitignore", false},
		{"an object", false},
	} {
		t.Run(strings.ReplaceAll(tt.name, "/", " "), func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.git("init", "-q", "-b", "main")
			s.write("a", text("a", 9))
			s.write("b", text("b", 9))
			s.git("add", "-A")
			s.git("commit", "-qm", "begin")
			s.write("b", text("b", 8)) // its lines are read, and the stored ones
			name := s.path(tt.name)
			if tt.name == "an object" {
				objects, err := filepath.Glob(s.path(".git/objects/??/*"))
				if err != nil || len(objects) == 0 {
					t.Fatal("no objects", err)
				}
				for _, object := range objects {
					pipe(t, object)
				}
			} else {
				pipe(t, name)
			}
			// An engine that waits for the pipe waits for ever.
			if _, err := s.answerEmbedded(); (err == nil) != tt.ignored {
				t.Errorf("the answer's error is %v", err)
			}
		})
	}
}

// pipe replaces a file by a pipe.
func pipe(t *testing.T, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(name); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(name, 0o644); err != nil {
		t.Fatal(err)
	}
}
