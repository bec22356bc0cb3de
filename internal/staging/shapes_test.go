package staging_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/staging"
)

// TestApplyInEveryShape writes to indexes of all kinds, which stay of their kind.
func TestApplyInEveryShape(t *testing.T) {
	for _, c := range []struct {
		name  string
		init  []string
		setUp func(w *repository)
		kind  func(w *repository, index []byte) bool
	}{
		{name: "sha256", init: []string{"--object-format=sha256"}, kind: func(w *repository, _ []byte) bool {
			return len(strings.Fields(w.git("ls-files", "-s", "kept"))[1]) == 64
		}},
		{name: "split index", setUp: func(w *repository) {
			w.git("config", "core.splitIndex", "true")
			w.git("update-index", "--split-index")
		}, kind: func(_ *repository, index []byte) bool { return bytes.Contains(index, []byte("link\x00\x00")) }},
		{name: "split index, once", setUp: func(w *repository) {
			w.git("update-index", "--split-index")
		}, kind: func(w *repository, _ []byte) bool {
			shared, err := filepath.Glob(w.path(".git/sharedindex.*"))
			return err == nil && len(shared) > 0
		}},
		{name: "version 4", setUp: func(w *repository) { w.git("update-index", "--index-version=4") }, kind: func(_ *repository, index []byte) bool {
			return index[7] == 4
		}},
		{name: "untracked cache", setUp: func(w *repository) {
			w.git("update-index", "--force-untracked-cache")
		}, kind: func(_ *repository, index []byte) bool { return bytes.Contains(index, []byte("UNTR")) }},
		{name: "symlink", setUp: func(w *repository) {
			w.must(os.Rename(w.path(".git/index"), w.path(".git/elsewhere")))
			w.must(os.Symlink("elsewhere", w.path(".git/index")))
		}, kind: func(w *repository, _ []byte) bool {
			target, err := os.Readlink(w.path(".git/index"))
			return err == nil && target == "elsewhere"
		}},
		{name: "shared", init: []string{"--shared=group"}, kind: func(w *repository, _ []byte) bool {
			info, err := os.Stat(w.path(".git/index"))
			return err == nil && info.Mode().Perm()&0o060 == 0o060
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := fullRepository(t, t.TempDir(), c.init...)
			if c.setUp != nil {
				c.setUp(w)
			}
			before := w.state()
			stop := w.watch(fullMine)
			w.apply(diff.Index, w.staged(fullEdits...))
			stop()
			for _, name := range fullEdits {
				if got := w.git("cat-file", "blob", ":"+name); strings.Contains(got, "BAD") {
					t.Errorf("%s is staged as %q", name, got)
				}
			}
			equal(t, w.state()["index:unstaged"], before["index:unstaged"])
			index, err := os.ReadFile(w.path(".git/index"))
			w.must(err)
			if !c.kind(w, index) {
				t.Error("it is no more of its kind")
			}
			w.tidied()
		})
	}
}

// TestApplyToSparseIndex has entries that stand for whole directories, which are
// not in the working tree.
func TestApplyToSparseIndex(t *testing.T) {
	w := testRepository(t)
	for _, name := range []string{"in/a", "out/b", "far/c", "top"} {
		w.write(name, lines(3, 2))
	}
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "base")
	edits := w.staged("in/a", "out/b", "top")
	w.git("sparse-checkout", "set", "--cone", "--sparse-index", "in")
	equal(t, w.apply(diff.Index, edits), []string{
		"in/a|replaced|replaced",
		"out/b|replaced|same|the file is not in the working tree and was not created there",
		"top|replaced|replaced",
	})
	equal(t, w.git("diff", "--cached", "--name-only"), "in/a\nout/b\ntop\n")
	equal(t, w.git("ls-files", "-t"), "S far/c\nH in/a\nS out/b\nH top\n")
	index, err := os.ReadFile(w.path(".git/index"))
	w.must(err)
	if !bytes.Contains(index, []byte("sdir")) {
		t.Error("the index is no more sparse")
	}
	w.tidied()
}

// TestApplyToLinkedWorktree writes to the index of a linked working tree alone.
func TestApplyToLinkedWorktree(t *testing.T) {
	w := testRepository(t)
	w.write("a", lines(6, 2))
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "base")
	w.git("worktree", "add", "-q", "../linked")
	linked := *w
	linked.dir = w.path("../linked")
	linked.write("a", lines(6, 2)+mine)
	equal(t, linked.apply(diff.Index, linked.staged("a")), []string{"a|replaced|merged"})
	good := strings.ReplaceAll(lines(6, 2), "BAD", "good")
	equal(t, linked.read("a"), good+mine)
	equal(t, linked.git("cat-file", "blob", ":a"), good)
	equal(t, w.git("status", "--porcelain"), "")
	left, err := os.ReadDir(linked.dir)
	if err != nil || len(left) != 2 {
		t.Errorf("left are %v, %v", left, err)
	}
	w.tidied()
}

// TestApplyMany has more files than git would store one by one, of sizes around
// those at which their length takes another byte.
func TestApplyMany(t *testing.T) {
	w := testRepository(t)
	var edits []staging.Edit
	for i := range 150 {
		name, text := fmt.Sprintf("file%d", i), strings.Repeat("BAD\n", i*i)
		w.write(name, text)
		edits = append(edits, staging.Edit{Path: name, Before: []byte(text), After: append(formatted([]byte(text)), name...)})
	}
	w.git("add", "-A")
	for i, line := range w.apply(diff.Index, edits) {
		equal(t, line, edits[i].Path+"|replaced|replaced")
		equal(t, w.read(edits[i].Path), string(edits[i].After))
	}
	equal(t, w.git("diff"), "")
	equal(t, w.git("cat-file", "blob", ":file149"), string(edits[149].After))
	packs, err := filepath.Glob(w.path(".git/objects/pack/*.pack"))
	if err != nil || len(packs) != 1 {
		t.Errorf("packs %q, %v", packs, err)
	}
	w.tidied()
}

// TestApplyTogether has several runs on one repository: they take their turns.
func TestApplyTogether(t *testing.T) {
	w := testRepository(t)
	var edits []staging.Edit
	for i := range 8 {
		name := fmt.Sprintf("file%d", i)
		w.write(name, lines(12, 2))
		w.git("add", name)
		w.write(name, lines(12, 2)+mine)
		edits = append(edits, w.staged(name)...)
	}
	repo := w.repo()
	var runs sync.WaitGroup
	for i := range 4 {
		runs.Go(func() {
			some := slices.Clone(edits[i*2 : i*2+2])
			if i > 0 {
				some = append(some, edits[0]) // this one is everybody's
			}
			writings, err := staging.Apply(t.Context(), repo, diff.Index, some)
			if err != nil {
				t.Error(err)
			}
			for _, r := range writings {
				if !r.Kept() || r.Worktree == staging.Left {
					t.Errorf("%+v", r)
				}
			}
		})
	}
	runs.Wait()
	for _, e := range edits {
		equal(t, w.git("cat-file", "blob", ":"+e.Path), string(e.After))
		equal(t, w.read(e.Path), string(e.After)+mine)
	}
	w.tidied()
}

// TestApplyBesideGitAdd has git write the same index all the time: neither loses
// what the other wrote.
func TestApplyBesideGitAdd(t *testing.T) {
	w := testRepository(t)
	w.write("a", "line\n")
	w.git("add", "a")
	done := make(chan struct{})
	var added []string
	var adding sync.WaitGroup
	adding.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			name := fmt.Sprintf("other%d", i)
			w.write(name, name+"\n")
			if out, err := w.try("add", name); err == nil {
				added = append(added, name)
			} else if !strings.Contains(out, "index.lock': File exists") {
				t.Errorf("git add: %v %s", err, out)
				return
			}
		}
	})
	repo := w.repo()
	text := []byte("line\n")
	for i := range 20 {
		next := fmt.Appendf(nil, "line %d\n", i)
		edits := []staging.Edit{{Path: "a", Before: text, After: next}}
		writings, err := staging.Apply(t.Context(), repo, diff.Index, edits)
		if err != nil {
			if !strings.Contains(err.Error(), "another git process seems to be running") {
				t.Error(err)
			}
			continue
		}
		equal(t, writings, []staging.Applied{{Path: "a", Index: staging.Replaced, Worktree: staging.Replaced}})
		text = next
	}
	close(done)
	adding.Wait()
	equal(t, w.git("cat-file", "blob", ":a"), string(text))
	equal(t, w.git("ls-files"), "a\n"+sortedLines(added))
	if len(added) == 0 {
		t.Error("git added nothing")
	}
	w.tidied()
}

// sortedLines are names in the order of an index.
func sortedLines(names []string) string {
	return strings.Join(slices.Sorted(slices.Values(names)), "\n") + "\n"
}

// TestLaws applies random edits to random files: the index has the command's result,
// unstaged lines remain, and other files do not change.
func TestLaws(t *testing.T) {
	parent := t.TempDir()
	newRepository(t, parent)
	lawtest.Check(t, func(t *rapid.T) {
		w := repositoryAt(t, filepath.Join(parent, "home"), filepath.Join(parent, "repo"))
		unstaged := map[string][]string{}
		var names []string
		for i := range 3 {
			name := fmt.Sprintf("f%d", i)
			names = append(names, name)
			text := rapid.SliceOfN(rapid.SampledFrom([]string{"BAD\n", "line\n", "other\n", "\n"}), 1, 12).Draw(t, name)
			w.write(name, strings.Join(text, ""))
		}
		w.git("add", "-A")
		staged := map[string][]byte{}
		for _, name := range names {
			staged[name] = []byte(w.read(name))
			text := strings.SplitAfter(w.read(name), "\n")
			for n := range rapid.IntRange(0, 3).Draw(t, "unstaged of "+name) {
				own := fmt.Sprintf("mine %d\n", n)
				unstaged[name] = append(unstaged[name], own)
				at := rapid.IntRange(0, len(text)).Draw(t, "at")
				text = append(text[:at:at], append([]string{own}, text[at:]...)...)
			}
			w.write(name, strings.Join(text, ""))
		}
		edited := names[:rapid.IntRange(0, len(names)).Draw(t, "edited")]
		var edits []staging.Edit
		before := map[string]os.FileInfo{}
		texts := map[string]string{}
		for _, name := range names {
			info, err := os.Stat(w.path(name))
			w.must(err)
			before[name], texts[name] = info, w.read(name)
		}
		for _, name := range edited {
			edits = append(edits, staging.Edit{Path: name, Before: staged[name], After: formatted(staged[name])})
		}
		writings, err := staging.Apply(t.Context(), w.repo(), diff.Index, edits)
		w.must(err)
		for i, e := range edits {
			equal(t, w.git("cat-file", "blob", ":"+e.Path), string(e.After))
			text := w.read(e.Path)
			for _, own := range unstaged[e.Path] {
				if !strings.Contains(text, own) {
					t.Fatalf("%s has lost %q:\n%s", e.Path, own, text)
				}
			}
			if len(unstaged[e.Path]) == 0 {
				equal(t, text, string(e.After))
			}
			if writings[i].Worktree == staging.Left || writings[i].Worktree == staging.Same {
				equal(t, text, texts[e.Path])
			}
		}
		for _, name := range names[len(edited):] {
			info, err := os.Stat(w.path(name))
			w.must(err)
			if w.read(name) != texts[name] || !info.ModTime().Equal(before[name].ModTime()) || !os.SameFile(info, before[name]) {
				t.Fatalf("%s was touched", name)
			}
		}
	})
}
