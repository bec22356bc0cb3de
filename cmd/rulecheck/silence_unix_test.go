//go:build unix

package main_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// stranger is the user and group that run the program when the test is run by root,
// who can read everything.
const stranger = 12345

// TestSilenceLaw changes a repository in which rulecheck exits 1 at random: rules,
// configuration, policies, workflows, logs, the base and git itself are removed, renamed,
// truncated, made unreadable, replaced or misspelled. The exit status is never 0 unless the
// mutation removes the reason from what is checked. SILENCE_MUTATIONS is the number of
// mutations; SILENCE_SEED selects one.
func TestSilenceLaw(t *testing.T) {
	t.Parallel()
	first, mutations := 0, lawtest.Cases(t, "SILENCE_MUTATIONS", 100)
	if os.Getenv("SILENCE_SEED") != "" {
		first, mutations = lawtest.Cases(t, "SILENCE_SEED", 0), 1
	}
	s := newSilence(t)
	statuses := map[int]int{}
	legitimate := 0
	for seed := first; seed < first+mutations; seed++ {
		o := s.try(seed)
		statuses[o.status]++
		switch {
		case o.removed:
			legitimate++
		case o.status == 0:
			t.Errorf("seed %d: exit status 0; want another: %s\n%s", seed, o.what, o.output)
		case o.status != 1 && o.status != 2 && o.status != 3:
			t.Errorf("seed %d: exit status %d; want 1, 2 or 3: %s\n%s", seed, o.status, o.what, o.output)
		}
	}
	t.Logf("%d mutations, %d of them removed the reason; exit statuses: %v", mutations, legitimate, statuses)
}

// silence holds the repositories that mutations copy, by reason and layout.
type silence struct {
	*testing.T

	top, program string
	mu           sync.Mutex
	templates    map[string]string
}

func newSilence(t *testing.T) *silence {
	t.Helper()
	top, err := os.MkdirTemp("", "silence") //nolint:usetesting // another user must be able to enter it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(top) })
	s := &silence{T: t, top: top, program: filepath.Join(top, "bin", "rulecheck"), templates: map[string]string{}}
	self, err := os.Executable()
	s.must(err)
	binary, err := os.ReadFile(self) // another user cannot execute it where it is
	s.must(err)
	s.must(os.Chmod(top, 0o755))
	s.must(os.Mkdir(filepath.Join(top, "bin"), 0o755))
	s.must(os.WriteFile(s.program, binary, 0o755))
	home := &silentWorld{silence: s, dir: filepath.Join(top, "home")}
	s.must(os.Mkdir(home.dir, 0o755))
	home.own()
	return s
}

func (s *silence) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// run runs a program in dir as another user if root runs the test.
func (s *silence) run(dir string, env []string, stdout *os.File, name string, args ...string) (output string, status int) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(s.environment(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it fails if the program has just ended
		return nil
	}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: stranger, Gid: stranger}
	}
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	if stdout != nil {
		cmd.Stdout = stdout
	}
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return b.String(), exit.ExitCode() // -1: killed after the time limit
	}
	s.must(err)
	return b.String(), 0
}

func (s *silence) environment() []string {
	return []string{
		"PATH=" + filepath.Dir(s.program) + ":" + os.Getenv("PATH"), "HOME=" + filepath.Join(s.top, "home"), "TMPDIR=" + os.TempDir(), "GIT_CONFIG_NOSYSTEM=1", "GORACE=" + gittest.Race,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
	}
}

// outcome describes a run with a mutation.
type outcome struct {
	what, output string
	status       int
	removed      bool // the mutation removed the reason
}

// try applies the mutation of a seed to a copy of a repository and runs the check.
func (s *silence) try(seed int) outcome {
	s.Helper()
	r := rand.New(rand.NewPCG(16, uint64(seed)))
	reason := reasons[r.IntN(len(reasons))]
	layout := layouts[r.IntN(len(layouts))]
	for layout.audit && !reason.session {
		layout = layouts[r.IntN(len(layouts))]
	}
	dir := filepath.Join(s.top, fmt.Sprintf("run%d", seed))
	s.copyTemplate(reason, layout, dir)
	defer os.RemoveAll(dir)
	m := &mutation{silence: s, rand: r, reason: reason, layout: layout, dir: dir, args: append([]string{}, layout.args...)}
	m.args = append(m.args, [][]string{nil, {"--git", "program"}, {"--git", "embedded"}}[r.IntN(3)]...)
	m.env = layout.env(dir)
	m.apply()
	defer m.restore()
	var o outcome
	o.output, o.status = m.check()
	o.what = fmt.Sprintf("reason %s, layout %s, %s; rulecheck %q", reason.id, layout.name, m.what, m.args)
	o.removed = m.removed
	if o.status == 128 && layout.commit { // git itself refuses
		o.status = 3
	}
	return o
}

// copyTemplate copies the repository of a reason and a layout, and makes it if necessary.
func (s *silence) copyTemplate(reason reason, layout layout, dir string) {
	s.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	key := reason.id + "-" + layout.name
	template, ok := s.templates[key]
	if !ok {
		template = filepath.Join(s.top, key)
		w := &silentWorld{silence: s, dir: template}
		w.build(reason, layout)
		s.templates[key] = template
		out, status := s.run(template, layout.env(template), nil, layout.program(s), layout.commandLine(layout.args)...)
		if status != 1 {
			s.Errorf("%s: exit status %d of the complete repository; want 1:\n%s", key, status, out)
		}
		w.reset(layout)
	}
	out, err := exec.Command("cp", "-a", template, dir).CombinedOutput()
	if err != nil {
		s.Fatalf("cp: %v\n%s", err, out)
	}
}
