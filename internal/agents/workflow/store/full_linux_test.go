package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
)

// TestFullDisk updates a run on a disk with less and less space: every update is
// either recorded or fails without effect.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=128k"); err != nil {
		t.Skipf("mount %s: %v; this needs root", disk, err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	s := &fixture{store.New(disk), t, filepath.Join(disk, "rulecheck", "sessions")}
	want := s.start("f")
	refusals := 0
	for refusals < 10 {
		out, err := s.Update(t.Context(), want.ID, store.Call{At: noon}, func(now store.Run) ([]store.Event, error) {
			return []store.Event{completed(now.Phase, now.Phase+"'")}, nil
		})
		if err == nil {
			want = out.Run
		} else {
			refusals++
		}
		s.equal(s.load(want.ID), want)
		s.equal(s.files(), []string{want.ID + ".journal.jsonl", want.ID + ".json"})
	}
	fill(t, filepath.Join(disk, "filler"))
	files := s.files()
	if _, _, err := s.Create(t.Context(), store.Start{Workflow: "other", Phase: "1"}, noon); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("created on a full disk: %v", err)
	}
	s.equal(s.files(), files)
	s.noted(s.recovered(want.ID))
	s.equal(len(s.history(want.ID)), int(want.Revision))
}

// fill uses up the space of a disk.
func fill(t *testing.T, name string) {
	t.Helper()
	file, err := os.Create(name)
	for err == nil {
		_, err = file.Write(make([]byte, 1024))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}
