//go:build unix

package staging_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/staging"
)

// killedAt is a repository in which a run was killed right after a step.
func killedAt(t *testing.T, template *repository, head diff.HeadKind, edits []staging.Edit, step string) *repository {
	t.Helper()
	for n := 1; ; n++ {
		w := template.copied(t.TempDir())
		cmd := w.child(t.Context(), head, edits, crashKey+"="+strconv.Itoa(n))
		out, err := cmd.Output()
		if err == nil {
			t.Fatalf("there is no step %q in\n%s", step, out)
		}
		if strings.HasSuffix(string(out), "step "+step+"\n") {
			return w
		}
	}
}

func (w *repository) recover() ([]string, []string) {
	w.t.Helper()
	list, notices, err := staging.Recover(w.t.Context(), w.repo())
	w.must(err)
	lines := make([]string, len(list))
	for i, r := range list {
		lines[i] = strings.TrimSuffix(r.Path+"|"+string(r.End)+"|"+r.Note, "|")
	}
	return lines, notices
}

// TestRecoverAfterEdits has the user go on between the kill and the recovery.
func TestRecoverAfterEdits(t *testing.T) {
	template := testRepository(t)
	names := []string{"plain", "edited", "removed", "restaged", "unstaged", "reverted"}
	for _, name := range names {
		template.write(name, lines(3, 2))
	}
	template.git("add", "-A")
	edits := template.staged(names...)

	w := killedAt(t, template, diff.Index, edits, "index replaced")
	unlock(w)
	w.write("edited", lines(3, 2)+mine)
	w.must(os.Remove(w.path("removed")))
	w.write("restaged", mine)
	w.git("add", "restaged")
	w.git("rm", "-q", "-f", "--cached", "unstaged")
	object := strings.Fields(template.git("ls-files", "-s", "reverted"))[1]
	w.git("update-index", "--cacheinfo", "100644,"+object+",reverted")
	list, notices := w.recover()
	equal(t, list, []string{
		"plain|completed",
		"edited|untouched|the file in the working tree is unchanged: it was edited since",
		"removed|untouched|the file in the working tree is unchanged: it was deleted since",
		"restaged|untouched|another change was staged since",
		"unstaged|undone",
		"reverted|undone",
	})
	equal(t, notices, nil)
	equal(t, w.read("edited"), lines(3, 2)+mine)
	equal(t, w.read("restaged"), mine)
	equal(t, w.read("plain"), strings.ReplaceAll(lines(3, 2), "BAD", "good"))
	equal(t, w.read("unstaged"), lines(3, 2))
	w.tidied()

	w = killedAt(t, template, diff.Worktree, edits, "file replaced")
	w.write("edited", lines(3, 2)+mine)
	w.must(os.Remove(w.path("removed")))
	w.must(os.Symlink("plain", w.path("removed")))
	list, _ = w.recover()
	equal(t, list, []string{
		"plain|completed",
		"edited|untouched|the file in the working tree is unchanged: it was edited since",
		"removed|untouched|the file in the working tree is unchanged: it is not a regular file",
		"restaged|completed", "unstaged|completed", "reverted|completed",
	})
	w.tidied()
}

// unlock follows git's advice about the lock of a killed process.
func unlock(w *repository) {
	w.t.Helper()
	if _, err := w.try("add", "-A"); err == nil {
		w.t.Fatalf("git does not report the lock")
	}
	w.must(os.Remove(w.path(".git/index.lock")))
}

// TestRecoverAfterCommit is killed with the git commit -a that it was a hook of:
// the index it wrote is gone.
func TestRecoverAfterCommit(t *testing.T) {
	template := testRepository(t)
	template.write("a", "BAD\n")
	template.write("b", "BAD\n")
	template.git("add", "-A")
	hook := *template
	hook.env = append(hook.env, "GIT_INDEX_FILE=.git/index.lock")
	index, err := os.ReadFile(template.path(".git/index"))
	template.must(err)
	template.must(os.WriteFile(template.path(".git/index.lock"), index, 0o644))
	hook.opened = ""
	killed := killedAt(t, &hook, diff.Index, hook.staged("a", "b"), "file replaced")
	killed.env = template.env
	equal(t, killed.read("a"), "good\n")
	killed.must(os.Remove(killed.path(".git/index.lock")))
	list, _ := killed.recover()
	equal(t, list, []string{"a|undone", "b|undone"})
	equal(t, killed.read("a"), "BAD\n")
	equal(t, killed.read("b"), "BAD\n")
	killed.tidied()
	if _, err := os.Lstat(killed.path(".git/index.lock.lock")); err == nil {
		t.Error("the lock of the lock is left")
	}
}

func TestRecoverReportsOtherRunners(t *testing.T) {
	w := testRepository(t)
	w.write(".git/info/lefthook-unstaged.patch", "diff\n")
	w.write(".git/lint-staged_unstaged.patch", "diff\n")
	list, notices := w.recover()
	equal(t, list, []string{})
	if len(notices) != 2 || !strings.Contains(notices[0], "lefthook set aside") || !strings.Contains(notices[1], "lint-staged set aside") {
		t.Errorf("notices %q", notices)
	}
	equal(t, w.read(".git/info/lefthook-unstaged.patch"), "diff\n")
}

func TestRecoverRefuses(t *testing.T) {
	w := testRepository(t)
	for _, c := range []struct{ text, want string }{
		{"{", "unexpected end of JSON input"},
		{`{"version": 2}`, "version 2; want 1"},
	} {
		w.write(".git/rulecheck/staging/rulecheck-1/journal.json", c.text)
		if _, _, err := staging.Recover(t.Context(), w.repo()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.text, err, c.want)
		}
		equal(t, w.read(".git/rulecheck/staging/rulecheck-1/journal.json"), c.text)
	}
}

// TestRecoverStaysInside recovers runs that another user made up, in a git directory that
// came with an archive.
func TestRecoverStaysInside(t *testing.T) {
	outside := t.TempDir()
	victim := filepath.Join(outside, "victim")
	guard := []string{victim, victim + ".rulecheck-1", victim + ".lock", filepath.Join(outside, "1"), filepath.Join(outside, "run", "0")}
	fill := func(w *repository) {
		for _, name := range guard {
			w.must(os.MkdirAll(filepath.Dir(name), 0o755))
			w.must(os.WriteFile(name, []byte("rulecheck staging x\n"), 0o644))
		}
	}
	b64 := base64.StdEncoding.EncodeToString
	journal := func(index, file string) string {
		return `{"version": 1, "index": "` + b64([]byte(index)) + `", "files": [{"number": 0, "path": "` + b64([]byte(file)) +
			`", "rewrite": true, "old": "` + b64([]byte("a\n")) + `", "new": "` + b64([]byte("b\n")) + `"}]}`
	}
	for name, c := range map[string]struct{ index, file, want string }{
		"absolute index":        {victim, "a", "neither that of the repository nor in the git directory"},
		"index above":           {"../../" + filepath.Base(outside) + "/victim", "a", "neither that of"},
		"index through a link":  {"link/victim", "a", "neither that of"},
		"absolute file":         {"", victim, "is not one of the working tree"},
		"file above":            {"", "../x", "is not one of the working tree"},
		"file that goes around": {"", "d/../../x", "is not one of the working tree"},
		"hook":                  {"", ".git/hooks/pre-commit", "is not one of the working tree"},
		"hook in capitals":      {"", "sub/.GIT/hooks/pre-commit", "is not one of the working tree"},
		"hook by a short name":  {"", "git~1/hooks/pre-commit", "is not one of the working tree"},
		"no file":               {"", "", "is not one of the working tree"},
	} {
		t.Run(name, func(t *testing.T) {
			w := testRepository(t)
			fill(w)
			w.must(os.Symlink(outside, w.path(".git/link")))
			w.write(".git/hooks/pre-commit", "a\n")
			w.write(".git/rulecheck/staging/rulecheck-1/journal.json", journal(c.index, c.file))
			if _, _, err := staging.Recover(t.Context(), w.repo()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Recover: %v; want %q", err, c.want)
			}
			equal(t, w.read(".git/hooks/pre-commit"), "a\n")
			for _, name := range guard {
				if _, err := os.Stat(name); err != nil {
					t.Errorf("%s is gone", name)
				}
			}
		})
	}
	for _, link := range []string{".git/rulecheck/staging", ".git/rulecheck"} {
		w := testRepository(t)
		fill(w)
		w.must(os.RemoveAll(w.path(".git/rulecheck")))
		w.must(os.MkdirAll(filepath.Dir(w.path(link)), 0o755))
		w.must(os.MkdirAll(filepath.Join(outside, "staging", "keep"), 0o755))
		w.must(os.Symlink(outside, w.path(link)))
		if _, _, err := staging.Recover(t.Context(), w.repo()); err == nil || !strings.Contains(err.Error(), "is not a directory; remove it") {
			t.Errorf("%s: %v; want it refused", link, err)
		}
		for _, name := range append(guard, filepath.Join(outside, "staging", "keep")) {
			if _, err := os.Stat(name); err != nil {
				t.Errorf("%s is gone", name)
			}
		}
	}
}

// TestRecoverReleasesTheLock is killed before there was anything to recover but
// the lock of the index.
func TestRecoverReleasesTheLock(t *testing.T) {
	template := testRepository(t)
	template.write("a", "BAD\n")
	template.git("add", "-A")
	w := killedAt(t, template, diff.Index, template.staged("a"), "index locked")
	if err := staging.Pending(w.repo()); err == nil || !strings.Contains(err.Error(), "index.lock; run: rulecheck recover") {
		t.Errorf("pending: %v", err)
	}
	list, notices := w.recover()
	equal(t, list, []string{})
	equal(t, notices, []string{"removed the lock of the index, " + w.path(".git/index.lock")})
	w.tidied()
	equal(t, w.apply(diff.Index, w.staged("a")), []string{"a|replaced|replaced"})
}
