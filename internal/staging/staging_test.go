package staging_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/staging"
)

func TestApplyToIndex(t *testing.T) {
	w := fullRepository(t, t.TempDir())
	before := w.state()
	equal(t, w.apply(diff.Index, w.staged(fullEdits...)), []string{
		"staged|replaced|replaced",
		"partial|replaced|merged",
		"overlap|replaced|left|the file in the working tree is unchanged: its unstaged changes affect the same lines as the command",
		"deleted|replaced|same|the file is not in the working tree and was not created there",
		"renamed|replaced|replaced",
		"script.sh|replaced|replaced",
		"linked|replaced|left|the file in the working tree is unchanged: it is not a regular file",
		"crlf.txt|replaced|replaced",
		"crlf-partial.txt|replaced|merged",
		"assumed|replaced|replaced",
		"skipped|replaced|left|the file in the working tree is unchanged: skip-worktree is set",
		"readonly|replaced|left|the file in the working tree is unchanged: it is read-only",
		"dir/deep/new|replaced|replaced",
		"odd\nname|replaced|replaced",
		"-rf|replaced|replaced",
		"$(touch x).py|replaced|replaced",
		"\xff.txt|replaced|replaced",
		"empty|same|",
	})
	w.tidied()
	after := w.state()
	good := strings.ReplaceAll(lines(12, 2, 6), "BAD", "good")
	for _, name := range fullEdits[:len(fullEdits)-1] {
		if got := w.git("cat-file", "blob", ":"+name); got != good {
			t.Errorf("staged is %q in %s", got, name)
		}
		if got, want := flags(after["index:"+name]), flags(before["index:"+name]); got != want {
			t.Errorf("%s has flags %s; want %s", name, got, want)
		}
	}
	equal(t, w.read("partial"), good+mine)
	equal(t, w.read("crlf-partial.txt"), strings.ReplaceAll(good+mine, "\n", "\r\n"))
	equal(t, w.read("crlf.txt"), strings.ReplaceAll(good, "\n", "\r\n"))
	equal(t, after["file:script.sh"], "-rwxr-xr-x "+good)
	for _, name := range []string{"overlap", "skipped", "unstaged", "untracked", "intended", "linked", "readonly", "kept", "empty"} {
		equal(t, after["file:"+name], before["file:"+name])
	}
	for _, name := range []string{"intended", "unstaged", "kept", "empty"} {
		equal(t, after["index:"+name], before["index:"+name])
	}
	if _, err := os.Lstat(w.path("deleted")); err == nil {
		t.Error("a file deleted in the working tree is back")
	}
	equal(t, w.git("diff-files", "--name-only"), strings.Join([]string{"crlf-partial.txt", "deleted", "intended", "linked", "overlap", "partial", "readonly", "unstaged", ""}, "\n"))
}

// flags are the tag and mode of an entry as git ls-files -v -s has them.
func flags(about string) string { return about[:8] }

func TestApplyToWorktree(t *testing.T) {
	w := testRepository(t)
	for _, name := range []string{"plain", "edited", "conflict", "gone", "readonly", "linked", "hard"} {
		w.write(name, lines(12, 2, 6))
	}
	edits := w.present("plain", "edited", "conflict", "gone", "readonly", "linked", "hard")
	w.git("add", "plain", "edited")
	index := w.git("ls-files", "-s", "--debug")
	w.must(os.Chmod(w.path("plain"), 0o750))
	w.write("edited", lines(12, 2, 6)+mine)
	w.write("conflict", strings.Replace(lines(12, 2, 6), "BAD 6\n", mine, 1))
	w.must(os.Remove(w.path("gone")))
	w.must(os.Chmod(w.path("readonly"), 0o444))
	w.must(os.Rename(w.path("linked"), w.path("target")))
	w.must(os.Symlink("target", w.path("linked")))
	w.must(os.Link(w.path("hard"), w.path("other-name")))
	equal(t, w.apply(diff.Worktree, edits), []string{
		"plain||replaced",
		"edited||merged",
		"conflict||left|the file in the working tree is unchanged: it was edited in the meantime, in the lines that the command changed",
		"gone||left|the file is not in the working tree",
		"readonly||left|the file in the working tree is unchanged: it is read-only",
		"linked||left|the file in the working tree is unchanged: it is not a regular file",
		"hard||replaced|the file in the working tree was a hard link; its other names keep the old content",
	})
	w.tidied()
	good := strings.ReplaceAll(lines(12, 2, 6), "BAD", "good")
	state := w.state()
	equal(t, state["file:plain"], "-rwxr-x--- "+good)
	equal(t, w.read("edited"), good+mine)
	for _, name := range []string{"readonly", "target", "other-name"} {
		equal(t, w.read(name), lines(12, 2, 6))
	}
	equal(t, w.git("ls-files", "-s", "--debug"), index)

	equal(t, w.apply(diff.Worktree, edits[:1]), []string{"plain||same"})
	equal(t, w.apply(diff.Worktree, nil), []string{})
	w.tidied()
}

// TestApplyToWhatIsStagedMeanwhile has the entries change after they were checked.
func TestApplyToWhatIsStagedMeanwhile(t *testing.T) {
	w := testRepository(t)
	names := []string{"other", "mode", "unstaged", "link", "done", "intended", "emptied", "conflict"}
	for _, name := range names {
		w.write(name, lines(3, 2))
	}
	w.write("intended", "")
	w.write("emptied", "")
	w.git("add", "-A")
	edits := w.staged(names...)
	edits[5].After, edits[6].After = []byte("x\n"), []byte("x\n")
	w.write("other", "other\n")
	w.write("done", strings.ReplaceAll(lines(3, 2), "BAD", "good"))
	w.git("add", "-A")
	w.git("update-index", "--chmod=+x", "mode")
	w.git("rm", "-q", "--cached", "unstaged", "intended")
	w.git("add", "-N", "intended")
	w.must(os.Remove(w.path("link")))
	w.must(os.Symlink("other", w.path("link")))
	w.git("add", "link")
	object := strings.Fields(w.git("ls-files", "-s", "other"))[1]
	w.git("rm", "-q", "--cached", "conflict")
	info := "100644 " + object + " 1\tconflict\n100644 " + object + " 2\tconflict\n"
	w.must(os.WriteFile(w.path("../info"), []byte(info), 0o600))
	w.git("-c", "alias.enter=!git update-index --index-info <../info", "enter")
	before := w.state()
	equal(t, w.apply(diff.Index, edits), []string{
		"other|left||another change was staged in the meantime",
		"mode|left||another change was staged in the meantime",
		"unstaged|left||it is no longer staged",
		"link|left||another change was staged in the meantime",
		"done|same|",
		"intended|left||it is no longer staged",
		"emptied|replaced|replaced",
		"conflict|left||it is no longer staged",
	})
	after := w.state()
	equal(t, after["file:emptied"], "-rw-r--r-- x\n")
	for _, state := range []map[string]string{before, after} {
		delete(state, "file:emptied")
		delete(state, "index:emptied")
		delete(state, "cached:emptied")
	}
	equal(t, after, before)
}

func TestKept(t *testing.T) {
	for _, c := range []struct {
		w    staging.Applied
		want bool
	}{
		{staging.Applied{Index: staging.Replaced, Worktree: staging.Left}, true},
		{staging.Applied{Index: staging.Left}, false},
		{staging.Applied{Worktree: staging.Merged}, true},
		{staging.Applied{Worktree: staging.Left}, false},
	} {
		if c.w.Kept() != c.want {
			t.Errorf("%+v: want %t", c.w, c.want)
		}
	}
}

// TestApplyNeverLeavesTheRepository has directories that became symlinks, to
// elsewhere and within, and paths that no repository has.
func TestApplyNeverLeavesTheRepository(t *testing.T) {
	w := testRepository(t)
	for _, name := range []string{"out/file", "in/file", "flat/file"} {
		w.write(name, lines(3, 2))
	}
	w.git("add", "-A")
	edits := w.staged("out/file", "in/file", "flat/file")
	w.must(os.Rename(w.path("out"), w.path("../outside")))
	w.must(os.Symlink("../outside", w.path("out")))
	w.must(os.Rename(w.path("in"), w.path("inside")))
	w.must(os.Symlink("inside", w.path("in")))
	w.must(os.RemoveAll(w.path("flat")))
	w.write("flat", "a file\n")
	equal(t, w.apply(diff.Index, edits), []string{
		"out/file|replaced|left|the file in the working tree is unchanged: out is a symlink",
		"in/file|replaced|left|the file in the working tree is unchanged: in is a symlink",
		"flat/file|replaced|same|the file is not in the working tree and was not created there",
	})
	for _, name := range []string{"../outside/file", "inside/file"} {
		equal(t, w.read(name), lines(3, 2))
	}
	for _, name := range []string{"", ".", "/etc/passwd", "../x", "a/../b", "a//b", ".git/config", ".GIT/config", "nested/.git/config"} {
		edits := []staging.Edit{{Path: name, After: []byte("x")}}
		if _, err := staging.Apply(t.Context(), w.repo(), diff.Worktree, edits); err == nil || !strings.Contains(err.Error(), "want a path in the repository") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestApplyRefuses(t *testing.T) {
	w := testRepository(t)
	w.write("a", "BAD\n")
	w.git("add", "a")
	edits := w.staged("a")
	refused := func(w *repository, head diff.HeadKind, edits []staging.Edit, want string) {
		t.Helper()
		if _, err := staging.Apply(t.Context(), w.repo(), head, edits); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %s", err, want)
		}
	}
	refused(w, diff.Commit, edits, `want "worktree" or "index"`)
	refused(w, diff.Index, append(edits, edits...), "once")

	lock := w.path(".git/index.lock")
	w.must(os.WriteFile(lock, nil, 0o600))
	refused(w, diff.Index, edits, "another git process seems to be running")
	w.must(os.Remove(lock))

	partial := *w
	partial.env = append(partial.env, "GIT_INDEX_FILE="+w.path(".git/next-index-12.lock"))
	refused(&partial, diff.Index, edits, "run: rulecheck --fix, then commit again")
	if err := staging.Stageable(partial.repo()); err == nil {
		t.Error("git commit with paths can be staged to")
	}

	bare := testRepository(t, "--bare")
	refused(bare, diff.Worktree, nil, "no working tree")
	w.tidied()
	equal(t, w.git("cat-file", "blob", ":a"), "BAD\n")
}

// TestApplyWhereFiltersFail has a filter that ends with an error: git cannot
// convert the file, so it is not written.
func TestApplyWhereFiltersFail(t *testing.T) {
	w := testRepository(t)
	w.git("config", "filter.odd.clean", "tr A-Z a-z")
	w.git("config", "filter.odd.smudge", "tr a-z A-Z")
	w.write(".gitattributes", "*.odd filter=odd\n")
	w.write("a.odd", "ONE\nTWO\n")
	w.write("b.odd", "ONE\nTWO\n")
	w.git("add", "-A")
	w.write("b.odd", "ONE\nTWO\nMINE\n")
	edits := w.staged("a.odd", "b.odd")
	for i := range edits {
		edits[i].After = []byte("uno\ntwo\n")
	}
	equal(t, w.apply(diff.Index, edits), []string{"a.odd|replaced|replaced", "b.odd|replaced|merged"})
	equal(t, w.read("a.odd"), "UNO\nTWO\n")
	equal(t, w.read("b.odd"), "UNO\nTWO\nMINE\n")

	w.git("config", "filter.odd.smudge", "false")
	w.git("config", "filter.odd.required", "true")
	for i := range edits {
		edits[i].Before, edits[i].After = edits[i].After, []byte("eins\ntwo\n")
	}
	const why = "|the file in the working tree is unchanged: its unstaged changes affect the same lines as the command"
	equal(t, w.apply(diff.Index, edits), []string{"a.odd|replaced|left" + why, "b.odd|replaced|left" + why})
	equal(t, w.read("b.odd"), "UNO\nTWO\nMINE\n")
	w.tidied()
}

func TestApplyFromBelow(t *testing.T) {
	w := fullRepository(t, t.TempDir())
	w.opened = "dir/deep"
	w.apply(diff.Index, w.staged(fullEdits...))
	equal(t, w.read("dir/deep/new"), strings.ReplaceAll(lines(12, 2, 6), "BAD", "good"))
	if tag := w.state()["index:skipped"][:1]; tag != "S" {
		t.Errorf("skipped has tag %s", tag)
	}
	w.tidied()
}

// TestApplyAmongCommits is a hook of git commit -a, to which git gives the lock of
// the index as the index.
func TestApplyAmongCommits(t *testing.T) {
	w := testRepository(t)
	w.write("a", "line\n")
	w.git("add", "a")
	w.git("commit", "-q", "-m", "base")
	w.write("a", "line\nBAD\n")
	lock := w.path(".git/index.lock")
	index, err := os.ReadFile(w.path(".git/index"))
	w.must(err)
	w.must(os.WriteFile(lock, index, 0o644))
	hook := *w
	hook.env = append(hook.env, "GIT_INDEX_FILE="+lock)
	hook.git("add", "a")
	equal(t, hook.apply(diff.Index, hook.staged("a")), []string{"a|replaced|replaced"})
	equal(t, hook.git("cat-file", "blob", ":a"), "line\ngood\n")
	equal(t, w.git("cat-file", "blob", ":a"), "line\n")
	if left, _ := filepath.Glob(w.path(".git/index.lock.*")); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
	equal(t, w.read("a"), "line\ngood\n")
}
