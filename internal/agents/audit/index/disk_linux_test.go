package index_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/audit/index"
)

// TestDisk holds that a full disk and one that is read-only leave the kept result as it was.
func TestDisk(t *testing.T) {
	s := index.Store{Dir: t.TempDir()}
	mount := func(flags uintptr, options string) {
		if err := syscall.Mount("tmpfs", s.Dir, "tmpfs", flags, options); err != nil {
			t.Skipf("mount %s: %v; this needs root", s.Dir, err)
		}
	}
	mount(0, "size=64k,mode=0700")
	t.Cleanup(func() {
		if err := syscall.Unmount(s.Dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	equal := func(when string, ok bool) {
		t.Helper()
		got := ""
		if s.Get(index.Digest{}, index.Digest{1}, &got) != ok || ok && got != "kept" {
			t.Errorf("%s: got %.20q; want it kept: %v", when, got, ok)
		}
	}
	if err := s.Put(index.Digest{}, index.Digest{1}, "kept"); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(index.Digest{}, index.Digest{2}, strings.Repeat("x", 1<<17)); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v; want no space left", err)
	}
	equal("full", true)
	if left, err := filepath.Glob(filepath.Join(s.Dir, ".*")); err != nil || len(left) > 0 {
		t.Errorf("left %q, %v", left, err)
	}
	mount(syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
	if err := s.Put(index.Digest{}, index.Digest{2}, "new"); !errors.Is(err, syscall.EROFS) {
		t.Errorf("%v; want a read-only file system", err)
	}
	equal("read-only", true)
	mount(syscall.MS_REMOUNT, "")
	if err := os.Mkdir(filepath.Join(s.Dir, "directory"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(index.Digest{}, index.Digest{2}, "new"); err != nil {
		t.Error(err)
	}
	equal("replaced", false)
}
