package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFleetKilled kills a fleet while git waits for a pipe: git ends with it.
func TestFleetKilled(t *testing.T) {
	t.Parallel()
	w := newFleetWorld(t)
	hangs := w.bare("hangs", w.dir)
	w.must(os.Remove(filepath.Join(hangs, "HEAD")))
	w.must(syscall.Mkfifo(filepath.Join(hangs, "HEAD"), 0o644))
	w.must(os.WriteFile(filepath.Join(w.dir, "list.ndjson"), []byte(`{"id": "hangs", "git_dir": "hangs"}`), 0o644))
	cmd := w.command(w.program, "fleet", "--list", "list.ndjson")
	w.must(cmd.Start())
	if !within(w.dir, 1, "git") {
		t.Error("no git process")
	}
	w.must(cmd.Process.Kill())
	_ = cmd.Wait()
	if !within(w.dir, 0, "git") {
		t.Error("git is still running")
	}
}

// within waits until the processes of a program in a directory and below are as many.
func within(dir string, want int, program string) bool {
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		found := 0
		processes, _ := filepath.Glob("/proc/[0-9]*") // a process that ended meanwhile has no files
		for _, p := range processes {
			cwd, _ := os.Readlink(filepath.Join(p, "cwd"))
			name, _ := os.ReadFile(filepath.Join(p, "comm"))
			if strings.HasPrefix(cwd, dir) && strings.TrimSpace(string(name)) == program {
				found++
			}
		}
		if found == want {
			return true
		}
	}
	return false
}
