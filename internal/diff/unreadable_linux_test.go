package diff_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// TestUnreadable makes tracked and untracked directories and files unreadable: no engine answers
// as if they were not there. Root can read everything, so the test runs itself as another user.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		asNobody(t)
		return
	}
	for name, deny := range map[string]func(s *sandbox){
		"tracked directory":   func(s *sandbox) { s.deny("src") },
		"untracked directory": func(s *sandbox) { s.deny("new") },
		"changed file":        func(s *sandbox) { s.write("src/a", "2\n"); s.deny("src/a") },
		"directory of a file that the base has": func(s *sandbox) {
			s.git("rm", "-rq", "--cached", "src")
			s.deny("src")
		},
		"directory of a staged file": func(s *sandbox) { s.write("made/x", "1\n"); s.git("add", "made"); s.deny("made") },
		"directory of a staged file that can be listed": func(s *sandbox) {
			s.write("made/x", "1\n")
			s.git("add", "made")
			s.list("made")
		},
		"the same with a split index": func(s *sandbox) {
			s.write("made/x", "1\n")
			s.git("update-index", "--split-index")
			s.git("add", "made")
			s.list("made")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSandbox(t)
			s.write("src/a", "1\n")
			s.write("b", "1\n")
			s.commit("base")
			s.write("new/x", "1\n")
			deny(s)
			defer func() { _ = exec.CommandContext(t.Context(), "chmod", "-R", "u+rwX", s.dir).Run() }()
			for _, e := range engines {
				engine, err := e.open(t, s)
				if err != nil {
					continue // refused
				}
				q := question{base: diff.BaseRequest{ID: diff.From, Ref: "HEAD"}}
				r := q.put(t, engine, diff.Worktree)
				if r.err != nil {
					continue
				}
				_, err = engine.Details(t.Context(), r.base, r.set.Head, r.set.Changes, []diff.Part{diff.PartAddedLines, diff.PartContent})
				if err == nil {
					t.Errorf("%s: changes %q", e.name, r.changes)
				}
			}
		})
	}
}

// deny takes all permissions from a file or directory.
func (s *sandbox) deny(name string) {
	s.t.Helper()
	if err := os.Chmod(s.path(name), 0); err != nil {
		s.t.Fatalf("%v", err)
	}
}

// list takes all permissions from a directory but that to list its names.
func (s *sandbox) list(name string) {
	s.t.Helper()
	if err := os.Chmod(s.path(name), 0o400); err != nil {
		s.t.Fatalf("%v", err)
	}
}

// asNobody runs the calling test in another process as a user without privileges.
func asNobody(t *testing.T) {
	t.Helper()
	const otherUser = 65534
	dir, err := os.MkdirTemp("", "unprivileged") //nolint:usetesting // the other user must reach it
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "test")
	copyExecutable(t, os.Args[0], program)
	for _, name := range []string{dir, program} {
		if err := os.Chown(name, otherUser, otherUser); err != nil {
			t.Skipf("no other user: %v", err)
		}
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: otherUser, Gid: otherUser}}
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Skipf("no process of another user: %v", err)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func copyExecutable(t *testing.T, from, to string) {
	t.Helper()
	source, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(target, source); err != nil {
		t.Fatal(err)
	}
	if err := target.Close(); err != nil {
		t.Fatal(err)
	}
}
