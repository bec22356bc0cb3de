package staging_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/staging"
)

// failer is implemented by *testing.T and *rapid.T.
type failer interface {
	Context() context.Context
	Helper()
	Fatalf(format string, args ...any)
}

// repository is a repository to write back to, with an environment that owes nothing
// to the machine or to a hook the tests run in.
type repository struct {
	t      failer
	dir    string
	env    []string
	opened string // where git starts, from dir
}

func newRepository(t failer, parent string, init ...string) *repository {
	t.Helper()
	home, dir := filepath.Join(parent, "home"), filepath.Join(parent, "repo")
	w := repositoryAt(t, home, dir)
	for _, d := range []string{home, dir} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatalf("%v", err)
		}
	}
	w.git(append([]string{"init", "-q", "-b", "main", "--template="}, init...)...)
	return w
}

func repositoryAt(t failer, home, dir string) *repository {
	return &repository{t: t, dir: dir, env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2024-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.com", "GIT_COMMITTER_DATE=2024-01-01T00:00:00Z",
	}}
}

func (w *repository) path(name string) string { return filepath.Join(w.dir, name) }

func (w *repository) git(args ...string) string {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), "git", args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatalf("git %q: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}

func (w *repository) try(args ...string) (string, error) {
	cmd := exec.CommandContext(w.t.Context(), "git", args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (w *repository) write(name, content string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatalf("%v", err)
	}
	if err := os.WriteFile(w.path(name), []byte(content), 0o644); err != nil {
		w.t.Fatalf("%v", err)
	}
}

func (w *repository) read(name string) string {
	w.t.Helper()
	content, err := os.ReadFile(w.path(name))
	if err != nil {
		w.t.Fatalf("%v", err)
	}
	return string(content)
}

// must ends the test at an error of setting up.
func (w *repository) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%v", err)
	}
}

func (w *repository) repo() *git.Repo {
	w.t.Helper()
	repo, err := git.Open(w.t.Context(), git.Options{Dir: w.path(w.opened), Env: w.env})
	if err != nil {
		w.t.Fatalf("%v", err)
	}
	return repo
}

// formatted returns the content that the command of these tests would write.
func formatted(content []byte) []byte {
	return bytes.ReplaceAll(content, []byte("BAD"), []byte("good"))
}

// staged are the edits of a command on files as they are in the index.
func (w *repository) staged(names ...string) []staging.Edit {
	w.t.Helper()
	executable := map[string]bool{}
	for line := range strings.SplitSeq(w.git(append([]string{"--literal-pathspecs", "ls-files", "-s", "-z", "--"}, names...)...), "\x00") {
		about, name, _ := strings.Cut(line, "\t")
		executable[name] = strings.HasPrefix(about, "100755")
	}
	edits := make([]staging.Edit, len(names))
	for i, name := range names {
		before := []byte(w.git("cat-file", "blob", ":"+name))
		edits[i] = staging.Edit{Path: name, WasExecutable: executable[name], Executable: executable[name], Before: before, After: formatted(before)}
	}
	return edits
}

// present are the edits of a command on files as they are in the working tree.
func (w *repository) present(names ...string) []staging.Edit {
	w.t.Helper()
	edits := make([]staging.Edit, len(names))
	for i, name := range names {
		before := []byte(w.read(name))
		edits[i] = staging.Edit{Path: name, Before: before, After: formatted(before)}
	}
	return edits
}

// apply writes edits back and gives what became of them, one line each.
func (w *repository) apply(head diff.HeadKind, edits []staging.Edit) []string {
	w.t.Helper()
	writings, err := staging.Apply(w.t.Context(), w.repo(), head, edits)
	if err != nil {
		w.t.Fatalf("apply: %v", err)
	}
	lines := make([]string, len(writings))
	for i, r := range writings {
		lines[i] = strings.TrimSuffix(fmt.Sprintf("%s|%s|%s|%s", r.Path, r.Index, r.Worktree, r.Note), "|")
	}
	return lines
}

// state is all that a user can see: what is in the index and in the working
// tree, by path.
func (w *repository) state() map[string]string {
	w.t.Helper()
	state := map[string]string{}
	for line := range strings.SplitSeq(strings.TrimSuffix(w.git("ls-files", "-s", "-v", "-z"), "\x00"), "\x00") {
		about, name, _ := strings.Cut(line, "\t")
		state["index:"+name] += about
	}
	for line := range strings.SplitSeq(w.git("diff", "--cached", "--raw", "-z", "--no-renames", "--ita-visible-in-index"), "\x00:") {
		if about, name, ok := strings.Cut(line, "\x00"); ok {
			state["cached:"+strings.Trim(name, "\x00")] = about
		}
	}
	w.must(filepath.WalkDir(w.dir, func(file string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || file == w.path(".git") || e.IsDir() {
			if e != nil && e.IsDir() && file == w.path(".git") {
				return fs.SkipDir
			}
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		read := func(name string) (string, error) {
			content, err := os.ReadFile(name)
			return string(content), err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			read = os.Readlink
		}
		content, err := read(file)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(w.dir, file)
		state["file:"+name] = info.Mode().String() + " " + content
		return err
	}))
	return state
}

// copied is another repository that is the same.
func (w *repository) copied(parent string) *repository {
	w.t.Helper()
	dir := filepath.Join(parent, "repo")
	out, err := exec.CommandContext(w.t.Context(), "cp", "-a", w.dir, dir).CombinedOutput()
	if err != nil {
		w.t.Fatalf("cp: %v %s", err, out)
	}
	c := *w
	c.dir = dir
	return &c
}

// tidied asserts that nothing of a run is left.
func (w *repository) tidied() {
	w.t.Helper()
	if err := staging.Pending(w.repo()); err != nil {
		w.t.Fatalf("pending: %v", err)
	}
	gitDir := strings.TrimSpace(w.git("rev-parse", "--absolute-git-dir"))
	for _, pattern := range []string{"rulecheck/staging/*", "index.lock", "index.rulecheck-*"} {
		left, err := filepath.Glob(filepath.Join(gitDir, pattern))
		if err != nil || len(left) > 0 {
			w.t.Fatalf("left are %q, %v", left, err)
		}
	}
	w.sound()
}

// sound asserts that no object is missing or damaged.
func (w *repository) sound() {
	w.t.Helper()
	if out, err := w.try("fsck", "--no-dangling", "--no-progress"); err != nil || strings.Contains(out, "error") || strings.Contains(out, "missing") {
		w.t.Fatalf("fsck: %v %s", err, out)
	}
}

// watch checks continuously that the user's unstaged text is in its files, until
// stop is called.
func (w *repository) watch(names []string) (stop func()) {
	done := make(chan struct{})
	var wait sync.WaitGroup
	var lost atomic.Pointer[string]
	wait.Go(func() {
		for {
			for _, name := range names {
				content, err := os.ReadFile(w.path(name))
				if err != nil || !bytes.Contains(content, []byte(strings.TrimSpace(mine))) {
					what := fmt.Sprintf("%s is %q, %v", name, content, err)
					lost.CompareAndSwap(nil, &what)
				}
			}
			select {
			case <-done:
				return
			default:
			}
		}
	})
	return func() {
		w.t.Helper()
		close(done)
		wait.Wait()
		if what := lost.Load(); what != nil {
			w.t.Fatalf("unstaged text was out of the working tree: %s", *what)
		}
	}
}

func equal[T any](t failer, got, want T) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("(-want +got):\n%s", d)
	}
}

// lines is a file of n numbered lines; the bad ones are to be formatted.
func lines(n int, bad ...int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		word := "line"
		if slices.Contains(bad, i) {
			word = "BAD"
		}
		fmt.Fprintf(&b, "%s %d\n", word, i)
	}
	return b.String()
}

const mine = "MINE, and nowhere else\n"

// Files of fullRepository: those that the command changes, and those with unstaged text.
var (
	fullEdits = []string{
		"staged", "partial", "overlap", "deleted", "renamed", "script.sh", "linked", "crlf.txt", "crlf-partial.txt",
		"assumed", "skipped", "readonly", "dir/deep/new", "odd\nname", "-rf", "$(touch x).py", "\xff.txt", "empty",
	}
	fullMine = []string{"partial", "overlap", "crlf-partial.txt", "skipped", "unstaged", "untracked", "intended"}
)

// fullRepository has a file in every state that matters.
func fullRepository(t failer, parent string, init ...string) *repository {
	t.Helper()
	w := newRepository(t, parent, init...)
	w.write(".gitattributes", "*.txt text eol=crlf\n")
	for _, name := range []string{"unstaged", "removed", "was-named", "linked", "kept"} {
		w.write(name, lines(12))
	}
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "base")
	w.git("mv", "was-named", "renamed")
	w.git("rm", "-q", "removed")
	for _, name := range fullEdits {
		w.write(name, lines(12, 2, 6))
	}
	w.write("empty", "")
	for _, name := range []string{"crlf.txt", "crlf-partial.txt"} {
		w.write(name, strings.ReplaceAll(lines(12, 2, 6), "\n", "\r\n"))
	}
	w.must(os.Chmod(w.path("script.sh"), 0o755))
	w.git("add", "-A")
	w.write("partial", lines(12, 2, 6)+mine)
	w.write("overlap", strings.Replace(lines(12, 2, 6), "BAD 6\n", mine, 1))
	w.write("crlf-partial.txt", strings.ReplaceAll(lines(12, 2, 6)+mine, "\n", "\r\n"))
	w.write("unstaged", lines(12)+mine)
	w.write("untracked", mine)
	w.write("intended", mine)
	w.git("add", "-N", "intended")
	w.must(os.Remove(w.path("deleted")))
	w.must(os.Remove(w.path("linked")))
	w.must(os.Symlink("kept", w.path("linked")))
	w.write("skipped", lines(12, 2, 6)+mine)
	w.git("update-index", "--assume-unchanged", "assumed")
	w.git("update-index", "--skip-worktree", "skipped")
	w.must(os.Chmod(w.path("readonly"), 0o444))
	return w
}

func testRepository(t *testing.T, init ...string) *repository {
	t.Helper()
	return newRepository(t, t.TempDir(), init...)
}
