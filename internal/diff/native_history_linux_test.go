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

// TestEmbeddedRevisions: a revision is resolved as by git, or unknown, or refused.
func TestEmbeddedRevisions(t *testing.T) {
	s, base, main, feature := forked(t)
	s.git("merge", "-q", "--no-ff", "-m", "merge", "main")
	s.git("tag", "light", base)
	s.git("tag", "-a", "-m", "heavy", "heavy", feature)
	s.git("tag", "-a", "-m", "of a tag", "nested", "heavy")
	s.git("tag", "both", base)
	s.git("branch", "both", main)
	s.git("tag", "of-tree", "HEAD^{tree}")
	s.git("update-ref", "refs/remotes/up/main", main)
	s.git("symbolic-ref", "refs/remotes/up/HEAD", "refs/remotes/up/main")
	s.git("update-ref", "refs/odd/deep/name", feature)
	s.git("branch", "deadbeef", base)
	s.git("pack-refs", "--all")
	s.git("branch", "late", feature)
	s.write(".git/refs/heads/capital", strings.ToUpper(feature)+"\n")
	for _, ref := range []string{
		"HEAD", "@", "main", "feature", "late", "capital", "light", "heavy", "nested", "both", "heads/both", "tags/both", "of-tree", "up", "up/main",
		"remotes/up", "refs/odd/deep/name", "odd/deep/name", "deadbeef", "refs/heads/main", "heads/main",
		base, strings.ToUpper(base), base[:7], base[:4], main[:12], strings.ToUpper(feature[:9]), "0000000", strings.Repeat("0", 40),
		"HEAD~", "HEAD~0", "HEAD~1", "HEAD~2", "HEAD~9", "HEAD^", "HEAD^0", "HEAD^1", "HEAD^2", "HEAD^3", "HEAD^^", "HEAD^2~1", "HEAD~1^1",
		"heavy^{}", "heavy^{commit}", "nested^{commit}~1", "HEAD^{commit}^2", "HEAD^{tree}", "of-tree^{commit}", "main~99999999999999999999",
		"", "^HEAD", "-x", "--all", "no such", "nosuch", "main:", "refs/heads", "HEAD@{0}", "@{-1}", ":/base", "HEAD^{/base}", "main..feature",
		"light-0-g" + base[:7], "he\nad", "hea*",
	} {
		want, err := s.try("rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
		if err != nil || strings.HasPrefix(want, "^") {
			want = ""
		}
		e, err := engines[1].open(t, s)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Head(t.Context(), diff.Commit, ref)
		if refused(err) {
			continue
		}
		if got.Commit != strings.TrimSpace(want) || err == nil != (want != "") {
			t.Errorf("%q is %q, error %v; git has %q", ref, got.Commit, err, want)
		}
	}
}

// TestEmbeddedHistory compares merge bases and messages on random histories with
// the program's.
func TestEmbeddedHistory(t *testing.T) {
	template := newSandbox(t)
	template.remove(".git/hooks")
	dir, n := t.TempDir(), 0
	lawtest.Check(t, func(t *rapid.T) {
		n++
		parent := filepath.Join(dir, strconv.Itoa(n))
		defer os.RemoveAll(parent)
		s := bareSandbox(t, parent)
		if err := os.CopyFS(s.path(".git"), os.DirFS(template.path(".git"))); err != nil {
			t.Fatalf("%v", err)
		}
		commits := rapid.IntRange(2, 14).Draw(t, "commits")
		var stream strings.Builder
		for i := 1; i <= commits; i++ {
			date := rapid.IntRange(1, 6).Draw(t, "date")
			fmt.Fprintf(&stream, "commit refs/heads/c%d\nmark :%d\ncommitter C <c@example.com> %d +0000\ndata 4\nc%03d\n", i, i, date, i)
			if i > 1 {
				parents := rapid.SliceOfNDistinct(rapid.IntRange(max(1, i-5), i-1), 0, min(3, i-1), rapid.ID[int]).Draw(t, "parents")
				for j, p := range parents {
					fmt.Fprintf(&stream, "%s :%d\n", map[bool]string{true: "from", false: "merge"}[j == 0], p)
				}
			}
			stream.WriteString("\n")
		}
		if _, err := s.feed(stream.String(), "fast-import", "--quiet"); err != nil {
			t.Fatalf("%v", err)
		}
		if rapid.Bool().Draw(t, "commit graph") {
			s.git("commit-graph", "write", "--reachable")
		}
		e, err := engines[1].open(t, s)
		if err != nil {
			t.Fatalf("%v", err)
		}
		program, err := engines[0].open(t, s)
		if err != nil {
			t.Fatalf("%v", err)
		}
		pick := func(label string) string {
			return "c" + strconv.Itoa(rapid.IntRange(1, commits).Draw(t, label))
		}
		for range 4 {
			ref, to := pick("since"), pick("to")
			head, err := program.Head(t.Context(), diff.Commit, to)
			if err != nil {
				t.Fatalf("%v", err)
			}
			r := diff.BaseRequest{ID: diff.Since, Ref: ref, Head: head}
			want, wantErr := program.Resolve(t.Context(), r)
			got, gotErr := e.Resolve(t.Context(), r)
			if refused(gotErr) {
				continue
			}
			if got != want || wantErr == nil != (gotErr == nil) {
				t.Fatalf("since %s to %s: %+v, error %v; want %+v, error %v", ref, to, got, gotErr, want, wantErr)
			}
			if wantErr != nil {
				continue
			}
			messages, err := program.Messages(t.Context(), want, head)
			if err != nil {
				t.Fatalf("%v", err)
			}
			read, err := e.Messages(t.Context(), want, head)
			if err != nil {
				t.Fatalf("%v", err)
			}
			if d := cmp.Diff(messages, read); d != "" {
				t.Fatalf("messages from %s to %s: want(-) got(+):\n%s", want.Commit, to, d)
			}
		}
	})
}
