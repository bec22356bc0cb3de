//go:build unix

package diff_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/snapshot"
)

// TestPromptCaptureIsKilled kills a process in the middle of its capture: a clean
// filter reports when that is, and waits.
func TestPromptCaptureIsKilled(t *testing.T) {
	const key = "RULECHECK_TEST_CAPTURE_IN"
	if dir := os.Getenv(key); dir != "" { // the process to be killed
		repo, err := git.Open(t.Context(), git.Options{Dir: dir, Env: os.Environ()})
		if err == nil {
			_, err = program.New(repo).Capture(t.Context(), promptTime)
		}
		t.Fatalf("ended, %v", err)
	}
	s := newSandbox(t)
	s.write(".gitattributes", "*.slow filter=slow\n")
	s.commit("base")
	first := s.capture()
	s.write("x.slow", "x\n")
	s.git("config", "filter.slow.clean", "touch "+s.path("../begun")+"; sleep 60")
	untouched := s.usersOwn()

	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestPromptCaptureIsKilled$")
	cmd.Env = append(slices.Clone(s.env), key+"="+s.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }() // git and its filter, which live on
	for began := false; !began; {
		_, err := os.Stat(s.path("../begun"))
		if began = err == nil; !began {
			time.Sleep(5 * time.Millisecond)
		}
		if t.Context().Err() != nil {
			t.Fatal("the filter never ran")
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed

	left, err := os.ReadDir(s.path(".git/rulecheck/prompts"))
	if err != nil || len(left) != 2 {
		t.Errorf("left are %v, %v; want the snapshot and half of another", left, err)
	}
	list, err := snapshot.List(s.gitDir())
	if err != nil || len(list) != 1 || list[0].ID != first.ID {
		t.Errorf("snapshots %v, %v; want the one before", list, err)
	}
	equal(t, s.usersOwn(), untouched)

	s.git("config", "filter.slow.clean", "cat")
	next := s.capture()
	equal(t, s.sincePrompt(), []string{})
	left, err = os.ReadDir(s.path(".git/rulecheck/prompts"))
	if err != nil || len(left) != 2 || left[1].Name() != next.ID || !strings.HasPrefix(next.ID, "00000003") {
		t.Errorf("left are %v, %v; want the two snapshots", left, err)
	}
}
