package content_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/content"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/gittest"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestMovedLinesAreGits compares which lines moved with the colours of git diff, for random
// edits of up to three files.
func TestMovedLinesAreGits(t *testing.T) {
	t.Parallel()
	w := &world{gittest.New(t)}
	engine := w.Open()
	lawtest.Check(t, func(t *rapid.T) {
		before, after := drawFiles(t, "before"), drawFiles(t, "after")
		base, head := w.commit(t, before), w.commit(t, after)
		set, err := engine.Changes(t.Context(), diff.Base{Commit: base}, diff.Head{Kind: diff.Commit, Commit: head})
		if err != nil {
			t.Fatal(err)
		}
		edits, err := content.Read(t.Context(), engine, set)
		if err != nil {
			t.Fatal(err)
		}
		for path, want := range w.coloured(t, base, head) {
			got := file{}
			got[0], got[1] = edits.Sides(path)
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("%s: -git +ours:\n%s\nbefore %q\nafter  %q", path, d, before, after)
			}
		}
	})
}

// file holds the removed and the added lines of a file.
type file [2]content.Side

// drawFiles draws files of few different lines, so that many of them move.
func drawFiles(t *rapid.T, label string) map[string]string {
	files := map[string]string{}
	for _, name := range []string{"a", "b", "c"} {
		list := rapid.SliceOfN(rapid.SampledFrom([]string{
			"", " ", "{", "x = 1", "  x = 1", "x =1", "x=1\r", "return x", "\treturn x", "y", "z", "a b", "ab", "A", "é", "x\v= 1",
		}), 0, 8).Draw(t, label+" "+name)
		if len(list) > 0 {
			files[name] = strings.Join(list, "\n") + rapid.SampledFrom([]string{"\n", ""}).Draw(t, "end")
		}
	}
	return files
}

// world is a repository.
type world struct{ *gittest.Repository }

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func (w *world) ask(t fataler, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(w.T.Context(), "git", args...)
	cmd.Dir, cmd.Env = w.Dir, w.Env
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// commit makes a commit of exactly these files.
func (w *world) commit(t fataler, files map[string]string) string {
	t.Helper()
	for _, name := range []string{"a", "b", "c"} {
		path := filepath.Join(w.Dir, name)
		text, ok := files[name]
		if !ok {
			_ = os.Remove(path)
		} else if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatalf("%v", err)
		}
	}
	w.ask(t, "add", "-A")
	return w.ask(t, "commit-tree", "-m", "x", w.ask(t, "write-tree"))
}

// coloured reads which lines git shows as moved.
func (w *world) coloured(t fataler, base, head string) map[string]file {
	t.Helper()
	patch := w.ask(t,
		"-c", "color.diff.old=red", "-c", "color.diff.new=green", "-c", "color.diff.oldMoved=magenta", "-c", "color.diff.newMoved=cyan",
		"-c", "color.diff.meta=normal", "-c", "color.diff.frag=normal", "-c", "color.diff.func=normal", "-c", "color.diff.whitespace=normal",
		"diff", "--color=always", "--color-moved=plain", "--color-moved-ws=ignore-all-space", "-U0", "--inter-hunk-context=0", "--ws-error-highlight=none",
		"-M50%", "--text", base, head)
	files := map[string]file{}
	name := ""
	var at [2]int
	for line := range strings.SplitSeq(patch, "\n") {
		line = strings.ReplaceAll(line, "\x1b[m", "")
		colour := slices.IndexFunc([]string{"\x1b[31m-", "\x1b[35m-", "\x1b[32m+", "\x1b[36m+"}, func(c string) bool { return strings.HasPrefix(line, c) })
		switch {
		case strings.HasPrefix(line, "--- a/"):
			name = strings.TrimPrefix(line, "--- a/")
		case strings.HasPrefix(line, "+++ b/"):
			name = strings.TrimPrefix(line, "+++ b/")
		case strings.HasPrefix(line, "@@ "):
			field := strings.Fields(line)
			for i := range at {
				number, _, _ := strings.Cut(field[i+1][1:], ",")
				if _, err := fmt.Sscan(number, &at[i]); err != nil {
					t.Fatalf("%q: %v", line, err)
				}
			}
		case colour >= 0:
			side, moved := colour/2, colour%2 == 1
			text := strings.TrimSuffix(strings.ReplaceAll(line[6:], "\x1b[32m", ""), "\r")
			for _, code := range []string{"\x1b[31m", "\x1b[35m", "\x1b[36m"} {
				text = strings.ReplaceAll(text, code, "")
			}
			text = strings.TrimSuffix(text, "\r")
			found := diff.Line{Line: at[side], Text: text}
			at[side]++
			f := files[name]
			switch {
			case strings.Trim(text, " \t\r") == "":
			case moved:
				f[side].Moved = append(f[side].Moved, found)
			default:
				f[side].New = append(f[side].New, found)
			}
			files[name] = f
		}
	}
	return files
}
