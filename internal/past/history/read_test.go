package history_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/program"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/past/history"
)

func open(t *testing.T, dir string, env []string) *git.Repo {
	t.Helper()
	repo, err := git.Open(t.Context(), git.Options{Dir: dir, Env: env})
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

func read(t *testing.T, repo *git.Repo, r history.Range) []diff.Unit {
	t.Helper()
	if r.To == "" {
		r.To = repo.Head
	}
	var units []diff.Unit
	for u, err := range history.Units(t.Context(), repo, r) {
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, u)
	}
	return units
}

func subjects(units []diff.Unit) string {
	var list []string
	for _, u := range units {
		list = append(list, u.Subject())
	}
	return strings.Join(list, " ")
}

// past makes a repository with every kind of commit, in whose configuration everything is
// set that could change what git log prints.
func past(t *testing.T) *gittest.Repository {
	t.Helper()
	r := gittest.New(t)
	text := strings.Repeat("a line of some length\n", 20)
	r.Write("a.txt", text)
	r.Write("dir/b\nnew line.txt", "b\n")
	r.Write("dir/ü \"q\".txt", "q\n")
	r.Commit("root")
	r.Write("a.txt", text+"one more\n")
	r.Write("image.bin", "\x00\x01\x02")
	r.Commit("binary\n\nIt has a body\n\nTrailer: yes")
	r.Git("mv", "a.txt", "dir/renamed.txt")
	r.Write("dir/renamed.txt", text+"edited\n")
	r.Commit("rename")
	r.Git("update-index", "--add", "--cacheinfo", "160000,1111111111111111111111111111111111111111,module")
	r.Git("commit", "-q", "-m", "module")
	for _, side := range []string{"one", "two"} {
		r.Git("checkout", "-q", "-b", side, "main")
		r.Write(side+".txt", side+"\n")
		r.Git("add", side+".txt")
		r.Git("commit", "-q", "-m", side)
		r.Write(side+".txt", side+" again\n")
		r.Git("commit", "-q", "-m", side+"-again", side+".txt")
	}
	r.Git("checkout", "-q", "main")
	r.Git("commit", "-q", "--allow-empty", "-m", "empty")
	r.Git("merge", "-q", "-m", "octopus", "one", "two")
	r.Git("mv", "dir", "moved")
	r.Git("commit", "-q", "-m", "tree")
	r.Git("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", "")
	for _, kv := range []string{
		"log.showRoot=false", "log.diffMerges=separate", "log.showSignature=true", "log.decorate=full", "log.mailmap=true",
		"diff.renames=false", "diff.renameLimit=1", "diff.relative=true", "diff.ignoreSubmodules=all", "diff.noprefix=true",
		"core.quotePath=true", "core.abbrev=7", "color.ui=always", "format.pretty=oneline", "i18n.logOutputEncoding=latin1",
	} {
		key, value, _ := strings.Cut(kv, "=")
		r.Git("config", key, value)
	}
	return r
}

// TestUnitsEqualChecks compares the changes of each unit with those that a check of it finds.
func TestUnitsEqualChecks(t *testing.T) {
	t.Parallel()
	r := past(t)
	repo, engine := open(t, r.Dir, r.Env), r.Open()
	for name, of := range map[string]history.Range{"first parents": {}, "commits": {Commits: true}} {
		units := read(t, repo, of)
		for _, u := range units {
			set, err := engine.Changes(t.Context(), diff.Base{Commit: u.Base()}, diff.Head{Kind: diff.Commit, Commit: u.Commit})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(set.Changes, u.Changes); d != "" {
				t.Errorf("%s: %q: a check finds other changes (-check +unit):\n%s", name, u.Subject(), d)
			}
		}
	}
}

func TestRanges(t *testing.T) {
	t.Parallel()
	r := past(t)
	repo := open(t, r.Dir, r.Env)
	all := read(t, repo, history.Range{})
	if got, want := subjects(all), " tree octopus empty module rename binary root"; got != want {
		t.Fatalf("units %q; want %q", got, want)
	}
	oldest := read(t, repo, history.Range{OldestFirst: true})
	slices.Reverse(oldest)
	if d := cmp.Diff(all, oldest); d != "" {
		t.Errorf("oldest first differs by more than the order:\n%s", d)
	}
	if got := subjects(read(t, repo, history.Range{Max: 3, OldestFirst: true})); got != "octopus tree " {
		t.Errorf("the newest three, oldest first, are %q", got)
	}
	if got := subjects(read(t, repo, history.Range{From: all[4].Commit, To: all[2].Commit})); got != "octopus empty" {
		t.Errorf("from module to octopus are %q", got)
	}
	if got := subjects(read(t, repo, history.Range{Since: all[0].Time.Add(time.Second)})); got != "" {
		t.Errorf("after the newest commit are %q", got)
	}
	commits := strings.Fields(subjects(read(t, repo, history.Range{Commits: true})))
	slices.Sort(commits)
	if want := []string{"binary", "empty", "module", "one", "one-again", "rename", "root", "tree", "two", "two-again"}; !slices.Equal(commits, want) {
		t.Errorf("single commits are %q; want %q", commits, want)
	}
	merge, root, binary := all[2], all[7], all[6]
	if len(merge.Merged) != 2 || merge.Parent != all[3].Commit || len(merge.Changes) != 2 {
		t.Errorf("the octopus has parent %s, %d more, %d changes", merge.Parent, len(merge.Merged), len(merge.Changes))
	}
	if root.Parent != "" || len(root.Changes) != 3 || root.Changes[1].Path != "dir/b\nnew line.txt" {
		t.Errorf("the root commit: %+v", root)
	}
	if binary.Message != "binary\n\nIt has a body\n\nTrailer: yes\n" || binary.Author != "A <a@example.com>" || binary.Time.Year() != 2026 {
		t.Errorf("a commit: %+v", binary)
	}
}

// TestStops asks for one unit of many; git is not waited for.
func TestStops(t *testing.T) {
	t.Parallel()
	r := past(t)
	n := 0
	for _, err := range history.Units(t.Context(), open(t, r.Dir, r.Env), history.Range{To: open(t, r.Dir, r.Env).Head}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		break
	}
	if n != 1 {
		t.Errorf("%d units; want 1", n)
	}
}

func TestShallow(t *testing.T) {
	t.Parallel()
	r := past(t)
	dir := filepath.Join(t.TempDir(), "clone")
	r.Git("clone", "-q", "--depth=3", "file://"+r.Dir, dir)
	units := read(t, open(t, dir, r.Env), history.Range{})
	if got := subjects(units); got != " tree octopus" {
		t.Fatalf("units %q", got)
	}
	for i, u := range units {
		if last := i == len(units)-1; u.Cut != last || last && (u.Changes != nil || u.Parent != "") {
			t.Errorf("%q: cut %t, %d changes", u.Subject(), u.Cut, len(u.Changes))
		}
	}
}

// TestReplaced expects a replacement of parents to be ignored, as a check ignores it.
func TestReplaced(t *testing.T) {
	t.Parallel()
	r := past(t)
	all := read(t, open(t, r.Dir, r.Env), history.Range{})
	r.Git("replace", "--graft", all[1].Commit, all[5].Commit)
	if got, want := subjects(read(t, open(t, r.Dir, r.Env), history.Range{})), subjects(all); got != want {
		t.Errorf("units %q; want %q", got, want)
	}
}

func TestPartialClone(t *testing.T) {
	t.Parallel()
	r := past(t)
	dir := filepath.Join(t.TempDir(), "clone")
	r.Git("config", "uploadpack.allowFilter", "true")
	r.Git("clone", "-q", "--bare", "--filter=blob:none", "file://"+r.Dir, dir)
	repo := open(t, dir, append(slices.Clone(r.Env), "GIT_DIR="+dir))
	var last error
	for _, err := range history.Units(t.Context(), repo, history.Range{To: repo.Head}) {
		last = err
	}
	if missing := (*diff.NoVerdictError)(nil); !errors.As(last, &missing) {
		t.Errorf("a rename without its content: %v; want no verdict", last)
	}
}

func TestNoCommit(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Commit("only")
	repo := open(t, r.Dir, r.Env)
	for _, to := range []string{"", "--all", "main"} {
		for u, err := range history.Units(t.Context(), repo, history.Range{To: to}) {
			if err == nil {
				t.Errorf("%q has the unit %s", to, u.Commit)
			}
		}
	}
}

// TestRealPast compares the units of a real repository with its checks; set HISTORY to one.
func TestRealPast(t *testing.T) {
	dir := os.Getenv("HISTORY")
	if dir == "" {
		t.Skip("HISTORY names no repository")
	}
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_DIR=" + dir}
	repo := open(t, dir, env)
	engine := program.New(repo)
	out, err := exec.CommandContext(t.Context(), "git", "--git-dir="+dir, "rev-list", "--count", "--first-parent", "HEAD").Output()
	if err != nil {
		t.Fatal(err)
	}
	units := read(t, repo, history.Range{})
	t.Logf("%d units, %s commits", len(units), strings.TrimSpace(string(out)))
	for i := 0; i < len(units); i += 1 + len(units)/500 {
		u := units[i]
		set, err := engine.Changes(t.Context(), diff.Base{Commit: u.Base()}, diff.Head{Kind: diff.Commit, Commit: u.Commit})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(set.Changes, u.Changes); d != "" {
			t.Errorf("%s: a check finds other changes (-check +unit):\n%s", u.Commit, d)
		}
	}
}
