package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
)

// TestFullDisk decides although nothing can be recorded, and lets agents stop.
func TestFullDisk(t *testing.T) {
	r := guardedRepository(t)
	disk := filepath.Join(r.Dir, ".git", "rulecheck")
	if err := os.MkdirAll(disk, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=4k"); err != nil {
		t.Skipf("mount %s: %v; this needs root", disk, err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	if err := os.WriteFile(filepath.Join(disk, "filler"), bytes.Repeat([]byte("x"), 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	call := func(command string) string {
		return `{"session_id":"s","hook_event_name":"PreToolUse","prompt_id":"p","tool_name":"Bash","tool_input":{"command":"` + command + `"},"tool_use_id":"t"}`
	}
	for _, mode := range []string{"", "block", "allow"} {
		r.Write(".rulecheck/config.yml", "agents: {on_error: "+mode+"}\n")
		if mode == "" {
			r.Write(".rulecheck/config.yml", "")
		}
		if got := runHook(t, r.Dir, strings.NewReader(call("touch forbidden")), "claude"); mode != "block" && !strings.Contains(got.Stdout, `"permissionDecision":"deny"`) || mode == "block" && got.Status != 2 {
			t.Errorf("on_error %q: %+v; want the denial", mode, got)
		}
		want := hook.Answer{}
		if mode == "block" {
			want.Status = 2
		}
		got := runHook(t, r.Dir, strings.NewReader(call("ls")), "claude")
		if got.Status != want.Status || got.Stdout != "" || !strings.Contains(got.Stderr, "not recorded") {
			t.Errorf("on_error %q: %+v; want status %d and why", mode, got, want.Status)
		}
		r.Write("src/a.py", mode)
		text, _ := sample(t, claude(t), hook.Stop)
		if got := runHook(t, r.Dir, bytes.NewReader(text), "claude"); got.Status != 0 || got.Stdout != "" || got.Stderr == "" {
			t.Errorf("on_error %q: %+v; want the stop allowed, and why", mode, got)
		}
	}
}
