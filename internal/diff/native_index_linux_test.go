package diff_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// TestEmbeddedIndex reads every version of the index, names of any length.
func TestEmbeddedIndex(t *testing.T) {
	for _, version := range []string{"2", "3", "4"} {
		t.Run(version, func(t *testing.T) {
			s := newSandbox(t)
			deep := strings.Repeat("long", 60)
			for i := range 30 {
				s.write("d/"+strings.Repeat("x", i)+"/f", "1\n")
				s.write(deep+"/"+deep+strconv.Itoa(i), "1\n")
			}
			s.write("z", "1\n")
			s.commit("base")
			s.write("intended", "1\n")
			s.git("add", "-N", "intended")
			s.git("update-index", "--index-version", version)
			s.git("update-index", "--skip-worktree", "z")
			e, err := engines[1].open(t, s)
			if err != nil {
				t.Fatal(err)
			}
			files, err := e.Files(t.Context(), s.head(e, diff.Index))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, files, listed(s.git("ls-tree", "-r", "-z", "--name-only", "HEAD")))
		})
	}
}

// TestEmbeddedLines: lines that repeat, and more edits than are looked for.
func TestEmbeddedLines(t *testing.T) {
	rows := func(n int, text string) string { return strings.Repeat(text+"\n", n) }
	for _, tt := range []struct {
		name, old, now string
		want           []diff.Lines
	}{
		{"repeated line added", "a\nb\nb\nc\n", "a\nb\nb\nb\nc\n", []diff.Lines{{First: 4, Last: 4}}},
		{"repeated line removed", "a\nb\nb\nc\n", "a\nb\nc\n", []diff.Lines{{First: 2, Last: 2}}},
		{"block repeated", "{\na\n}\n", "{\na\n}\n{\na\n}\n", []diff.Lines{{First: 4, Last: 6}}},
		{"two runs", "a\nb\nc\nd\ne\n", "a\nX\nc\nd\nY\n", []diff.Lines{{First: 2, Last: 2}, {First: 5, Last: 5}}},
		{"runs that meet", "a\nb\na\nc\n", "a\nx\na\nb\na\nc\n", []diff.Lines{{First: 2, Last: 3}}},
		{"moved", "a\nb\nc\nd\n", "d\na\nb\nc\n", []diff.Lines{{First: 1, Last: 1}, {First: 4, Last: 4}}},
		{"end of file", "a\nb", "a\nb\n", []diff.Lines{{First: 2, Last: 2}}},
		{"nothing in common", rows(1, "a") + rows(900, "b") + "z\n", rows(1, "a") + rows(900, "c") + "z\n", []diff.Lines{{First: 2, Last: 901}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSandbox(t)
			s.write("f", tt.old)
			base := s.commit("old")
			s.write("f", tt.now)
			e, err := engines[1].open(t, s)
			if err != nil {
				t.Fatal(err)
			}
			head := s.head(e, diff.Worktree)
			set, err := e.Changes(t.Context(), diff.Base{Commit: base}, head)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, lines(t, e, set, set.Changes), map[string][]diff.Lines{"f": tt.want})
		})
	}
}
