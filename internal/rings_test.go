package internal_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// outer are the directories outside of the inner ring, which checks a change: the agent,
// the past, many repositories, and what looks at everything.
var outer = []string{"internal/agents", "internal/attest", "internal/past", "internal/fleet", "internal/doctor", "internal/lsp", "internal/ruletest", "internal/watch"}

func isOuter(name string) bool {
	return slices.ContainsFunc(outer, func(dir string) bool { return name == dir || strings.HasPrefix(name, dir+"/") })
}

// TestRings checks that the inner ring imports nothing of the outer ones. cmd/rulecheck joins
// them.
func TestRings(t *testing.T) {
	for _, p := range list(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		if isOuter(name) || strings.HasPrefix(name, "cmd/") {
			continue
		}
		for _, imported := range p.Imports {
			if below, ours := strings.CutPrefix(imported, module); ours && isOuter(below) {
				t.Errorf("%s imports %s of an outer ring; want it passed by cmd/rulecheck as a function or a value", name, below)
			}
		}
	}
}

// reaches bounds, for the packages on the path of a check, what a reader may have to know:
// the package itself and all our packages that it imports, without tests.
var reaches = []struct {
	name            string
	packages, lines int
}{
	{"internal/git", 6, 2_000},
	{"internal/pattern", 3, 3_000},
	{"internal/diff", 7, 3_250},
	{"internal/rule", 30, 25_950},
	{"internal/correspondence", 32, 29_650},
	{"internal/content", 31, 26_350},
	{"internal/report", 34, 29_600},
	{"internal/policy", 41, 36_500},
	{"internal/waiver", 50, 47_050},
	{"internal/check", 55, 56_700},
}

// TestReach keeps the path of a check small enough to hold in one's head.
func TestReach(t *testing.T) {
	packages := map[string]listed{}
	for _, p := range list(t) {
		packages[p.ImportPath] = p
	}
	for _, want := range reaches {
		seen := map[string]bool{}
		var visit func(string)
		visit = func(path string) {
			if p, ours := packages[path]; ours && !seen[path] {
				seen[path] = true
				for _, imported := range p.Imports {
					visit(imported)
				}
			}
		}
		visit(module + want.name)
		lines := 0
		for path := range seen {
			for _, file := range packages[path].GoFiles {
				text, err := os.ReadFile(filepath.Join(packages[path].Dir, file))
				if err != nil {
					t.Fatal(err)
				}
				lines += bytes.Count(text, []byte("\n"))
			}
		}
		t.Logf("%s reaches %d packages, %d lines", want.name, len(seen), lines)
		if len(seen) == 0 || len(seen) > want.packages || lines > want.lines {
			t.Errorf("%s reaches %d packages and %d lines; want at most %d and %d", want.name, len(seen), lines, want.packages, want.lines)
		}
	}
}
