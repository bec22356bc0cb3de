package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/golden"
)

func TestMain(m *testing.M) {
	hookDeadline = 5 * time.Minute                                                // also of the processes that tests start
	if short, err := time.ParseDuration(os.Getenv("HOOK_DEADLINE")); err == nil { // of what hangs
		hookDeadline = short
	}
	testscript.Main(m, map[string]func(){"rulecheck": rulecheckCommand, "checks": checksCommand, "painted": paintedCommand, "denied": deniedCommand})
}

// TestScripts runs the program as its users do, on real repositories.
func TestScripts(t *testing.T) {
	params := scripts("")
	params.Dir = filepath.Join("testdata", "script")
	testscript.Run(t, params)
}

// scripts returns the parameters of a run with an engine; empty selects the default.
func scripts(engine string) testscript.Params {
	return testscript.Params{
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE") != "",
		Condition: func(name string) (bool, error) {
			if name == "namespaces" {
				return namespaces()
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"check":   checkCommand,
			"brief":   briefCommand,
			"mkfile":  mkfileCommand,
			"step":    stepCommand,
			"journal": journalCommand,
		},
		Setup: func(env *testscript.Env) error {
			project, err := filepath.Abs(filepath.Join("..", ".."))
			if err != nil {
				return err
			}
			env.Setenv("PROJECT", project)
			env.Setenv(testEngine, engine)
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("XDG_CONFIG_HOME", "")
			env.Setenv("CI", "")
			env.Setenv("GORACE", gittest.Race)
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			env.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(env.WorkDir, ".gitconfig"))
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				env.Setenv("GIT_"+who+"_NAME", "A U Thor")
				env.Setenv("GIT_"+who+"_EMAIL", "author@example.com")
				env.Setenv("GIT_"+who+"_DATE", "2026-01-02T03:04:05Z")
			}
			config := "[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n[advice]\n\tdetachedHead = false\n"
			return os.WriteFile(filepath.Join(env.WorkDir, ".gitconfig"), []byte(config), 0o644)
		},
	}
}

// checkCommand is "check STATUS ARG...": it runs rulecheck, wants that exit
// status, and wants the index and the object store to be what they were.
func checkCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: check STATUS [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	before := stored(ts)
	err = ts.Exec("rulecheck", args[1:]...)
	status := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		status = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if after := stored(ts); after != before {
		ts.Fatalf("the check wrote to the repository:\n%s\nwas:\n%s", after, before)
	}
	if status != want {
		ts.Fatalf("exit status %d, want %d", status, want)
	}
}

// stored describes what a check must leave alone: each index with its bytes and
// times, and every object and ref of the repository around the script's directory.
func stored(ts *testscript.TestScript) string {
	var b bytes.Buffer
	for _, dir := range gitDirs(ts) {
		err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
			if err != nil || info.IsDir() || info.Name() == "rules.lock" { // an empty file of those that write rules
				return err
			}
			content, err := os.ReadFile(path)
			b.WriteString(path + " " + info.ModTime().String() + " " + strconv.Quote(string(content)) + "\n")
			return err
		})
		ts.Check(err)
	}
	return b.String()
}

// gitDirs returns the git directories around the script's directory. It asks git only where
// there is no plain .git.
func gitDirs(ts *testscript.TestScript) []string {
	if ts.Getenv("GIT_DIR") == "" {
		plain := filepath.Join(ts.MkAbs("."), ".git")
		if info, err := os.Lstat(plain); err == nil && info.IsDir() {
			return []string{plain}
		}
	}
	git := exec.Command("git", "rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir")
	git.Dir = ts.MkAbs(".")
	git.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+ts.Getenv("GIT_CONFIG_GLOBAL"), "GIT_DIR="+ts.Getenv("GIT_DIR"))
	if ts.Getenv("GIT_DIR") == "" {
		git.Env = git.Env[:len(git.Env)-1]
	}
	out, err := git.Output()
	if err != nil {
		return nil // no repository, nothing to keep
	}
	return slices.Compact(strings.Fields(string(out)))
}

// briefCommand is "brief stdout|stderr FILE": it writes the output of the last command to a
// file, without the lists of all modes and keys.
func briefCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: brief stdout|stderr FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(golden.Brief(ts.ReadFile(args[0]))), 0o644))
}

// mkfileCommand is "mkfile NAME [LINE...]": it writes a file. Its name is the
// inside of a Go string, for bytes that a script cannot hold.
func mkfileCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: mkfile NAME [LINE...]")
	}
	name, err := strconv.Unquote(`"` + args[0] + `"`)
	ts.Check(err)
	path := filepath.Join(ts.MkAbs("."), name)
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o755))
	ts.Check(os.WriteFile(path, []byte(strings.Join(args[1:], "\n")+"\n"), 0o644))
}
