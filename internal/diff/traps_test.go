package diff_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
)

// TestConfigurationChangesNothing: what a user set for their own eyes does not
// reach the answer.
func TestConfigurationChangesNothing(t *testing.T) {
	s := newSandbox(t)
	s.write("sub/edited", text("edited", 20))
	s.write("sub/ü", text("u", 20))
	s.write("moved", text("moved", 20))
	s.write("touched", text("touched", 2))
	s.write(".gitattributes", "*.up diff=up\n")
	s.write("a.up", "1\n")
	s.write("repeated", "b\n  a\n\na\n\n}\n")
	s.write("indented", "}\na\n  a\na\n\n")
	base := s.commit("base")
	// Each algorithm has its own idea of these two.
	s.write("repeated", "  a\nb\nb\nb\n  a\n  a\n\na\n\n}\n")
	s.write("indented", "}\na\n\na\n  a\n\nb\na\n\n")
	s.write("sub/edited", "first\n"+text("edited", 20)+"last\n")
	s.write("sub/ü", text("u", 20)+"last\n")
	s.move("moved", "sub/moved")
	old := time.Unix(1e9, 0) // new times, same content
	if err := os.Chtimes(s.path("touched"), old, old); err != nil {
		t.Fatal(err)
	}
	s.write("a.up", "2\n")
	s.write("dir/new", "1\n")

	changes := []string{
		"modified a.up", "added dir/new untracked", "modified indented", "modified repeated", "modified sub/edited",
		"renamed moved -> sub/moved untracked", "modified sub/ü",
	}
	lines := map[string][]diff.Lines{
		"a.up":       {{First: 1, Last: 1}},
		"dir/new":    {{First: 1, Last: 1}},
		"indented":   {{First: 2, Last: 3}, {First: 6, Last: 7}},
		"repeated":   {{First: 1, Last: 2}, {First: 4, Last: 5}},
		"sub/edited": {{First: 1, Last: 1}, {First: 22, Last: 22}},
		"sub/ü":      {{First: 21, Last: 21}},
	}
	for _, tt := range []struct{ name, key, value string }{
		{name: "none"},
		{"renames off", "diff.renames", "false"},
		{"copies", "diff.renames", "copies"},
		{"rename limit", "diff.renameLimit", "1"},
		{"relative", "diff.relative", "true"},
		{"no prefix", "diff.noprefix", "true"},
		{"mnemonic prefix", "diff.mnemonicPrefix", "true"},
		{"external", "diff.external", "false"},
		{"driver with a command", "diff.up.command", "false"},
		{"driver with textconv", "diff.up.textconv", "true"},
		{"binary driver", "diff.other.binary", "true"},
		{"colour", "color.ui", "always"},
		{"diff colour", "color.diff", "always"},
		{"moved colour", "diff.colorMoved", "zebra"},
		{"quoted names", "core.quotePath", "true"},
		{"raw names", "core.quotePath", "false"},
		{"untracked hidden", "status.showUntrackedFiles", "no"},
		{"submodules ignored", "diff.ignoreSubmodules", "all"},
		{"submodule log", "diff.submodule", "log"},
		{"order", "diff.orderFile", "no-such-file"},
		{"no refresh", "diff.autoRefreshIndex", "false"},
		{"context", "diff.context", "9"},
		{"joined hunks", "diff.interHunkContext", "99"},
		{"algorithm", "diff.algorithm", "patience"},
		{"indentation", "diff.indentHeuristic", "false"},
		{"word diff", "diff.wordRegex", "."},
		{"whitespace errors", "diff.wsErrorHighlight", "all"},
		{"pager", "core.pager", "false"},
		{"diff pager", "pager.diff", "false"},
		{"alias", "alias.diff", "!false"},
		{"index version", "index.version", "4"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, dir := range []string{".", "sub"} {
				from := s.at(dir)
				if tt.key != "" {
					from = s.at(dir, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0="+tt.key, "GIT_CONFIG_VALUE_0="+tt.value)
				}
				set := from.changeset(diff.Worktree, base)
				equal(t, brief(set.Changes), changes)
				equal(t, set.Notices, nil)
				e := from.open()
				got, err := e.Lines(t.Context(), set.Base, set.Head, set.Changes)
				if err != nil {
					t.Fatal(err)
				}
				equal(t, got, lines)
			}
		})
	}
}

// TestEnvironmentChangesNothing: nor does what is exported in the user's shell.
func TestEnvironmentChangesNothing(t *testing.T) {
	s := newSandbox(t)
	s.write("sub/a", text("a", 20))
	base := s.commit("base")
	s.write("sub/a", text("a", 9)+"new\n"+text("a", 20)[len(text("a", 9)):])
	s.write("new", "1\n")
	for _, env := range []string{
		"GIT_LITERAL_PATHSPECS=1", "GIT_GLOB_PATHSPECS=1", "GIT_NOGLOB_PATHSPECS=1", "GIT_ICASE_PATHSPECS=1",
		"GIT_DIFF_OPTS=--unified=7", "GIT_EXTERNAL_DIFF=false", "GIT_CONFIG=/nonexistent", "GIT_PAGER=false",
		"LC_ALL=de_DE.UTF-8", "LANGUAGE=de", "GIT_OPTIONAL_LOCKS=1", "GIT_TRACE=1",
	} {
		t.Run(env, func(t *testing.T) {
			from := s.at("sub", env)
			equal(t, from.changes(diff.Worktree, base), []string{"added new untracked", "modified sub/a"})
			set := from.changeset(diff.Worktree, base)
			lines, err := from.open().Lines(t.Context(), set.Base, set.Head, set.Changes)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, lines, map[string][]diff.Lines{"new": {{First: 1, Last: 1}}, "sub/a": {{First: 10, Last: 10}}})
		})
	}
}

// TestIgnoreAndFilterSettingsCount: these settings decide the content of a file, and apply.
func TestIgnoreAndFilterSettingsCount(t *testing.T) {
	s := newSandbox(t)
	s.write("crlf", "1\n2\n")
	s.write("tool", "1\n")
	base := s.commit("base")
	s.write("private", "1\n")
	s.write("local", "1\n")
	s.write(".git/info/exclude", "local\n")
	s.write("patterns", "private\npatterns\n")
	s.git("config", "core.excludesFile", s.path("patterns"))
	s.write("crlf", "1\r\n2\r\n")
	s.git("config", "core.autocrlf", "true")
	if err := os.Chmod(s.path("tool"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.git("config", "core.fileMode", "false")
	equal(t, s.changes(diff.Worktree, base), []string{})
}

func TestPlaces(t *testing.T) {
	s := newSandbox(t)
	s.write("a", text("a", 9))
	s.write("sub/dir/b", "1\n")
	base := s.commit("base")
	want := []string{"renamed a -> sub/a untracked", "added sub/new untracked"}
	change := func(s *sandbox) {
		s.move("a", "sub/a")
		s.write("sub/new", "1\n")
	}

	s.git("worktree", "add", "-q", "../linked", "-b", "feature/linked", base)
	linked := s.at("../linked")
	change(linked)
	equal(t, linked.changes(diff.Worktree, base), want)
	equal(t, linked.at("sub/dir").changes(diff.Worktree, base), want)
	equal(t, linked.head(linked.open(), diff.Worktree), diff.Head{
		Kind: diff.Worktree, Commit: base, Branch: "feature/linked",
	})
	equal(t, s.changes(diff.Worktree, base), []string{})

	change(s)
	equal(t, s.at("sub/dir").changes(diff.Worktree, base), want)

	outside := s.at("..", "GIT_DIR="+s.path(".git"), "GIT_WORK_TREE="+s.dir)
	equal(t, outside.changes(diff.Worktree, base), want)
	relative := s.at("sub", "GIT_DIR=../.git", "GIT_WORK_TREE=..")
	equal(t, relative.changes(diff.Worktree, base), want)
}

func TestSparseCheckout(t *testing.T) {
	s := newSandbox(t)
	s.write("in/a", text("a", 9))
	s.write("out/b", text("b", 9))
	base := s.commit("base")
	for _, args := range [][]string{
		{"sparse-checkout", "set", "--cone", "in"},
		{"sparse-checkout", "set", "--cone", "--sparse-index", "in"},
	} {
		s.git(args...)
		equal(t, s.changes(diff.Worktree, base), []string{})
		s.move("in/a", "in/a2")
		s.write("out/new", "1\n")
		s.write("elsewhere/new", "1\n")
		before := stored(t, s)
		equal(t, s.changes(diff.Worktree, base), []string{
			"added elsewhere/new untracked", "renamed in/a -> in/a2 untracked", "added out/new untracked",
		})
		equal(t, stored(t, s), before)
		e := s.open()
		files, err := e.Files(t.Context(), s.head(e, diff.Worktree))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, files, []string{"elsewhere/new", "in/a2", "out/b", "out/new"})
		s.move("in/a2", "in/a")
		s.remove("out")
		s.remove("elsewhere")
	}
}

// TestInsideHooks checks from a real pre-commit hook, where git may have put the
// commit in the making into a separate index.
func TestInsideHooks(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		commit []string
		want   string
	}{
		{"commit", []string{"commit", "-qm", "x"}, "modified staged"},
		{"commit -a", []string{"commit", "-qam", "x"}, "modified edited|modified staged"},
		{"commit path", []string{"commit", "-qm", "x", "edited"}, "modified edited"},
		{"amend in a subdirectory", []string{"-C", "sub", "commit", "-q", "--amend", "-m", "x"}, "modified staged"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSandbox(t)
			for _, name := range []string{"edited", "staged", "sub/a"} {
				s.write(name, "1\n")
			}
			s.commit("base")
			s.write("staged", "2\n")
			s.git("add", "staged")
			s.write("edited", "2\n")
			seen := filepath.Join(t.TempDir(), "seen")
			// Both at the top, where git starts hooks, and below it.
			s.write(".git/hooks/pre-commit", "#!/bin/sh\n"+
				judgeInHook+"='"+seen+"' exec '"+self+"' -test.run='^TestJudgeInHook$'\n")
			if err := os.Chmod(s.path(".git/hooks/pre-commit"), 0o755); err != nil {
				t.Fatal(err)
			}
			s.git(tt.commit...)
			got, err := os.ReadFile(seen)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, string(got), tt.want)
		})
	}
}

const judgeInHook = "RULECHECK_TEST_HOOK_OUTPUT"

// TestJudgeInHook is the hook's side of TestInsideHooks.
func TestJudgeInHook(t *testing.T) {
	out := os.Getenv(judgeInHook)
	if out == "" {
		t.Skip("runs as a hook only")
	}
	s := &sandbox{t: t, dir: ".", env: os.Environ()}
	top := s.changes(diff.Index, "HEAD")
	equal(t, s.at("sub").changes(diff.Index, "HEAD"), top)
	e, err := engines[1].open(t, s)
	switch {
	case err == nil:
		head := s.head(e, diff.Index)
		equal(t, changed(t, e, diff.Base{Commit: head.Commit}, head), top)
	case runtime.GOOS == "linux" || !refused(err):
		t.Fatal(err)
	}
	if err := os.WriteFile(out, []byte(strings.Join(top, "|")), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestAnotherIndex(t *testing.T) {
	s := newSandbox(t)
	s.write("a", text("a", 9))
	base := s.commit("base")
	s.write("b", text("b", 9))
	other := s.at(".", "GIT_INDEX_FILE=.git/other")
	other.git("read-tree", base)
	other.git("add", "b")
	equal(t, s.changes(diff.Index, base), []string{})
	equal(t, other.changes(diff.Index, base), []string{"added b"})
	equal(t, other.changes(diff.Worktree, base), []string{"added b"})
	s.move("a", "sub/a")
	equal(t, s.at("sub", "GIT_INDEX_FILE=.git/other").changes(diff.Worktree, base), []string{
		"added b", "renamed a -> sub/a untracked",
	})
}

func TestPartialClone(t *testing.T) {
	origin := newSandbox(t)
	origin.git("config", "uploadpack.allowFilter", "true")
	origin.git("config", "uploadpack.allowAnySHA1InWant", "true")
	origin.write("a", text("a", 20))
	origin.commit("base")
	origin.git("mv", "a", "b")
	origin.write("b", text("a", 20)+"more\n")
	origin.commit("renamed")

	clone := origin.at("../clone")
	origin.git("clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+origin.dir, clone.dir)
	e := clone.open()
	head := clone.head(e, diff.Commit)
	base, err := e.Resolve(t.Context(), diff.BaseRequest{ID: diff.From, Ref: "HEAD~1", Head: head})
	if err != nil {
		t.Fatal(err)
	}
	const reason, fix = "this partial clone has not fetched an object that is needed", "rulecheck --allow-lazy-fetch"
	_, err = e.Changes(t.Context(), base, head)
	noVerdict(t, err, reason, fix)
	if cause := (*git.Error)(nil); !errors.As(err, &cause) {
		t.Errorf("%v does not lead to what git said", err)
	}
	_, err = e.Contents(t.Context(), head, []string{"b"}, -1)
	noVerdict(t, err, reason, fix)
	_, err = e.Lines(t.Context(), base, head, []diff.Change{{Path: "b", Status: diff.Added, Kind: diff.File}})
	noVerdict(t, err, reason, fix)

	repo, err := git.Open(t.Context(), git.Options{Dir: clone.dir, Env: clone.env, LazyFetch: true})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, changed(t, program.New(repo), base, head), []string{"renamed a -> b"})
}
