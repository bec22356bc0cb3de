package diff_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// similarText is text that resembles others of its kind: some of its lines are
// shared, in a different order.
func similarText(t *rapid.T) string {
	rows := rapid.SliceOfN(rapid.IntRange(0, 12), 1, 14).Draw(t, "rows")
	end := rapid.SampledFrom([]string{"\n", "\n", "\n", "\n", "\n", "\r\n", "", "\x00\n"}).Draw(t, "end")
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(strings.Repeat("row "+strconv.Itoa(row)+" ", row%5+1) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n") + end
}

// TestEmbeddedRenames compares with the program where many files went and many
// came that resemble each other, by content and by name.
func TestEmbeddedRenames(t *testing.T) {
	template := newSandbox(t)
	template.remove(".git/hooks")
	dir, n, answered, renamed := t.TempDir(), 0, 0, 0
	lawtest.Check(t, func(t *rapid.T) {
		n++
		parent := filepath.Join(dir, strconv.Itoa(n))
		defer os.RemoveAll(parent)
		s := bareSandbox(t, parent)
		if err := os.CopyFS(s.path(".git"), os.DirFS(template.path(".git"))); err != nil {
			t.Fatalf("%v", err)
		}
		texts := rapid.SliceOfN(rapid.Custom(similarText), 3, 9).Draw(t, "texts")
		var stream strings.Builder
		for _, side := range []string{"old", "new"} {
			stream.WriteString("commit refs/heads/main\ncommitter C <c@example.com> 0 +0000\ndata 0\n\ndeleteall\n")
			for i := range rapid.IntRange(1, 12).Draw(t, side) {
				name := fmt.Sprintf("%s/%d/%s", side, i, rapid.SampledFrom([]string{"a", "b", "c", "file" + side + strconv.Itoa(i)}).Draw(t, "name"))
				mode := rapid.SampledFrom([]string{"100644", "100644", "100755", "120000"}).Draw(t, "mode")
				content := rapid.SampledFrom(texts).Draw(t, "text")
				if rapid.Bool().Draw(t, "edited") {
					content += rapid.SampledFrom([]string{"more\n", "and more of it, to be longer\n", "no end"}).Draw(t, "more")
				}
				fmt.Fprintf(&stream, "M %s inline %s\ndata %d\n%s\n", mode, name, len(content), content)
			}
		}
		if _, err := s.feed(stream.String(), "fast-import", "--quiet"); err != nil {
			t.Fatalf("%v", err)
		}
		base, head := diff.Base{Commit: s.git("rev-parse", "HEAD~1")}, diff.Head{Kind: diff.Commit, Commit: s.git("rev-parse", "HEAD")}
		var sets [2]diff.Changeset
		for i, row := range engines {
			e, err := row.open(t, s)
			if err != nil {
				t.Fatalf("%v", err)
			}
			sets[i], err = e.Changes(t.Context(), base, head)
			if refused(err) {
				return
			}
			if err != nil {
				t.Fatalf("%v", err)
			}
		}
		answered++
		for _, c := range sets[0].Changes {
			if c.Status == diff.Renamed && c.Similarity < 100 {
				renamed++
			}
		}
		if d := cmp.Diff(sets[0], sets[1], withoutIDs); d != "" {
			t.Fatalf("want(-) got(+):\n%s", d)
		}
	})
	if !testing.Short() && (answered == 0 || renamed == 0) {
		t.Errorf("%d of %d questions were answered, with %d inexact renames", answered, n, renamed)
	}
	t.Logf("%d of %d questions answered, %d inexact renames", answered, n, renamed)
}
