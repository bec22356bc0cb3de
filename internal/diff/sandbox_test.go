package diff_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// engine has the methods that these tests call.
type engine interface {
	Head(ctx context.Context, kind diff.HeadKind, ref string) (diff.Head, error)
	Resolve(ctx context.Context, r diff.BaseRequest) (diff.Base, error)
	Changes(ctx context.Context, base diff.Base, head diff.Head) (diff.Changeset, error)
	Staged(ctx context.Context) (diff.Changeset, error)
	Lines(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change) (map[string][]diff.Lines, error)
	Details(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, parts []diff.Part) (map[string]*diff.Detail, error)
	Contents(ctx context.Context, head diff.Head, paths []string, limit int64) (map[string][]byte, error)
	EachContent(ctx context.Context, head diff.Head, sought []diff.Sought, limit int64, visit func(path string, content []byte)) error
	Files(ctx context.Context, head diff.Head) ([]string, error)
	Search(ctx context.Context, head diff.Head, text string, paths []string) ([]string, error)
	Tree(ctx context.Context, head diff.Head, paths ...string) (fs.FS, error)
}

// failer has the common methods of *testing.T and *rapid.T.
type failer interface {
	Context() context.Context
	Helper()
	Fatalf(format string, args ...any)
}

// sandbox is a directory that git and the engine work in, with an environment
// that owes nothing to the machine or to a hook the tests run in.
type sandbox struct {
	t   failer
	dir string
	env []string
}

// newSandbox makes an empty repository on branch main.
func newSandbox(t *testing.T, init ...string) *sandbox {
	t.Helper()
	s := bareSandbox(t, t.TempDir())
	s.git(append([]string{"init", "-q", "-b", "main"}, init...)...)
	return s
}

// bareSandbox is a sandbox without a repository.
func bareSandbox(t failer, parent string) *sandbox {
	t.Helper()
	home, dir := filepath.Join(parent, "home"), filepath.Join(parent, "repo")
	for _, d := range []string{home, dir} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatalf("%v", err)
		}
	}
	return &sandbox{t: t, dir: dir, env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C", "GIT_NO_REPLACE_OBJECTS=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2024-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.com", "GIT_COMMITTER_DATE=2024-01-01T00:00:00Z",
	}}
}

// at is the same sandbox seen from another directory, relative to this one.
func (s *sandbox) at(dir string, env ...string) *sandbox {
	return &sandbox{t: s.t, dir: filepath.Join(s.dir, dir), env: append(slices.Clip(s.env), env...)}
}

func (s *sandbox) git(args ...string) string {
	s.t.Helper()
	out, err := s.try(args...)
	if err != nil {
		s.t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSuffix(out, "\n")
}

func (s *sandbox) try(args ...string) (string, error) { return s.feed("", args...) }

func (s *sandbox) feed(stdin string, args ...string) (string, error) {
	cmd := exec.CommandContext(s.t.Context(), "git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = s.dir, s.env, strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, &stderr)
	}
	return string(out), err
}

// userEnv is the environment of an engine, which must ignore replace refs by itself.
func (s *sandbox) userEnv() []string {
	return slices.DeleteFunc(slices.Clone(s.env), func(kv string) bool { return strings.HasPrefix(kv, "GIT_NO_REPLACE_OBJECTS=") })
}

// path is the place of a file of the sandbox.
func (s *sandbox) path(name string) string { return filepath.Join(s.dir, name) }

func (s *sandbox) write(name, content string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.path(name)), 0o755); err != nil {
		s.t.Fatalf("%v", err)
	}
	if err := os.WriteFile(s.path(name), []byte(content), 0o644); err != nil {
		s.t.Fatalf("%v", err)
	}
}

func (s *sandbox) remove(name string) {
	s.t.Helper()
	if err := os.RemoveAll(s.path(name)); err != nil {
		s.t.Fatalf("%v", err)
	}
}

func (s *sandbox) move(from, to string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.path(to)), 0o755); err != nil {
		s.t.Fatalf("%v", err)
	}
	if err := os.Rename(s.path(from), s.path(to)); err != nil {
		s.t.Fatalf("%v", err)
	}
}

func (s *sandbox) link(name, target string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.path(name)), 0o755); err != nil {
		s.t.Fatalf("%v", err)
	}
	if err := os.Symlink(target, s.path(name)); err != nil {
		s.t.Fatalf("%v", err)
	}
}

// commit records everything and returns the commit's id.
func (s *sandbox) commit(message string) string {
	s.t.Helper()
	s.git("add", "-A")
	s.git("commit", "-q", "--allow-empty", "-m", message)
	return s.git("rev-parse", "HEAD")
}

// head is a head of that kind; a commit is HEAD.
func (s *sandbox) head(e engine, kind diff.HeadKind) diff.Head {
	s.t.Helper()
	ref := ""
	if kind == diff.Commit {
		ref = "HEAD"
	}
	h, err := e.Head(s.t.Context(), kind, ref)
	if err != nil {
		s.t.Fatalf("head %s: %v", kind, err)
	}
	return h
}

// changes is the changeset from a commit, in short.
func (s *sandbox) changes(kind diff.HeadKind, from string) []string {
	s.t.Helper()
	set := s.changeset(kind, from)
	if len(set.Notices) > 0 {
		s.t.Fatalf("unexpected notices %q", set.Notices)
	}
	return brief(set.Changes)
}

func (s *sandbox) changeset(kind diff.HeadKind, from string) diff.Changeset {
	s.t.Helper()
	return s.changesetOf(s.open(), kind, from)
}

// brief writes changes one a line, leaving out what is usual.
func brief(list []diff.Change) []string {
	lines := []string{}
	for _, c := range list {
		line := string(c.Status) + " "
		if c.OldPath != "" {
			line += c.OldPath + " -> "
		}
		line += c.Path
		if c.Kind != diff.File {
			line += " " + string(c.Kind)
		} else if c.Mode != "100644" {
			line += " " + c.Mode
		}
		if c.Untracked {
			line += " untracked"
		}
		lines = append(lines, line)
	}
	return lines
}

// withoutIDs leaves out the ids of objects, which an engine need not report.
var withoutIDs = cmpopts.IgnoreFields(diff.Change{}, "Object", "OldObject")

func equal[T any](t *testing.T, got, want T) {
	t.Helper()
	if d := cmp.Diff(want, got, withoutIDs); d != "" {
		t.Errorf("want(-) got(+):\n%s", d)
	}
}

// text is n lines that differ from those of any other seed.
func text(seed string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s line %d of some length\n", seed, i)
	}
	return b.String()
}
