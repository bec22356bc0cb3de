package diff_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
)

func TestWorktreeChanges(t *testing.T) {
	s := newSandbox(t)
	s.write("keep", "1\n")
	s.write("edit", "1\n")
	s.write("staged", "1\n")
	s.write("gone", text("gone", 3))
	s.write("exec", "1\n")
	s.write("turned", "1\n")
	s.link("link", "keep")
	s.commit("base")

	s.write("edit", "2\n")
	s.write("staged", "2\n")
	s.git("add", "staged")
	s.remove("gone")
	if err := os.Chmod(s.path("exec"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.remove("turned")
	s.link("turned", "keep")
	s.remove("link")
	s.link("link", "edit")
	s.write("new/added", "1\n")
	s.write("new/intended", "1\n")
	s.git("add", "new/added")
	s.git("add", "-N", "new/intended")
	s.write("untracked", "1\n")
	s.link("untracked link", "nowhere")
	s.write(".gitignore", "ignored\n")
	s.write("ignored", "1\n")

	equal(t, s.changes(diff.Worktree, "HEAD"), []string{
		"added .gitignore untracked",
		"modified edit",
		"modified exec 100755",
		"deleted gone",
		"modified link symlink",
		"added new/added",
		"added new/intended",
		"modified staged",
		"type_changed turned symlink",
		"added untracked untracked",
		"added untracked link symlink untracked",
	})
	equal(t, s.changes(diff.Index, "HEAD"), []string{"added new/added", "modified staged"})
	equal(t, s.changes(diff.Commit, "HEAD"), []string{})
}

func TestUntrackedWithoutDeletions(t *testing.T) {
	s := newSandbox(t)
	s.write("a", "1\n")
	s.commit("base")
	s.write("plain", "1\n")
	s.write("tool", "1\n")
	if err := os.Chmod(s.path("tool"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.link("link", "a")

	want := []string{"added link symlink untracked", "added plain untracked", "added tool 100755 untracked"}
	equal(t, s.changes(diff.Worktree, "HEAD"), want)

	s.git("config", "core.fileMode", "false")
	want[2] = "added tool untracked"
	equal(t, s.changes(diff.Worktree, "HEAD"), want)
}

func TestRenames(t *testing.T) {
	s := newSandbox(t)
	s.write("dir/moved", text("moved", 20))
	s.write("staged", text("staged", 20))
	s.write("edited", text("edited", 20))
	s.write("rewritten", text("rewritten", 20))
	base := s.commit("base")

	s.move("dir/moved", "other/moved")
	s.git("mv", "staged", "restaged")
	s.move("edited", "edited2")
	s.write("edited2", text("edited", 18)+"two\nlines\n")
	s.move("rewritten", "rewritten2")
	s.write("rewritten2", text("else", 20))

	want := []string{
		"renamed edited -> edited2 untracked",
		"renamed dir/moved -> other/moved untracked",
		"renamed staged -> restaged",
		"deleted rewritten",
		"added rewritten2 untracked",
	}
	equal(t, s.changes(diff.Worktree, base), want)
	equal(t, s.changes(diff.Index, base), []string{"renamed staged -> restaged"})

	set := s.changeset(diff.Worktree, base)
	if c := set.Changes[0]; c.Similarity < 50 || c.Similarity > 99 {
		t.Errorf("similarity of %s is %d; want one of an edited file", c.Path, c.Similarity)
	}
	if c := set.Changes[1]; c.Similarity != 100 {
		t.Errorf("similarity of %s is %d; want 100", c.Path, c.Similarity)
	}

	s.commit("all")
	for i, line := range want {
		want[i] = strings.TrimSuffix(line, " untracked")
	}
	equal(t, s.changes(diff.Commit, base), want)
}

// TestRenameWithTwoCandidates: an untracked file competes with a staged one.
func TestRenameWithTwoCandidates(t *testing.T) {
	s := newSandbox(t)
	s.write("dir/name", text("moved", 20))
	base := s.commit("base")
	s.git("mv", "dir/name", "staged")
	s.write("other/name", text("moved", 20))
	equal(t, s.changes(diff.Worktree, base), []string{
		"renamed dir/name -> other/name untracked", "added staged",
	})
}

func TestOnlyOutOfTheIndex(t *testing.T) {
	s := newSandbox(t)
	s.write("same", "1\n")
	s.write("edited", "1\n")
	s.write("replaced", "1\n")
	s.commit("base")
	s.git("rm", "-q", "--cached", "same", "edited", "replaced")
	s.write("edited", "2\n")
	s.remove("replaced")
	s.write("replaced/by", "2\n")

	equal(t, s.changes(diff.Worktree, "HEAD"), []string{
		"modified edited untracked", "deleted replaced", "added replaced/by untracked",
	})
	equal(t, s.changes(diff.Index, "HEAD"), []string{"deleted edited", "deleted replaced", "deleted same"})
}

func TestOddNames(t *testing.T) {
	odd := []string{"-dash", ":(glob)*", "a b", "new\nline", "q\"uote", "tab\t", "\xff\xfe", "ü", "*", "back\\slash"}
	s := newSandbox(t)
	s.write("seed", text("seed", 9))
	base := s.commit("base")
	for _, name := range odd {
		s.write(name, "1\n")
	}
	want := []string{}
	for _, name := range []string{
		"*", "-dash", ":(glob)*", "a b", "back\\slash", "new\nline", "q\"uote", "tab\t", "ü", "\xff\xfe",
	} { // in byte order
		want = append(want, "added "+name)
	}
	s.git("add", "-A")
	equal(t, s.changes(diff.Index, base), want)
	equal(t, s.changes(diff.Worktree, base), want)
	s.git("reset", "-q")
	s.remove("seed")
	untracked := []string{}
	for _, line := range want {
		untracked = append(untracked, line+" untracked")
	}
	untracked = slices.Insert(untracked, 7, "deleted seed")
	equal(t, s.changes(diff.Worktree, base), untracked)
	s.commit("odd")
	equal(t, s.changes(diff.Commit, base), slices.Insert(want, 7, "deleted seed"))
}

func TestSubmodules(t *testing.T) {
	s := newSandbox(t)
	s.write("a", "1\n")
	s.commit("base")
	lib := s.at("lib")
	s.write("lib/f", "1\n")
	lib.git("init", "-q", "-b", "main")
	lib.commit("lib")
	// A repository inside this one is one untracked entry; git does not add one without a commit.
	unborn := s.at("unborn")
	s.write("unborn/f", "1\n")
	unborn.git("init", "-q", "-b", "main")
	nested := []string{"added lib submodule untracked"}
	equal(t, s.changes(diff.Worktree, "HEAD"), nested)
	s.move("a", "b")
	equal(t, s.changes(diff.Worktree, "HEAD"), append([]string{"renamed a -> b untracked"}, nested...))
	s.move("b", "a")
	s.git("rm", "-q", "--cached", "a")
	s.remove("a")
	s.move("unborn", "a") // in the place of a file
	equal(t, s.changes(diff.Worktree, "HEAD"), append([]string{"deleted a"}, nested...))
	s.remove("a")
	s.git("checkout", "-q", "HEAD", "--", "a")

	s.git("-c", "advice.addEmbeddedRepo=false", "add", "lib")
	s.write(".gitmodules", "[submodule \"lib\"]\n\tpath = lib\n\turl = ./lib\n\tignore = all\n")
	base := s.commit("submodule")
	equal(t, s.changes(diff.Worktree, base), []string{})
	s.write("lib/f", "2\n")
	equal(t, s.changes(diff.Worktree, base), []string{"modified lib submodule"})
	lib.commit("two")
	equal(t, s.changes(diff.Worktree, base), []string{"modified lib submodule"})
	equal(t, s.changes(diff.Index, base), []string{})
	s.git("add", "-f", "lib")
	s.git("update-index", "--cacheinfo", "160000,"+lib.git("rev-parse", "HEAD")+",lib")
	equal(t, s.changes(diff.Index, base), []string{"modified lib submodule"})
	s.git("commit", "-q", "-m", "bump")
	equal(t, s.changes(diff.Commit, base), []string{"modified lib submodule"})

	// It left the index, and is where and as it was; but to git a submodule that is
	// only intended to be added differs from any other.
	s.git("rm", "-q", "--cached", "lib")
	equal(t, s.changes(diff.Worktree, "HEAD"), []string{"modified lib submodule untracked"})
}

func TestUnborn(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			s := newSandbox(t, "--object-format="+format)
			e := s.open()
			head := s.head(e, diff.Worktree)
			equal(t, head, diff.Head{Kind: diff.Worktree, Branch: "main"})
			base, err := e.Resolve(t.Context(), diff.BaseRequest{ID: diff.MergeBase, Head: head})
			if err != nil {
				t.Fatal(err)
			}
			empty, err := s.feed("", "hash-object", "-t", "tree", "--stdin")
			if err != nil {
				t.Fatal(err)
			}
			equal(t, base, diff.Base{
				ID: diff.MergeBase, Commit: strings.TrimSpace(empty), FoundBy: "the empty tree, as there is no commit yet",
			})
			equal(t, changed(t, e, base, head), []string{})

			s.write("untracked", "1\n")
			equal(t, changed(t, e, base, head), []string{"added untracked untracked"})
			s.write("staged", "1\n")
			s.git("add", "staged")
			equal(t, changed(t, e, base, head), []string{"added staged", "added untracked untracked"})
			equal(t, changed(t, e, base, s.head(e, diff.Index)), []string{"added staged"})
			staged, err := e.Staged(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			equal(t, staged.Names(), map[string]bool{"staged": true})
			if _, err := e.Head(t.Context(), diff.Commit, "HEAD"); err == nil {
				t.Error("HEAD is a commit before there is one")
			}
		})
	}
}

func TestStaged(t *testing.T) {
	s := newSandbox(t)
	s.write("a", text("a", 9))
	s.write("b", "1\n")
	s.write("c", "1\n")
	s.commit("base")
	s.git("mv", "a", "dir-a")
	s.git("rm", "-q", "b")
	s.write("c", "2\n")
	s.write("d", "2\n")
	s.git("add", "-N", "d")
	staged, err := s.open().Staged(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, staged.Names(), map[string]bool{"a": true, "dir-a": true, "b": true})
}

// TestUserTouchesNothing: a look leaves index and objects as they were, to the
// last byte and second, and no hook runs.
func TestUserTouchesNothing(t *testing.T) {
	for _, setup := range []struct {
		name string
		git  [][]string
	}{
		{name: "plain"},
		{name: "split index", git: [][]string{{"config", "core.splitIndex", "true"}, {"update-index", "--split-index"}}},
		{name: "untracked cache", git: [][]string{{"config", "core.untrackedCache", "true"}, {"update-index", "--force-untracked-cache"}}},
		{name: "index version 4", git: [][]string{{"update-index", "--index-version", "4"}}},
	} {
		t.Run(setup.name, func(t *testing.T) {
			s := newSandbox(t)
			s.write("a", text("a", 9))
			s.write("b", text("b", 9))
			base := s.commit("base")
			for _, args := range setup.git {
				s.git(args...)
			}
			s.write("c", "staged\n")
			s.git("add", "c")
			s.move("a", "moved")
			s.write("b", text("b", 9))
			old := time.Unix(1e9, 0) // new times, same content
			if err := os.Chtimes(s.path("b"), old, old); err != nil {
				t.Fatal(err)
			}
			s.write(".git/hooks/post-index-change", "#!/bin/sh\ntouch .git/hook-ran\n")
			if err := os.Chmod(s.path(".git/hooks/post-index-change"), 0o755); err != nil {
				t.Fatal(err)
			}
			before := stored(t, s)
			equal(t, s.changes(diff.Worktree, base), []string{"added c", "renamed a -> moved untracked"})
			equal(t, s.changes(diff.Index, base), []string{"added c"})
			e := s.open()
			head := s.head(e, diff.Worktree)
			if _, err := e.Files(t.Context(), head); err != nil {
				t.Fatal(err)
			}
			list := s.changeset(diff.Worktree, base).Changes
			if _, err := e.Lines(t.Context(), diff.Base{Commit: base}, head, list); err != nil {
				t.Fatal(err)
			}
			equal(t, stored(t, s), before)
		})
	}
}

// stored is every file below .git with its content and time of change.
func stored(t failer, s *sandbox) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(s.path(".git"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		files[path] = string(content)
		// Lest they expire, git marks each use of a shared index, and of the trees
		// of a sparse one.
		if !strings.HasPrefix(d.Name(), "sharedindex.") && !strings.Contains(path, "/objects/") {
			files[path] += info.ModTime().String()
		}
		return err
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return files
}

func TestUnmerged(t *testing.T) {
	s := newSandbox(t)
	s.write("both", "1\n")
	s.write("deleted here", "1\n")
	s.commit("base")
	s.git("checkout", "-q", "-b", "other")
	s.write("both", "theirs\n")
	s.write("deleted here", "theirs\n")
	s.commit("theirs")
	s.git("checkout", "-q", "main")
	s.write("both", "ours\n")
	s.remove("deleted here")
	ours := s.commit("ours")
	if _, err := s.try("merge", "-q", "other"); err == nil {
		t.Fatal("the merge has no conflict")
	}
	// To git diff <commit> the working tree is the content of the files, with conflict marks.
	equal(t, s.changes(diff.Worktree, ours), []string{"modified both", "added deleted here"})

	e := s.open()
	_, err := e.Changes(t.Context(), diff.Base{Commit: ours}, s.head(e, diff.Index))
	noVerdict(t, err, `2 paths are unmerged, the first is "both": resolve the conflicts`, "git add -- both")
	s.git("add", "both")
	_, err = e.Changes(t.Context(), diff.Base{Commit: ours}, s.head(e, diff.Index))
	noVerdict(t, err, `"deleted here" is unmerged: resolve the conflicts`, "git add -- 'deleted here'")

	files, err := e.Files(t.Context(), s.head(e, diff.Worktree))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, files, []string{"both", "deleted here"})
	s.remove("deleted here")
	files, err = e.Files(t.Context(), s.head(e, diff.Worktree))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, files, []string{"both"})
}

func noVerdict(t *testing.T, err error, reason, fix string) {
	t.Helper()
	e := (*diff.NoVerdictError)(nil)
	if !errors.As(err, &e) {
		t.Errorf("got %v; want an NoVerdictError", err)
		return
	}
	equal(t, []string{e.Reason, string(e.Fix)}, []string{reason, fix})
	if want := strings.TrimSuffix(reason+"; run: "+fix, "; run: "); e.Error() != want {
		t.Errorf("message %q; want %q", e.Error(), want)
	}
}

// TestEditInTheSameInstant: a file written again no later than the index was can
// only be detected by its content, in a copy of the index too.
func TestEditInTheSameInstant(t *testing.T) {
	s := newSandbox(t)
	s.git("config", "core.trustctime", "false")
	at := time.Unix(1.6e9, 0)
	turnBack := func(name string) {
		if err := os.Chtimes(s.path(name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	s.write("a", "1\n")
	s.write("gone", "1\n")
	turnBack("a")
	base := s.commit("base")
	s.write("a", "2\n")
	turnBack("a")
	turnBack(".git/index")
	want := []string{"modified a"}
	equal(t, s.changes(diff.Worktree, base), want)
	s.remove("gone")
	s.write("new", text("new", 2))
	equal(t, s.changes(diff.Worktree, base), append(want, "deleted gone", "added new untracked"))
}

func TestTooManyRenames(t *testing.T) {
	s := newSandbox(t)
	const n = 1010
	var stream strings.Builder
	for _, dir := range []string{"from", "to"} {
		stream.WriteString("commit refs/heads/main\ncommitter C <c@example.com> 0 +0000\ndata 0\n\ndeleteall\n")
		for i := range n {
			content := text("f"+strconv.Itoa(i), 4) + dir
			fmt.Fprintf(&stream, "M 644 inline %s/%s%d\ndata %d\n%s\n", dir, dir, i, len(content), content)
		}
	}
	if _, err := s.feed(stream.String(), "fast-import", "--quiet"); err != nil {
		t.Fatal(err)
	}
	set := s.changeset(diff.Commit, "HEAD~1")
	equal(t, len(set.Changes), 2*n)
	equal(t, set.Notices, []string{
		"too many files to compare: a file that was renamed and edited may be listed as deleted and added",
	})
}

// changed is the changeset between base and head, in short.
func changed(t *testing.T, e engine, base diff.Base, head diff.Head) []string {
	t.Helper()
	set, err := e.Changes(t.Context(), base, head)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, set.Base, base)
	equal(t, set.Head, head)
	return brief(set.Changes)
}
