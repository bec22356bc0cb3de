// Package gittest makes git repositories for tests.
package gittest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
)

// Race is the value of GORACE for programs of tests: with the race detector, each would
// otherwise wait a second before it ends.
const Race = "atexit_sleep_ms=0"

// Repository is a git repository in a temporary directory. Its git processes ignore the
// configuration of the user and the system.
type Repository struct {
	T   *testing.T
	Dir string
	Env []string
}

// New makes an empty repository on the branch main.
func New(t *testing.T) *Repository {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &Repository{T: t, Dir: dir, Env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GORACE=" + Race,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
	}}
	r.Git("init", "-q", "-b", "main")
	return r
}

// Git runs git with args and fails the test if git fails.
func (r *Repository) Git(args ...string) {
	r.T.Helper()
	cmd := exec.CommandContext(r.T.Context(), "git", args...)
	cmd.Dir, cmd.Env = r.Dir, r.Env
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.T.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// Write writes a file, with the directories on its path.
func (r *Repository) Write(path, content string) {
	r.T.Helper()
	full := filepath.Join(r.Dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		r.T.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		r.T.Fatal(err)
	}
}

// Rule writes the project's rule with an id.
func (r *Repository) Rule(id, text string) { r.Write(".rulecheck/rules/"+id+".md", text) }

// Commit commits all files.
func (r *Repository) Commit(message string) {
	r.T.Helper()
	r.Git("add", "-A")
	r.Git("commit", "-q", "--allow-empty", "-m", message)
}

// Open opens the repository with the git program.
func (r *Repository) Open() diff.Engine {
	r.T.Helper()
	repo, err := git.Open(r.T.Context(), git.Options{Dir: r.Dir, Env: r.Env})
	if err != nil {
		r.T.Fatal(err)
	}
	return program.New(repo)
}
