package staging_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/staging"
)

// during has something happen right after a step.
func during(t *testing.T, step string, happens func()) {
	t.Helper()
	staging.OnStep(func(name string) {
		if name == step {
			happens()
		}
	})
	t.Cleanup(func() { staging.OnStep(func(string) {}) })
}

// TestEditedAtTheLastMoment has the user save a file while others are replaced.
func TestEditedAtTheLastMoment(t *testing.T) {
	w := testRepository(t)
	for _, name := range []string{"a", "saved", "deleted"} {
		w.write(name, "BAD\n")
	}
	w.git("add", "-A")
	edits := w.staged("a", "saved", "deleted")
	during(t, "index replaced", func() {
		w.write("saved", "BAD\n"+mine)
		w.must(os.Remove(w.path("deleted")))
	})
	equal(t, w.apply(diff.Index, edits), []string{
		"a|replaced|replaced",
		"saved|replaced|left|the file in the working tree is unchanged: it was edited at the same time",
		"deleted|replaced|left|the file in the working tree is unchanged: file does not exist",
	})
	equal(t, w.read("saved"), "BAD\n"+mine)
	w.tidied()
}

// TestPendingWhileOthersWrite sees a journal whose run is alive.
func TestPendingWhileOthersWrite(t *testing.T) {
	w := testRepository(t)
	w.write("a", "BAD\n")
	asked := false
	during(t, "journal written", func() {
		asked = true
		if err := staging.Pending(w.repo()); err != nil {
			t.Errorf("pending: %v", err)
		}
		hurried, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer stop()
		if _, err := staging.Apply(hurried, w.repo(), diff.Worktree, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a second run: %v", err)
		}
		if _, _, err := staging.Recover(hurried, w.repo()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a recovery: %v", err)
		}
	})
	equal(t, w.apply(diff.Worktree, w.present("a")), []string{"a||replaced"})
	if !asked {
		t.Error("there was no journal")
	}
}

// TestStoppedBeforeItWrites ends the context while a run prepares.
func TestStoppedBeforeItWrites(t *testing.T) {
	for _, step := range []string{"directory made", "index locked", "objects stored", "index made", "journal written", "file prepared"} {
		t.Run(step, func(t *testing.T) {
			w := fullRepository(t, t.TempDir())
			edits, before := w.staged(fullEdits...), w.state()
			ctx, stop := context.WithCancel(t.Context())
			during(t, step, stop)
			writings, err := staging.Apply(ctx, w.repo(), diff.Index, edits)
			if writings != nil || !errors.Is(err, context.Canceled) {
				t.Errorf("%v, %v", writings, err)
			}
			equal(t, w.state(), before)
			w.tidied()
		})
	}
}

// TestLockIsRemoved has a user follow git's advice and remove the lock of a
// run that lives: it does not write an index that others may have written to.
func TestLockIsRemoved(t *testing.T) {
	for _, c := range []struct {
		step    string
		written bool
	}{{"index made", false}, {"index replaced", true}} {
		t.Run(c.step, func(t *testing.T) {
			w := testRepository(t)
			w.write("a", "BAD\n")
			w.git("add", "-A")
			edits := w.staged("a")
			w.write("other", "other\n")
			during(t, c.step, func() {
				w.must(os.Remove(w.path(".git/index.lock")))
				w.git("add", "other")
			})
			writings, err := staging.Apply(t.Context(), w.repo(), diff.Index, edits)
			if err == nil || !strings.Contains(err.Error(), "removed") || (writings != nil) != c.written {
				t.Errorf("%v, %v", writings, err)
			}
			want := "BAD\n"
			if c.written {
				want = "good\n"
			}
			equal(t, w.read("a"), want)
			equal(t, w.git("cat-file", "blob", ":a"), want)
			equal(t, w.git("cat-file", "blob", ":other"), "other\n")
			w.tidied()
		})
	}
}
