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
	await(w.dir, 1, "git")
	w.must(cmd.Process.Kill())
	_ = cmd.Wait()
	await(w.dir, 0, "git")
}

// await waits until want processes of a program run in a directory and below.
func await(dir string, want int, program string) {
	for ; ; time.Sleep(10 * time.Millisecond) {
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
			return
		}
	}
}
