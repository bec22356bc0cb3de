package doctor_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/doctor"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// world is a repository with one commit.
type world struct {
	t   *testing.T
	dir string
}

func newWorld(t *testing.T, files map[string]string) world {
	t.Helper()
	w := world{t, t.TempDir()}
	w.git("init", "-q", "-b", "main", "--template=")
	for name, text := range files {
		w.write(name, text)
	}
	w.git("add", "-A")
	w.git("commit", "-qm", "one")
	return w
}

func (w world) write(name, text string) {
	w.t.Helper()
	file := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		w.t.Fatal(err)
	}
}

func environment() []string {
	return append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
}

func (w world) git(args ...string) {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), "git", args...)
	cmd.Dir, cmd.Env = w.dir, environment()
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// examine returns each finding as "status subject", and all findings by subject.
func (w world) examine(change func(*doctor.Options)) (list []string, findings map[string]doctor.Finding) {
	w.t.Helper()
	repo, err := git.Open(w.t.Context(), git.Options{Dir: w.dir, Env: environment()})
	if err != nil {
		w.t.Fatal(err)
	}
	o := doctor.Options{Engine: program.New(repo), Program: repo}
	if change != nil {
		change(&o)
	}
	all, err := doctor.Examine(w.t.Context(), o)
	if err != nil {
		w.t.Fatal(err)
	}
	findings = map[string]doctor.Finding{}
	failed := false
	for _, f := range all {
		findings[f.Subject] = f
		list = append(list, string(f.Status)+" "+f.Subject)
		failed = failed || f.Status == doctor.Fail
		if (f.Next == "") != (f.Status == doctor.OK) {
			w.t.Errorf("%s: next %q with %s", f.Subject, f.Next, f.Status)
		}
	}
	if doctor.Failed(all) != failed {
		w.t.Errorf("Failed says %v of %v", !failed, list)
	}
	return list, findings
}

const (
	alive = "---\npair: {trigger: \"src/{path}.py\", expects: \"nowhere/{path}\"}\n---\nLook.\n"
	dead  = "---\nset: [\"src/{path}.py\", \"scr/{path}\"]\ncompare_to: default_tip\n---\nLook.\n"
	own   = "rulecheck --staged --message \"$1\"\n"
)

func TestSound(t *testing.T) {
	w := newWorld(t, map[string]string{"src/a.py": "a", "nowhere/a": "a", ".rulecheck/rules/alive.md": alive})
	w.write(".git/hooks/pre-commit", own)
	w.write(".git/hooks/commit-msg", own)
	list, _ := w.examine(nil)
	want := []string{"ok git", "ok history", "ok base", "ok rules", "ok patterns", "ok past commits", "ok user", "ok pre-commit", "ok commit-msg"}
	if d := cmp.Diff(want, list[:len(list)-1]); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if last := list[len(list)-1]; last != "ok sandbox" && last != "warn sandbox" {
		t.Errorf("last is %s", last)
	}
}

func TestUnsound(t *testing.T) {
	w := newWorld(t, map[string]string{
		"src/a.py": "a", "old/b": "b",
		".rulecheck/rules/dead.md":   dead,
		".rulecheck/rules/off.md":    "---\ntrigger: nowhere\nenabled: false\n---\nLook.\n",
		".rulecheck/rules/former.md": "---\ntrigger: old/b\n---\nLook.\n",
		".rulecheck/rules/kinds.md":  "---\ntrigger: [\"**/*.py\", \"**/*.pyi\"]\n---\nLook.\n", // no *.pyi yet
		".rulecheck/rules/any.md":    "---\npair: {trigger: \"src/{path}.py\", expects: {any: [\"src/**\", \"news/**\"]}}\n---\nLook.\n",
		".rulecheck/rules/group.md":  "---\ntrigger: [\"src/**\", \"{OWNERS,docs/OWNERS}\"]\n---\nLook.\n",
		".rulecheck/rules/never.md":  "---\npair: {trigger: \"src/{path}.py\", expects: {any: [\"nws/**\", \"news/**\"]}}\n---\nLook.\n",
		".rulecheck/rules/broken.md": "---\ntrigegr: old/b\n---\nLook.\n",
		".rulecheck/config.yml":      "default_branch: trunk\n",
	})
	w.git("rm", "-q", "old/b")
	w.git("commit", "-qm", "two")
	w.write(".git/hooks/pre-commit", "make\n")
	user := t.TempDir()
	if err := os.MkdirAll(filepath.Join(user, "rules"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(user, "rules", "mine.md"), []byte("---\ntrigger: src/**\n---\nMine.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, findings := w.examine(func(o *doctor.Options) { o.User = &rule.UserDir{FS: os.DirFS(user), Shown: "~/x"} })
	want := []string{"ok git", "ok history", "fail base", "fail default_tip", "fail rules", "warn rule dead", "warn rule never", "warn rule never", "ok past commits", "warn user", "warn pre-commit", "warn commit-msg"}
	if d := cmp.Diff(want, list[:len(list)-1]); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for what, part := range map[string]string{
		"base": "trunk", "rules": "1 problem, the first: .rulecheck/rules/broken.md:2:1: ", "rule dead": `set: "scr/{path}" matches no file, now or in the available history`,
		"user": "1 user rule in ~/x", "pre-commit": "does not run rulecheck", "commit-msg": "hook not installed",
	} {
		if !strings.Contains(findings[what].Message, part) {
			t.Errorf("%s says %q; want %q", what, findings[what].Message, part)
		}
	}

	w.git("config", "core.hooksPath", "tools")
	_, findings = w.examine(nil)
	if next := findings["pre-commit"].Next; next != "see: rulecheck install git" {
		t.Errorf("a foreign hooks path: next %q", next)
	}
	if runtime.GOOS != "windows" {
		w.write("tools/commit-msg", own)
		if err := os.Chmod(filepath.Join(w.dir, "tools", "commit-msg"), 0o644); err != nil {
			t.Fatal(err)
		}
		_, findings = w.examine(nil)
		if f := findings["commit-msg"]; !strings.HasPrefix(f.Next, "chmod +x ") {
			t.Errorf("not executable: %+v", f)
		}
	}
}

func TestEmpty(t *testing.T) {
	w := newWorld(t, map[string]string{"a": "a"})
	_, findings := w.examine(func(o *doctor.Options) { o.InCI = true })
	if f := findings["rules"]; f.Status != doctor.Warn || f.Message != "no rule is enabled" {
		t.Errorf("rules: %+v", f)
	}
	if _, ok := findings["patterns"]; ok {
		t.Error("patterns are reported without any")
	}
	if f := findings["hooks"]; f.Status != doctor.OK {
		t.Errorf("hooks: %+v", f)
	}
}

func TestShallow(t *testing.T) {
	w := newWorld(t, map[string]string{"src/a.py": "a", ".rulecheck/rules/dead.md": dead})
	w.git("commit", "-q", "--allow-empty", "-m", "two")
	shallow := world{t, t.TempDir()}
	shallow.git("clone", "-q", "--depth=1", "file://"+filepath.ToSlash(w.dir), ".")
	_, findings := shallow.examine(nil)
	if f := findings["history"]; f.Status != doctor.Warn || f.Next != "git fetch --unshallow" {
		t.Errorf("history: %+v", f)
	}
	_, findings = shallow.examine(func(o *doctor.Options) { o.InCI = true })
	if f := findings["history"]; !strings.HasSuffix(f.Next, "fetch-depth: 0") {
		t.Errorf("history in CI: %+v", f)
	}
}

// TestWithoutProgram skips the checks that need git.
func TestWithoutProgram(t *testing.T) {
	w := newWorld(t, map[string]string{"src/a.py": "a", ".rulecheck/rules/dead.md": dead})
	list, findings := w.examine(func(o *doctor.Options) { o.Program = nil })
	want := []string{"warn git", "ok base", "ok default_tip", "ok rules", "warn rule dead", "ok user"}
	if d := cmp.Diff(want, list[:len(list)-1]); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if says := findings["rule dead"].Message; !strings.HasSuffix(says, "matches no file here") {
		t.Errorf("rule dead says %q", says)
	}
}

// TestPending reports the files of a killed run.
func TestPending(t *testing.T) {
	w := newWorld(t, map[string]string{"a": "a"})
	w.write(".git/rulecheck/staging/x/journal.json", "{}")
	_, findings := w.examine(nil)
	if f := findings["recover"]; f.Status != doctor.Fail || f.Next != "rulecheck recover" {
		t.Errorf("recover: %+v", f)
	}
}

// TestStopped distinguishes an incomplete examination from a clean one.
func TestStopped(t *testing.T) {
	w := newWorld(t, map[string]string{"a": "a"})
	repo, err := git.Open(t.Context(), git.Options{Dir: w.dir, Env: environment()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := doctor.Examine(ctx, doctor.Options{Engine: program.New(repo), Program: repo}); err == nil {
		t.Error("want an error")
	}
}
