package propose

import (
	"os"
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
)

// A process can be killed after any part of an unfinished rule is written.
func TestWriteRemovesWhatWasNotFinished(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	text := "---\n# Mined from 180 commits\n---\nLook.\n"
	for n := range text {
		if err := root.MkdirAll("rules", 0o755); err != nil {
			t.Fatal(err)
		}
		kept := map[string]string{"rules/.notes.new": "mine", "rules/.x.new~": text, "rules/.X_.new": text}
		for name, content := range kept {
			if err := root.WriteFile(name, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := root.WriteFile(atomicfile.Unfinished("rules/a-rule.md"), []byte(text[:n]), 0o644); err != nil {
			t.Fatal(err)
		}
		written, err := Write(root, "rules", []Proposed{{ID: "b", Text: text}})
		if err != nil || !slices.Equal(written, []string{"rules/b.md"}) {
			t.Fatalf("after %d bytes: %q, %v", n, written, err)
		}
		entries, err := os.ReadDir(dir + "/rules")
		if err != nil || len(entries) != len(kept)+1 {
			t.Fatalf("after %d bytes: %v, %v", n, entries, err)
		}
		if err := root.Remove("rules/b.md"); err != nil {
			t.Fatal(err)
		}
	}
	if written, err := Write(root, "none", nil); err != nil || len(written) != 0 {
		t.Errorf("%q, %v", written, err)
	}
	if _, err := root.Stat("none"); err == nil {
		t.Error("a directory was made for nothing")
	}
}
