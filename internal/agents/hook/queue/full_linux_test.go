package queue_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/hook/queue"
)

// TestFullDisk stops on a full disk: an error, so that nothing blocks, and what was stored
// stays readable.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("mount %s: %v; this needs root", disk, err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	f := &fixture{queue.New(disk), t, disk}
	a := found("a", 1)
	f.stop(queue.Stop{Findings: []queue.Finding{a}})
	filler, err := os.Create(filepath.Join(disk, "filler"))
	for err == nil {
		_, err = filler.Write(make([]byte, 512))
	}
	if err := filler.Close(); err != nil {
		t.Fatal(err)
	}
	for version := range 3 {
		_, _, err := f.Stop(t.Context(), queue.Stop{Session: "s", Findings: []queue.Finding{found("b", version)}, Now: noon})
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("stopped with %v; want no space left", err)
		}
	}
	equal(t, "entries", f.statuses(), []string{"Rule a queued"})
	if err := os.Remove(filler.Name()); err != nil {
		t.Fatal(err)
	}
	block, notices := f.stop(queue.Stop{Findings: []queue.Finding{a, found("b", 0)}})
	equal(t, "with space again", block, []string{found("b", 0).Hash})
	equal(t, "notices", notices, []string(nil))
}
