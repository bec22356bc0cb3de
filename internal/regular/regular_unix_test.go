//go:build unix

package regular_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rulecheck/rulecheck/internal/regular"
)

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, fsys := range map[string]fs.FS{"DirFS": regular.DirFS(dir), "RootFS": regular.RootFS(root)} {
		if text, err := fs.ReadFile(fsys, "file"); err != nil || string(text) != "text" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		if list, err := fs.ReadDir(fsys, "."); err != nil || len(list) != 3 {
			t.Errorf("%s: %v, %v", name, list, err)
		}
		for _, pipe := range []string{"pipe", "link"} {
			if _, err := fs.ReadFile(fsys, pipe); !errors.Is(err, regular.ErrIrregular) {
				t.Errorf("%s: %s: %v; want ErrIrregular", name, pipe, err)
			}
			if _, err := fs.ReadDir(fsys, pipe); !errors.Is(err, regular.ErrIrregular) {
				t.Errorf("%s: list %s: %v; want ErrIrregular", name, pipe, err)
			}
		}
		for _, absent := range []string{"absent", "../file"} {
			if _, err := fs.ReadFile(fsys, absent); err == nil {
				t.Errorf("%s: %s: want an error", name, absent)
			}
		}
	}
	if _, err := regular.ReadFile("/dev/zero"); !errors.Is(err, regular.ErrIrregular) {
		t.Errorf("/dev/zero: %v; want ErrIrregular", err)
	}
	if text, err := regular.ReadFile(os.DevNull); len(text) > 0 || err != nil {
		t.Errorf("%s: %q, %v; want an empty file", os.DevNull, text, err)
	}
}
