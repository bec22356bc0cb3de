package githook_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/githook"
)

// open returns a repository without hooks and its directory of hooks.
func open(t *testing.T) (repo *git.Repo, hooks string) {
	t.Helper()
	dir := t.TempDir()
	run(t, dir, "init", "-q", "--template=")
	return reopen(t, dir), filepath.Join(dir, ".git", "hooks")
}

func reopen(t *testing.T, dir string) *git.Repo {
	t.Helper()
	repo, err := git.Open(t.Context(), git.Options{Dir: dir, Env: environment()})
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

func environment() []string {
	return append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
}

func run(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Env = dir, environment()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func write(t *testing.T, file, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// files lists a directory: names with modes and texts.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	list := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			text = []byte(err.Error())
		}
		list[e.Name()] = info.Mode().String() + " " + string(text)
	}
	return list
}

// texts lists the results.
func texts(done []githook.Change) []string {
	var list []string
	for _, d := range done {
		list = append(list, d.Hook+": "+d.Text)
	}
	return list
}

func installed(t *testing.T, repo *git.Repo, program string) []string {
	t.Helper()
	dir, err := githook.Open(t.Context(), repo)
	if err != nil {
		t.Fatal(err)
	}
	done, err := dir.Install(program)
	if err != nil {
		t.Fatal(err)
	}
	return texts(done)
}

func uninstalled(t *testing.T, repo *git.Repo) []string {
	t.Helper()
	dir, err := githook.Open(t.Context(), repo)
	if err != nil {
		t.Fatal(err)
	}
	done, err := dir.Uninstall()
	if err != nil {
		t.Fatal(err)
	}
	return texts(done)
}

func want(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestInstallAndUninstall(t *testing.T) {
	for _, test := range []struct {
		name          string
		hooks         map[string]string // former ones, by name
		configuration string            // of the pre-commit framework
		want, undone  []string
	}{
		{
			name:   "none",
			want:   []string{"pre-commit: installed", "commit-msg: installed"},
			undone: []string{"pre-commit: removed", "commit-msg: removed"},
		},
		{
			name:   "another's",
			hooks:  map[string]string{"pre-commit": "#!/bin/sh\n# rulecheck --staged\nmake\n"},
			want:   []string{"pre-commit: installed; the existing hook runs first, as pre-commit.before-rulecheck", "commit-msg: installed"},
			undone: []string{"pre-commit: the former hook was restored", "commit-msg: removed"},
		},
		{
			name:   "one that runs rulecheck",
			hooks:  map[string]string{"commit-msg": "#!/bin/sh\nrulecheck --staged --message $1\n"},
			want:   []string{"pre-commit: installed", "commit-msg: already runs rulecheck; not changed"},
			undone: []string{"pre-commit: removed", "commit-msg: not installed by rulecheck; not changed"},
		},
		{
			name:          "the framework's, with rulecheck",
			hooks:         map[string]string{"pre-commit": "#!/bin/sh\nexec pre-commit hook-impl\n", "commit-msg": "#!/bin/sh\nexec pre-commit hook-impl\n"},
			configuration: "repos:\n- hooks:\n  - id: rulecheck-fix-system\n  - id: rulecheck-msg # both\n",
			want:          []string{"pre-commit: already runs rulecheck; not changed", "commit-msg: already runs rulecheck; not changed"},
			undone:        []string{"pre-commit: not installed by rulecheck; not changed", "commit-msg: not installed by rulecheck; not changed"},
		},
		{
			name:          "the framework's, without it",
			hooks:         map[string]string{"pre-commit": "#!/bin/sh\nexec pre-commit hook-impl\n"},
			configuration: "repos:\n- hooks:\n  - id: ruff\n  # - id: rulecheck\n",
			want:          []string{"pre-commit: installed; the existing hook runs first, as pre-commit.before-rulecheck", "commit-msg: installed"},
			undone:        []string{"pre-commit: the former hook was restored", "commit-msg: removed"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			repo, hooks := open(t)
			for name, text := range test.hooks {
				write(t, filepath.Join(hooks, name), text, 0o755)
			}
			if test.configuration != "" {
				write(t, filepath.Join(repo.Root, ".pre-commit-config.yaml"), test.configuration, 0o644)
			}
			before := files(t, hooks)
			want(t, "installed", test.want, installed(t, repo, "/opt/it's/rulecheck"))
			once := files(t, hooks)
			installed(t, repo, "/opt/it's/rulecheck")
			want(t, "installed twice", once, files(t, hooks))
			for name, text := range files(t, hooks) {
				if strings.Contains(text, "Installed by rulecheck") && (!strings.Contains(text, `rulecheck='/opt/it'\''s/rulecheck'`) || runtime.GOOS != "windows" && !strings.HasPrefix(text, "-rwxr-xr-x")) {
					t.Errorf("%s:\n%s", name, text)
				}
			}
			want(t, "uninstalled", test.undone, uninstalled(t, repo))
			want(t, "files afterwards", before, files(t, hooks))
		})
	}
}

// TestInstallAgain updates hooks after the program moved or they lost their x
// permission.
func TestInstallAgain(t *testing.T) {
	repo, hooks := open(t)
	installed(t, repo, "/old/rulecheck")
	want(t, "moved", []string{"pre-commit: updated", "commit-msg: updated"}, installed(t, repo, "/new/rulecheck"))
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(filepath.Join(hooks, "commit-msg"), 0o644); err != nil {
		t.Fatal(err)
	}
	want(t, "not executable", []string{"pre-commit: already installed", "commit-msg: updated"}, installed(t, repo, "/new/rulecheck"))
}

// TestInstallOverOlderHook updates a hook whose text an earlier version wrote.
func TestInstallOverOlderHook(t *testing.T) {
	repo, hooks := open(t)
	write(t, filepath.Join(hooks, "pre-commit"), "#!/bin/sh\n# Installed by rulecheck; \"rulecheck uninstall git\" takes it away again.\nexec rulecheck --staged\n", 0o755)
	want(t, "installed", []string{"pre-commit: updated", "commit-msg: installed"}, installed(t, repo, "/opt/rulecheck"))
	want(t, "uninstalled", []string{"pre-commit: removed", "commit-msg: removed"}, uninstalled(t, repo))
}

// TestSymlinks checks that symlinks are kept, even broken ones.
func TestSymlinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symlinks need a privilege there")
	}
	repo, hooks := open(t)
	write(t, filepath.Join(repo.Root, "tools", "hook"), "#!/bin/sh\n", 0o755)
	write(t, filepath.Join(hooks, "post-commit"), "", 0o644)
	for name, target := range map[string]string{"pre-commit": "../../tools/hook", "commit-msg": "../../tools/gone"} {
		if err := os.Symlink(target, filepath.Join(hooks, name)); err != nil {
			t.Fatal(err)
		}
	}
	before := files(t, hooks)
	installed(t, repo, "/opt/rulecheck")
	for name, target := range map[string]string{"pre-commit": "../../tools/hook", "commit-msg": "../../tools/gone"} {
		if got, err := os.Readlink(filepath.Join(hooks, name+".before-rulecheck")); got != target {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	uninstalled(t, repo)
	want(t, "files afterwards", before, files(t, hooks))
}

func TestForeign(t *testing.T) {
	repo, _ := open(t)
	for _, test := range []struct {
		scope, path string
		wants       []string
		not         string
	}{
		{"local", ".husky/_", []string{filepath.Join(".husky", "pre-commit") + ": rulecheck --staged", `commit-msg: rulecheck --staged --message "$1"`, "git config --local --unset core.hooksPath"}, ""},
		{"local", "tools/hooks", []string{filepath.Join("tools", "hooks", "pre-commit")}, ""},
		{"local", os.DevNull, []string{"core.hooksPath (local)"}, "add to"},
	} {
		run(t, repo.Root, "config", "--"+test.scope, "core.hooksPath", filepath.ToSlash(test.path))
		_, err := githook.Open(t.Context(), repo)
		if !errors.As(err, new(*githook.ForeignError)) {
			t.Fatalf("%s: %v; want a *ForeignError", test.path, err)
		}
		for _, part := range test.wants {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v; want %q", test.path, err, part)
			}
		}
		if test.not != "" && strings.Contains(err.Error(), test.not) {
			t.Errorf("%s: %v", test.path, err)
		}
	}
	run(t, repo.Root, "config", "--unset", "core.hooksPath")
	commanded, err := git.Open(t.Context(), git.Options{Dir: repo.Root, Env: append(environment(),
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.hooksPath", "GIT_CONFIG_VALUE_0=elsewhere")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := githook.Open(t.Context(), commanded); err == nil || strings.Contains(err.Error(), "--unset") {
		t.Errorf("of the environment: %v; want nothing to unset", err)
	}
}

func TestBare(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "init", "-q", "--bare")
	if _, err := githook.Open(t.Context(), reopen(t, dir)); err == nil || !strings.Contains(err.Error(), "want a clone with a working tree") {
		t.Errorf("got %v", err)
	}
}

// TestInTheWay checks the errors for ambiguous files.
func TestInTheWay(t *testing.T) {
	repo, hooks := open(t)
	write(t, filepath.Join(hooks, "commit-msg"), "#!/bin/sh\n", 0o755)
	write(t, filepath.Join(hooks, "commit-msg.before-rulecheck"), "#!/bin/sh\n", 0o755)
	before := files(t, hooks)
	dir, err := githook.Open(t.Context(), repo)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dir.Install("/opt/rulecheck"); err == nil || !strings.Contains(err.Error(), "remove one of the two") {
		t.Errorf("two hooks: %v", err)
	}
	want(t, "files", before, files(t, hooks))
	if err := os.Remove(filepath.Join(hooks, "commit-msg")); err != nil {
		t.Fatal(err)
	}
	want(t, "hook removed by hand", []string{"pre-commit: not installed", "commit-msg: the former hook was restored"}, uninstalled(t, repo))

	if err := os.Mkdir(filepath.Join(hooks, "pre-commit"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := dir.Install("/opt/rulecheck"); err == nil {
		t.Error("a directory in the hook's place: want an error")
	}
	if _, err := dir.Uninstall(); err == nil {
		t.Error("a directory in the hook's place: want an error")
	}
	if _, err := githook.Inspect(t.Context(), repo); err == nil {
		t.Error("a directory in the hook's place: want an error")
	}
}

// TestReadOnly checks that a failed installation leaves no files.
func TestReadOnly(t *testing.T) {
	repo, hooks := open(t)
	write(t, hooks, "a file where a directory should be", 0o644)
	dir, err := githook.Open(t.Context(), repo)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dir.Install("/opt/rulecheck"); err == nil {
		t.Error("want an error")
	}
}

func TestInspect(t *testing.T) {
	repo, hooks := open(t)
	states := func(repo *git.Repo) (list []string) {
		hooks, err := githook.Inspect(t.Context(), repo)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range hooks {
			word := "no"
			if s.Active() {
				word = "yes"
			}
			list = append(list, s.Hook+" "+string(s.Kind)+" "+word)
		}
		return list
	}
	want(t, "none", []string{"pre-commit none no", "commit-msg none no"}, states(repo))
	write(t, filepath.Join(hooks, "pre-commit"), "#!/bin/sh\nrulecheck --staged\n", 0o755)
	write(t, filepath.Join(hooks, "commit-msg"), "#!/bin/sh\nrulecheck --staged\n", 0o755)
	want(t, "a hook that does not read the message", []string{"pre-commit script yes", "commit-msg other no"}, states(repo))
	if runtime.GOOS != "windows" {
		if err := os.Chmod(filepath.Join(hooks, "pre-commit"), 0o644); err != nil {
			t.Fatal(err)
		}
		want(t, "not executable", []string{"pre-commit script no", "commit-msg other no"}, states(repo))
	}
	run(t, repo.Root, "config", "core.hooksPath", ".husky/_")
	write(t, filepath.Join(repo.Root, ".husky", "pre-commit"), "rulecheck --staged\n", 0o644)
	want(t, "husky's", []string{"pre-commit script yes", "commit-msg none no"}, states(repo))
}

// TestManagers looks at hooks as managers write them, next to their configurations.
func TestManagers(t *testing.T) {
	lefthook := "#!/bin/sh\nif [ \"$LEFTHOOK\" = \"0\" ]; then\n  exit 0\nfi\ncall_lefthook()\n{\n  lefthook \"$@\"\n}\ncall_lefthook run \"pre-commit\" \"$@\"\n"
	framework := "#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\nARGS=(hook-impl --config=.pre-commit-config.yaml --hook-type=pre-commit)\nexec pre-commit \"${ARGS[@]}\"\n"
	prek := "#!/bin/sh\n# File generated by prek: https://github.com/j178/prek\nexec prek hook-impl --hook-type=pre-commit -- \"$@\"\n"
	husky4 := "#!/bin/sh\n# husky\n. \"$(dirname \"$0\")/husky.sh\"\n"
	simple := "#!/bin/sh\n\nif [ \"$SKIP_SIMPLE_GIT_HOOKS\" = \"1\" ]; then\n    exit 0\nfi\n\n"
	for _, test := range []struct{ name, hook, file, configuration, want string }{
		{"lefthook's jobs", lefthook, "lefthook.yml", "pre-commit:\n  jobs:\n    - run: rulecheck --staged\n", "framework"},
		{"lefthook's commands", lefthook, ".lefthook.toml", "[pre-commit.commands.rules]\nrun = \"npx rulecheck --staged\"\n", "framework"},
		{"lefthook's local ones", lefthook, "lefthook-local.json", `{"pre-commit": {"jobs": [{"run": "rulecheck --staged"}]}}`, "framework"},
		{"lefthook without rulecheck", lefthook, "lefthook.yml", "pre-commit:\n  jobs:\n    - run: make lint\n", "other"},
		{"lefthook with it in a comment", lefthook, "lefthook.yml", "pre-commit:\n  jobs: # rulecheck --staged\n", "other"},
		{"lefthook at the message only", lefthook, "lefthook.yml", "commit-msg:\n  jobs:\n    - run: rulecheck --staged --message {1}\n", "other"},
		{"lefthook without a configuration", lefthook, "README.md", "rulecheck --staged\n", "other"},
		{"pre-commit", framework, ".pre-commit-config.yaml", "repos:\n- repo: x\n  hooks:\n  - id: rulecheck\n", "framework"},
		{"pre-commit without rulecheck", framework, ".pre-commit-config.yaml", "repos:\n- repo: x\n  hooks:\n  - id: black\n", "other"},
		{"prek", prek, "prek.toml", "[[repos]]\nrepo = \"x\"\nhooks = [{ id = \"rulecheck\" }]\n", "framework"},
		{"husky 4", husky4, "package.json", "{\n  \"husky\": {\"hooks\": {\"pre-commit\": \"rulecheck --staged\"}}\n}\n", "framework"},
		{"simple-git-hooks", simple + "npx rulecheck --staged", "package.json", "{}", "script"},
		{"simple-git-hooks without rulecheck", simple + "npm test", "package.json", `{"scripts": {"rules": "rulecheck --staged"}}`, "other"},
	} {
		t.Run(test.name, func(t *testing.T) {
			repo, hooks := open(t)
			write(t, filepath.Join(hooks, "pre-commit"), test.hook, 0o755)
			write(t, filepath.Join(repo.Root, test.file), test.configuration, 0o644)
			states, err := githook.Inspect(t.Context(), repo)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(states[0].Kind); got != test.want {
				t.Errorf("the hook is %q; want %q", got, test.want)
			}
		})
	}
}
