//go:build unix

package staging_test

import (
	"os"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/staging"
)

// TestApplyInHooks is a pre-commit hook of every kind of commit: what it stages is
// committed, and nothing is left to commit after it.
func TestApplyInHooks(t *testing.T) {
	for _, c := range []struct {
		name    string
		args    []string
		refused bool
	}{
		{name: "staged", args: []string{"-m", "x"}},
		{name: "all", args: []string{"-a", "-m", "x"}},
		{name: "included", args: []string{"-m", "x", "-i", "--", "a"}},
		{name: "amended", args: []string{"--amend", "-m", "x"}},
		{name: "paths", args: []string{"-m", "x", "--", "a"}, refused: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := testRepository(t)
			w.write("a", lines(3))
			w.write("b", lines(3))
			w.git("add", "-A")
			w.git("commit", "-q", "-m", "base")
			w.write("a", lines(3, 2))
			w.git("add", "a")
			child := w.child(t.Context(), diff.Index, w.staged("a"))
			order := child.Env[len(child.Env)-1]
			w.write(".git/hooks/pre-commit", "#!/bin/sh\n"+order+" exec "+os.Args[0]+" -test.run='^TestChild$' >&2\n")
			w.must(os.Chmod(w.path(".git/hooks/pre-commit"), 0o755))
			out, err := w.try(append([]string{"commit", "-q"}, c.args...)...)
			if c.refused {
				if err == nil || !strings.Contains(out, "run: rulecheck --fix, then commit again") {
					t.Errorf("commit: %v %s", err, out)
				}
				equal(t, w.read("a"), lines(3, 2))
				return
			}
			if err != nil {
				t.Fatalf("commit: %v %s", err, out)
			}
			good := strings.ReplaceAll(lines(3, 2), "BAD", "good")
			equal(t, w.git("cat-file", "blob", "HEAD:a"), good)
			equal(t, w.read("a"), good)
			equal(t, w.git("status", "--porcelain"), "")
			w.tidied()
			if err := staging.Stageable(w.repo()); err != nil {
				t.Error(err)
			}
		})
	}
}
