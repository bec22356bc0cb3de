package commands_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/commands"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
)

// repository makes the tree a repository and gives what runs git in it.
func (w *project) repository(t *testing.T) func(args ...string) string {
	t.Helper()
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir, cmd.Env = w.root, w.gitEnviron()
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run("init", "-q", "-b", "main")
	return run
}

func (w *project) gitEnviron() []string {
	home := filepath.Dir(w.root)
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.com",
	}
}

// surround has the tree of a head of the repository at dir, whose file f is named.
func (w *project) surround(t *testing.T, dir string, kind diff.HeadKind, ref string) {
	t.Helper()
	repo, err := git.Open(t.Context(), git.Options{Dir: dir, Env: w.gitEnviron()})
	if err != nil {
		t.Fatal(err)
	}
	engine := program.New(repo)
	head, err := engine.Head(t.Context(), kind, ref)
	if err != nil {
		t.Fatal(err)
	}
	content, err := engine.Contents(t.Context(), head, []string{"src/f"}, -1)
	if err != nil {
		t.Fatal(err)
	}
	w.options.Tree, err = commands.HeadTree(t.Context(), engine, head, []commands.File{{Path: "src/f", Content: content["src/f"]}})
	if err != nil {
		t.Fatal(err)
	}
}

// look shows what a command sees.
const look = `for f in src/f config src/config gone src/gone added link tool renamed old untracked node_modules/m moved elsewhere; do
	printf '%s: ' $f; if test -L $f; then t=$(readlink $f); case $t in /*) ;; *) printf '%s ' "$t" ;; esac; fi; test -x $f && test ! -d $f && printf 'runs '; cat $f 2>/dev/null || echo -; done`

// TestSurround stages one state of everything and leaves another in the tree.
func TestSurround(t *testing.T) {
	w := newProject(t, map[string]string{"src/f": "committed\n"})
	run := w.repository(t)
	for _, name := range []string{"config", "src/config", "gone", "src/gone", "old"} {
		w.put(t, name, name+" committed\n", false)
	}
	w.put(t, "tool", "tool committed\n", true)
	w.put(t, "moved", "a distinct text, long enough\nto be recognised\n", false)
	w.put(t, ".gitignore", "node_modules\n", false)
	w.put(t, "node_modules/m", "dependency\n", false)
	if err := os.Symlink("config", filepath.Join(w.root, "link")); err != nil {
		t.Fatal(err)
	}
	run("add", "-A")
	run("commit", "-q", "-m", "one")
	w.put(t, "src/f", "staged\n", false)
	w.put(t, "src/config", "src/config staged\n", false)
	w.put(t, "added", "added staged\n", false)
	run("mv", "old", "renamed")
	run("rm", "-q", "src/gone")
	run("add", "-A")
	for _, name := range []string{"src/f", "src/config", "config", "added", "tool", "renamed", "untracked"} {
		w.put(t, name, name+" working tree\n", false)
	}
	w.put(t, "src/gone", "src/gone again\n", false)
	for _, name := range []string{"gone", "link"} {
		if err := os.Remove(filepath.Join(w.root, name)); err != nil {
			t.Fatal(err)
		}
	}
	w.put(t, "link", "link working tree\n", false)
	if err := os.Rename(filepath.Join(w.root, "moved"), filepath.Join(w.root, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	bare := filepath.Join(t.TempDir(), "bare.git")
	run("clone", "-q", "--bare", ".", bare)

	committed := "src/f: committed\nconfig: config committed\nsrc/config: src/config committed\ngone: gone committed\nsrc/gone: src/gone committed\nadded: -\n" +
		"link: config config committed\ntool: runs tool committed\nrenamed: -\nold: old committed\n"
	staged := "src/f: staged\nconfig: config committed\nsrc/config: src/config staged\ngone: gone committed\nsrc/gone: -\nadded: added staged\n" +
		"link: config config committed\ntool: runs tool committed\nrenamed: old committed\nold: -\n"
	tree := "src/f: src/f working tree\nconfig: config working tree\nsrc/config: src/config working tree\ngone: -\nsrc/gone: src/gone again\nadded: added working tree\n" +
		"link: link working tree\ntool: runs tool working tree\nrenamed: renamed working tree\nold: -\n"
	text := "a distinct text, long enough\nto be recognised\n"
	dependency := "untracked: untracked working tree\nnode_modules/m: dependency\n"
	others := dependency + "moved: " + text + "elsewhere: " + text
	for name, c := range map[string]struct {
		dir  string
		kind diff.HeadKind
		ref  string
		want string
	}{
		"index":       {w.root, diff.Index, "", staged + others},
		"commit":      {w.root, diff.Commit, "HEAD", committed + others},
		"worktree":    {w.root, diff.Worktree, "", tree + dependency + "moved: -\nelsewhere: " + text},
		"bare commit": {bare, diff.Commit, "HEAD", committed + "untracked: -\nnode_modules/m: -\nmoved: " + text + "elsewhere: -\n"},
	} {
		for _, sandbox := range []string{"required", "off"} {
			t.Run(name+" "+sandbox, func(t *testing.T) {
				w.surround(t, c.dir, c.kind, c.ref)
				w.options.Sandbox = sandbox
				o := w.run(t, w.job("look", "sh", "-c", look)).Outcomes[0]
				if got := string(o.Stdout); got != c.want {
					t.Errorf("%s\n%s", cmp.Diff(c.want, got), o.Stderr)
				}
			})
		}
	}
}

// TestNothingIsWrittenThrough tries to reach the working tree through every
// tracked and untracked name where nothing confines commands.
func TestNothingIsWrittenThrough(t *testing.T) {
	w := newProject(t, map[string]string{"src/f": "f\n"})
	run := w.repository(t)
	for _, name := range []string{"config", "src/config", "lib/a", "lib/deep/b"} {
		w.put(t, name, name+"\n", false)
	}
	run("add", "-A")
	run("commit", "-q", "-m", "one")
	w.put(t, "untracked", "untracked\n", false)
	w.put(t, "new/untracked", "untracked\n", true)
	w.put(t, "lib/a", "not staged\n", false)
	for _, kind := range []diff.HeadKind{diff.Index, diff.Worktree} {
		w.surround(t, w.root, kind, "")
		w.options.Sandbox = "off"
		o := w.run(t, w.shell("r", `for f in config src/config lib/a lib/deep/b untracked new/untracked; do echo broken >$f || exit 1; done; rm -rf lib new; git add -A; git commit -qm x; true`)).Outcomes[0]
		if o.Exit != 0 {
			t.Errorf("%s: %s", kind, o.Stderr)
		}
	}
}

// TestUnborn has an index before there is a commit.
func TestUnborn(t *testing.T) {
	w := newProject(t, map[string]string{"src/f": "f\n"})
	run := w.repository(t)
	w.put(t, "config", "staged\n", false)
	run("add", "-A")
	w.put(t, "config", "working tree\n", false)
	w.surround(t, w.root, diff.Index, "")
	o := w.run(t, w.job("r", "cat", "config")).Outcomes[0]
	if string(o.Stdout) != "staged\n" {
		t.Errorf("got %q%s", o.Stdout, o.Stderr)
	}
}

// TestLooksLikeARepository has tools stop at the copy's top, and git work there.
func TestLooksLikeARepository(t *testing.T) {
	w := newProject(t, map[string]string{"src/f": "f\n"})
	w.repository(t)
	o := w.run(t, w.job("r", "sh", "-ec", "cd src; git rev-parse --show-prefix; git status --short -uno; basename \"$(git rev-parse --show-toplevel)\"")).Outcomes[0]
	if string(o.Stdout) != "src/\nproject\n" || o.Exit != 0 {
		t.Errorf("got %q %q", o.Stdout, o.Stderr)
	}
}

// TestLinks lead to the same place of the copy, or to where they led before.
func TestLinks(t *testing.T) {
	w := newProject(t, map[string]string{"src/f": "new\n"})
	w.put(t, "src/f", "old\n", false)
	w.put(t, "docs/d", "docs\n", false)
	outside := filepath.Join(filepath.Dir(w.root), "outside")
	if err := os.WriteFile(outside, []byte("outside\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{
		"inside": "src/f", "src/up": "../docs", "out": "../outside", "absolute": outside, "nowhere": "nothing", "src/dangling": "../../../../../nothing",
	} {
		if err := os.Symlink(target, filepath.Join(w.root, name)); err != nil {
			t.Fatal(err)
		}
	}
	o := w.run(t, w.job("r", "sh", "-ec", "cat inside src/up/d out absolute; readlink nowhere; readlink src/dangling; ls | wc -l")).Outcomes[0]
	want := "new\ndocs\noutside\noutside\nnothing\n" + filepath.Join(w.root, "src/dangling") + "\n6\n"
	if got := string(o.Stdout); got != want || o.Exit != 0 {
		t.Errorf("%s%s", cmp.Diff(want, got), o.Stderr)
	}
}
