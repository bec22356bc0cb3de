package gate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/gate"
)

// TestFileExists checks which paths of a repository with symbolic links are
// evidence.
func TestFileExists(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, file := range []string{".git/HEAD", ".rulecheck/workflows/w.yaml", "packages/web/.rulecheck/rules/a.md", "docs/a.md", "..docs/b.md", ".github/c.yml"} {
		file = filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"head": ".git/HEAD", "docs/git": "../.git", "chain": "docs/git/HEAD", "loop": "loop", "out": "/etc", "up": "../..", "good": "docs/a.md", "docs/dir": "../docs", "gone": "nothing",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	g := gate.New(true, []gate.Requirement{ask(t, "x", gate.String, "file_exists")})
	for path, want := range map[string]string{
		"docs": "", "docs/": "", "docs/a.md": "", "./docs/a.md": "", "good": "", "docs/dir/a.md": "", "docs/dir": "", "..docs/b.md": "", ".github/c.yml": "",
		".git": "belongs to", ".git/HEAD": "belongs to", ".rulecheck": "belongs to", ".rulecheck/workflows/w.yaml": "belongs to",
		"packages/web/.rulecheck/rules/a.md": "belongs to", "head": "belongs to", "docs/git": "belongs to", "chain": "belongs to", "docs/git/HEAD": "belongs to", "docs/dir/git/HEAD": "belongs to",
		"loop": "does not exist", "out": "does not exist", "out/passwd": "does not exist", "up": "does not exist", "gone": "does not exist", "nothing": "does not exist",
		".": "not a path", "..": "not a path", "/": "not a path", "docs/..": "not a path", "docs/../.git/HEAD": "not a path", "": "not a path",
	} {
		v := g.Validate(t.Context(), map[string]any{"x": path}, gate.EvidenceContext{Files: root.FS()})
		switch {
		case want == "" && !v.Passed(), want != "" && v.Passed():
			t.Errorf("%q: faults are %v; want %q", path, v.Faults, want)
		case want != "" && !strings.Contains(v.Faults[0].Message, want):
			t.Errorf("%q: %s; want %q", path, v.Faults[0].Message, want)
		}
	}
}
