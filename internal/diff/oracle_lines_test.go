package diff_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// fileLines are the changed lines of one file.
type fileLines struct {
	Places         []diff.Lines
	Added, Removed []diff.Line
}

// patched has git print the lines that a comparison changes, whatever attributes and
// configuration call text. command is the comparison up to the commits.
func patched(command []string, commits ...string) []string {
	form := []string{
		"-p", "-U0", "--inter-hunk-context=0", "--diff-algorithm=myers", "--indent-heuristic", "--text", "--no-textconv", "--no-ext-diff",
		"--no-color", "--src-prefix=a/", "--dst-prefix=b/", "-M50%", "-l1000", "--ignore-submodules=none", "--submodule=short",
	}
	return slices.Concat(command, form, commits, []string{"--"})
}

// linesIn parses git's patch. Lines of submodules are left out.
func linesIn(patch string) map[string]fileLines {
	all := map[string]fileLines{}
	module, entire, before, after := false, false, "", ""
	for rest := patch; rest != ""; {
		line, next, _ := strings.Cut(rest, "\n")
		rest = next
		switch {
		case strings.HasPrefix(line, "diff --git "):
			module, entire, before, after = true, false, "", "" // one that is only dirty has no index line
		case line == "new file mode 160000", line == "deleted file mode 160000":
			entire = true
		case strings.HasPrefix(line, "index "):
			module = entire || strings.HasSuffix(line, " 160000")
		case strings.HasPrefix(line, "--- "):
			before = patchName(line[len("--- "):])
		case strings.HasPrefix(line, "+++ "):
			after = patchName(line[len("+++ "):])
		case strings.HasPrefix(line, "@@ "):
			var old, removed, start, added int
			field := strings.Fields(line)
			numbers := func(text string, first, count *int) {
				*count = 1
				if _, err := fmt.Sscanf(text[1:], "%d,%d", first, count); err != nil && !strings.Contains(err.Error(), "unexpected EOF") {
					panic(line)
				}
			}
			numbers(field[1], &old, &removed)
			numbers(field[2], &start, &added)
			name := after
			if name == "" {
				name = before
			}
			f := all[name]
			if after != "" {
				f.Places = append(f.Places, diff.Lines{First: max(1, start), Last: max(1, start+max(added, 1)-1)})
			}
			for i := range removed + added {
				text, next, _ := strings.Cut(rest, "\n")
				rest = next
				if strings.HasPrefix(rest, "\\ No newline") {
					_, rest, _ = strings.Cut(rest, "\n")
				}
				l := diff.Line{Line: old + i, Text: strings.TrimSuffix(text[1:], "\r")}
				if i < removed {
					f.Removed = append(f.Removed, l)
					continue
				}
				l.Line = start + i - removed
				f.Added = append(f.Added, l)
			}
			if !module {
				all[name] = f
			}
		}
	}
	return all
}

// patchName is a name in a patch without its prefix; empty: no file.
func patchName(text string) string {
	text = strings.TrimSuffix(text, "\t")
	if strings.HasPrefix(text, `"`) {
		var b strings.Builder
		for body := text[1 : len(text)-1]; body != ""; {
			c, _, next, err := strconv.UnquoteChar(body, '"')
			if err != nil {
				panic(err)
			}
			if body[0] != '\\' {
				c, next = rune(body[0]), body[1:]
			}
			b.WriteByte(byte(c))
			body = next
		}
		text = b.String()
	}
	if text == "/dev/null" {
		return ""
	}
	return text[2:]
}

// agreeOnLines compares the lines and places of changes with git's: of all of them, and of some.
func agreeOnLines(t *rapid.T, e diff.Engine, set diff.Changeset, want map[string]fileLines) bool {
	t.Helper()
	some := set.Changes
	if len(some) > 1 {
		some = rapid.SliceOfDistinct(rapid.SampledFrom(set.Changes), func(c diff.Change) string { return c.Path }).Draw(t, "some")
	}
	for _, list := range [][]diff.Change{set.Changes, some} {
		difference, err := linesDiffer(t.Context(), e, set, list, want)
		if declined(t, e, err) {
			return false
		}
		if difference != "" {
			t.Fatalf("%T: %s from %s: %s", e, set.Head.Kind, set.Base.Commit, difference)
		}
	}
	return true
}

// linesDiffer describes the first change whose lines are not git's; empty: none.
func linesDiffer(
	ctx context.Context, e diff.Engine, set diff.Changeset, list []diff.Change, want map[string]fileLines,
) (string, error) {
	lines, err := e.Lines(ctx, set.Base, set.Head, list)
	if err != nil {
		return "", err
	}
	details, err := e.Details(ctx, set.Base, set.Head, list, []diff.Part{diff.PartAddedLines, diff.PartRemovedLines})
	if err != nil {
		return "", err
	}
	for _, c := range list {
		if symlinkAndModule(c) {
			continue // git prints nothing
		}
		got := fileLines{Places: lines[c.Path], Added: details[c.Path].AddedLines, Removed: details[c.Path].RemovedLines}
		if d := cmp.Diff(want[c.Path], got, cmpopts.EquateEmpty()); d != "" {
			return fmt.Sprintf("lines of %s, of %d changes: want(-) got(+)\n%s", whole(c), len(list), d), nil
		}
	}
	return "", nil
}

// symlinkAndModule reports whether git prints no patch of c: of a submodule
// to a symlink.
func symlinkAndModule(c diff.Change) bool {
	return c.Status == diff.TypeChanged && c.Kind == diff.Symlink
}

func TestLinesIn(t *testing.T) {
	const patch = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\r\n+b\n+c\n\\ No newline at end of file\n"
	equal(t, linesIn(patch), map[string]fileLines{"x": {
		Places:  []diff.Lines{{First: 1, Last: 2}},
		Removed: []diff.Line{{Line: 1, Text: "a"}}, Added: []diff.Line{{Line: 1, Text: "b"}, {Line: 2, Text: "c"}},
	}})
}
