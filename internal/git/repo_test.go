package git_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/git"
)

// environ owes nothing to the machine or to a hook the tests run in.
func environ(home string, more ...string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.com",
	}, more...)
}

// program runs git as a user would.
func program(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Env = dir, environ(dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// repository is a directory with one commit on a branch with a slash.
func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	program(t, dir, "init", "-q", "-b", "topic/one")
	program(t, dir, "commit", "-q", "--allow-empty", "-m", "one")
	return dir
}

func open(t *testing.T, o git.Options) *git.Repo {
	t.Helper()
	r, err := git.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// facts are the exported fields of a repository.
type facts struct {
	Root, GitDir, CommonDir, IndexFile, ObjectFormat, Head, Branch string
	Bare, Shallow                                                  bool
}

func factsOf(r *git.Repo) facts {
	return facts{
		r.Root, r.GitDir, r.CommonDir, r.IndexFile, r.ObjectFormat, r.Head, r.Branch, r.Bare, r.Shallow,
	}
}

func TestOpen(t *testing.T) {
	dir := repository(t)
	head := program(t, dir, "rev-parse", "HEAD")
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	gitDir := filepath.Join(dir, ".git")
	plain := facts{
		Root: dir, GitDir: gitDir, CommonDir: gitDir, IndexFile: filepath.Join(gitDir, "index"), ObjectFormat: "sha1",
		Head: head, Branch: "topic/one",
	}
	other := plain
	other.IndexFile = filepath.Join(gitDir, "other")
	unborn := t.TempDir()
	program(t, unborn, "init", "-q", "-b", "first", "--object-format=sha256")
	if err := os.WriteFile(filepath.Join(unborn, "HEAD"), nil, 0o644); err != nil { // a file by the name of a revision
		t.Fatal(err)
	}
	bare := t.TempDir()
	program(t, bare, "clone", "-q", "--bare", "--depth=1", "file://"+dir, ".")
	empty := t.TempDir()
	program(t, empty, "init", "-q", "--bare", "-b", "main")
	linked := filepath.Join(t.TempDir(), "linked")
	program(t, dir, "worktree", "add", "-q", "--detach", linked)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	linkedDir := filepath.Join(gitDir, "worktrees", "linked")

	for _, tt := range []struct {
		name string
		dir  string
		env  []string
		want facts
	}{
		{name: "top", dir: dir, want: plain},
		{name: "subdirectory", dir: sub, want: plain},
		{name: "through a symlink", dir: link, want: plain},
		{name: "another index", dir: dir, env: []string{"GIT_INDEX_FILE=.git/other"}, want: other},
		{name: "another index from below", dir: sub, env: []string{"GIT_INDEX_FILE=.git/other"}, want: other},
		{name: "from outside", dir: unborn, env: []string{"GIT_DIR=" + gitDir, "GIT_WORK_TREE=" + dir}, want: plain},
		{name: "unborn", dir: unborn, want: facts{
			Root: unborn, GitDir: unborn + "/.git", CommonDir: unborn + "/.git", IndexFile: unborn + "/.git/index",
			ObjectFormat: "sha256", Branch: "first",
		}},
		{name: "linked and detached", dir: linked, want: facts{
			Root: linked, GitDir: linkedDir, CommonDir: gitDir, IndexFile: filepath.Join(linkedDir, "index"),
			ObjectFormat: "sha1", Head: head,
		}},
		{name: "bare and shallow", dir: bare, want: facts{
			GitDir: bare, CommonDir: bare, IndexFile: filepath.Join(bare, "index"), ObjectFormat: "sha1",
			Head: head, Branch: "topic/one", Bare: true, Shallow: true,
		}},
		{name: "bare and unborn", dir: empty, want: facts{
			GitDir: empty, CommonDir: empty, IndexFile: filepath.Join(empty, "index"), ObjectFormat: "sha1",
			Branch: "main", Bare: true,
		}},
		{name: "inside the git directory", dir: gitDir, want: facts{
			GitDir: gitDir, CommonDir: gitDir, IndexFile: filepath.Join(gitDir, "index"), ObjectFormat: "sha1",
			Head: head, Branch: "topic/one", Bare: true,
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := factsOf(open(t, git.Options{Dir: tt.dir, Env: environ(dir, tt.env...)}))
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("want(-) got(+):\n%s", d)
			}
		})
	}
}

// TestOpenIsOneProcess guards what every run pays.
func TestOpenIsOneProcess(t *testing.T) {
	var trace bytes.Buffer
	open(t, git.Options{Dir: repository(t), Env: environ(""), Trace: &trace})
	if n := strings.Count(trace.String(), "\n"); n != 1 {
		t.Errorf("%d processes:\n%s", n, &trace)
	}
}

func TestOpenRefuses(t *testing.T) {
	nothing := t.TempDir()
	foreign := repository(t)
	broken := filepath.Join(t.TempDir(), "line\nbreak")
	if err := os.Mkdir(broken, 0o755); err != nil {
		t.Fatal(err)
	}
	program(t, broken, "init", "-q")
	for _, tt := range []struct {
		name string
		dir  string
		env  []string
		want []string
	}{
		{
			name: "no repository", dir: nothing, env: []string{"GIT_CEILING_DIRECTORIES=" + filepath.Dir(nothing)},
			want: []string{
				"not a git repository (or any of the parent directories): .git",
				"; run rulecheck inside a git repository",
			},
		},
		{
			name: "another owner", dir: foreign, env: []string{"GIT_TEST_ASSUME_DIFFERENT_OWNER=1"},
			want: []string{"fatal: detected dubious ownership", "git config --global --add safe.directory " + foreign},
		},
		{name: "line break", dir: broken, want: []string{"the repository's path has a line break; move the repository"}},
		{name: "no such directory", dir: filepath.Join(nothing, "none"), want: []string{"no such file or directory"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := git.Open(t.Context(), git.Options{Dir: tt.dir, Env: environ(nothing, tt.env...)})
			refused(t, err, tt.want...)
		})
	}
}

func refused(t *testing.T, err error, want ...string) {
	t.Helper()
	e := (*git.Error)(nil)
	if !errors.As(err, &e) {
		t.Fatalf("got %v; want a *git.Error", err)
	}
	for _, text := range want {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("message %q lacks %q", err, text)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("message %q has more than one line", err)
	}
}

func TestNoGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := git.Open(t.Context(), git.Options{Dir: t.TempDir(), Env: environ("")})
	refused(t, err, "executable file not found in $PATH; install git 2.31 or newer")
	if !git.NoProgram(err) || git.NoProgram(errors.New("another")) {
		t.Errorf("%v: a missing git program is not distinguished from other errors", err)
	}
}

// TestOldGit has a git that, as before 2.31, does not know --config-env.
func TestOldGit(t *testing.T) {
	for version, want := range map[string]string{
		"echo git version 2.30.9": "git version 2.30.9 is too old; install git 2.31 or newer",
		"exit 1":                  "git is too old; install git 2.31 or newer",
	} {
		bin := t.TempDir()
		script := "#!/bin/sh\nfor arg\ndo\n\tcase $arg in\n\t--config-env*) echo \"unknown option: $arg\" >&2; exit 129;;\n" +
			"\tversion) " + version + ";;\n\tesac\ndone\n"
		if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", bin)
		_, err := git.Open(t.Context(), git.Options{Dir: t.TempDir(), Env: environ("")})
		refused(t, err, want)
	}
}

func TestRun(t *testing.T) {
	dir := repository(t)
	r := open(t, git.Options{Dir: dir, Env: environ(dir)})
	out, err := r.Run(t.Context(), "log", "-1", "--format=%s")
	if err != nil || string(out) != "one\n" {
		t.Errorf("got %q, %v", out, err)
	}
	_, err = r.Run(t.Context(), "-c", "a.b=c", "rev-parse", "--verify", "none")
	want := "git rev-parse --verify: exit status 128: fatal: Needed a single revision"
	if err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
	e := (*git.Error)(nil)
	if !errors.As(err, &e) || e.Status != 128 || e.Stderr != "fatal: Needed a single revision\n" || len(e.Args) != 5 {
		t.Errorf("got %+v", e)
	}
	exit := (*exec.ExitError)(nil)
	if !errors.As(err, &exit) {
		t.Errorf("%v does not lead to its exit status", err)
	}
	_, err = r.Run(t.Context(), "rev-parse", "--verify", "--quiet", "none")
	if want := "git rev-parse --verify: exit status 1"; err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
}

func TestDo(t *testing.T) {
	dir := repository(t)
	r := open(t, git.Options{Dir: dir, Env: environ(dir, "GIT_INDEX_FILE=inherited")})
	res, err := r.Do(t.Context(), git.Call{Args: []string{"hash-object", "--stdin"}, Stdin: strings.NewReader("x\n")})
	if want := "587be6b4c3f93f93c489c0111bba5596147a26cb\n"; err != nil || string(res.Stdout) != want {
		t.Errorf("got %q, %v; want %q", res.Stdout, err, want)
	}
	show := git.Call{Args: []string{"-c", "alias.x=!printf %s \"$GIT_INDEX_FILE\"; echo seen >&2", "x"}}
	res, err = r.Do(t.Context(), show)
	if err != nil || string(res.Stdout) != "inherited" || string(res.Stderr) != "seen\n" {
		t.Errorf("inherited: got %q, %q, %v", res.Stdout, res.Stderr, err)
	}
	show.Env = []string{"GIT_INDEX_FILE=private"}
	if res, err = r.Do(t.Context(), show); err != nil || string(res.Stdout) != "private" {
		t.Errorf("private: got %q, %v", res.Stdout, err)
	}
}

func TestDoReads(t *testing.T) {
	dir := repository(t)
	r := open(t, git.Options{Dir: dir, Env: environ(dir)})
	var first []byte
	read := func(n int64) func(io.Reader) error {
		return func(from io.Reader) (err error) {
			first, err = io.ReadAll(io.LimitReader(from, n))
			return err
		}
	}
	many := git.Call{Args: []string{"-c", "alias.many=!yes | head -n 200000", "many"}}
	many.Read = read(4)
	if res, err := r.Do(t.Context(), many); err != nil || string(first) != "y\ny\n" || len(res.Stdout) != 0 {
		t.Errorf("got %q, %v", first, err)
	}
	stop := errors.New("enough")
	endless := git.Call{
		Args: []string{"-c", "alias.endless=!yes", "endless"},
		Read: func(from io.Reader) error {
			_, err := io.ReadFull(from, make([]byte, 2)) // git has started its own process by then
			return errors.Join(stop, err)
		},
	}
	if _, err := r.Do(t.Context(), endless); !errors.Is(err, stop) {
		t.Errorf("got %v; want %v", err, stop)
	}
	if _, err := r.Do(t.Context(), git.Call{Args: []string{"none"}, Read: read(1)}); err == nil {
		t.Error("a command that does not exist succeeds")
	}
}

func TestCancelled(t *testing.T) {
	dir := repository(t)
	r := open(t, git.Options{Dir: dir, Env: environ(dir)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	drain := func(from io.Reader) error {
		_, err := io.Copy(io.Discard, from)
		return err
	}
	cancelled := func(ctx context.Context, c git.Call) {
		t.Helper()
		_, err := r.Do(ctx, c)
		e := (*git.Error)(nil)
		if !errors.Is(err, context.Canceled) || !errors.As(err, &e) || e.Status != -1 {
			t.Errorf("got %v; want %v", err, context.Canceled)
		}
	}
	for _, read := range []func(io.Reader) error{nil, drain} {
		cancelled(ctx, git.Call{Args: []string{"status"}, Read: read})

		// While a process git has started goes on writing.
		ctx, cancel := context.WithCancel(t.Context())
		endless := git.Call{Args: []string{"-c", "alias.endless=!yes", "endless"}, Read: read}
		if read != nil {
			endless.Read = func(from io.Reader) error {
				if _, err := io.ReadFull(from, make([]byte, 2)); err != nil {
					return err
				}
				cancel()
				return read(from)
			}
		} else {
			endless.Args[1] = "alias.endless=!sleep 60"
			time.AfterFunc(100*time.Millisecond, cancel)
		}
		cancelled(ctx, endless)
		cancel()
	}
}

func TestTrace(t *testing.T) {
	dir := repository(t)
	var trace bytes.Buffer
	r := open(t, git.Options{Dir: dir, Env: environ(dir), Trace: &trace})
	trace.Reset()
	if _, err := r.Run(t.Context(), "ls-files", "-z", "--", "a b\n"); err != nil {
		t.Fatal(err)
	}
	if want := `git ls-files -z -- $'a b\x0a'` + "\n"; trace.String() != want {
		t.Errorf("got %q; want %q", &trace, want)
	}
}

// TestEnvironment: variables that say where to look stay, those that change the
// answer go, fetching is off unless asked for.
func TestEnvironment(t *testing.T) {
	dir := repository(t)
	inherited := []string{
		"GIT_INDEX_FILE=.git/other", "GIT_LITERAL_PATHSPECS=1", "GIT_EXTERNAL_DIFF=false", "GIT_DIFF_OPTS=-u9", "LC_ALL=de_DE", "GLIBC_TUNABLES=own",
	}
	for _, lazy := range []bool{false, true} {
		r := open(t, git.Options{Dir: dir, Env: environ(dir, inherited...), LazyFetch: lazy})
		out, err := r.Run(t.Context(), "-c", "alias.env=!env", "env")
		if err != nil {
			t.Fatal(err)
		}
		env := strings.Split(string(out), "\n")
		for _, kv := range []string{"GIT_INDEX_FILE=.git/other", "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GLIBC_TUNABLES=own"} {
			if !slices.Contains(env, kv) {
				t.Errorf("%s is missing", kv)
			}
		}
		for _, kv := range []string{"GIT_LITERAL_PATHSPECS=1", "GIT_EXTERNAL_DIFF=false", "GIT_DIFF_OPTS=-u9", "LC_ALL=de_DE"} {
			if slices.Contains(env, kv) {
				t.Errorf("%s is still there", kv)
			}
		}
		for _, kv := range []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"} {
			if slices.Contains(env, kv) == lazy {
				t.Errorf("lazy fetch %v: %s is set: %v", lazy, kv, !lazy)
			}
		}
	}
}
