package rule_test

import (
	"bytes"
	"os"
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/golden"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// excerpts writes problems as a terminal shows them.
func excerpts(t *testing.T, problems []finding.Problem) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, p := range problems {
		b.WriteString(golden.Brief(p.Error()) + " [" + p.Code + "]\n")
		source, err := os.ReadFile(path.Join("testdata", p.File))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(p.Excerpt(source))
	}
	return b.Bytes()
}

func TestBadRules(t *testing.T) {
	t.Parallel()
	rules, problems := rule.Load(os.DirFS("testdata"), "bad", modes(t))
	golden.Compare(t, "testdata/bad.golden", string(excerpts(t, problems)))

	var ids []string
	for _, r := range rules {
		ids = append(ids, r.ID)
	}
	if diff := cmp.Diff([]string{"good", "name-first"}, ids); diff != "" {
		t.Errorf("rules without problems among the bad ones (-want +got):\n%s", diff)
	}
}
