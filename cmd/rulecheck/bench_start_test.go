//go:build bench

package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestBenchmarkStart measures the fixed cost of a run: with nothing to check, and
// with nothing to do. Its program is built without symbols.
func TestBenchmarkStart(t *testing.T) {
	program, err := filepath.Abs(filepath.Join("..", "..", "bin", "rulecheck"))
	if err != nil {
		t.Fatal(err)
	}
	dir := generate(t, 1500, 150, 20)
	run(t, dir, "git", "reset", "-q", "--hard")
	times := measure(t, dir, []measured{
		{argv: []string{program, "version"}, same: 0},
		{argv: []string{program, "--staged", "--quiet"}, same: 1},
	})
	run(t, dir, "git", "branch", "-f", "main", "HEAD")
	times = append(times, measure(t, dir, []measured{{argv: []string{program, "--staged", "--quiet"}, same: 0}})...)
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	record(t, fmt.Sprintf("\n## Start: 1500 files, 20 rules, a program of %.1f MB\n\n| command | median ms |\n|---|--:|\n"+
		"| `rulecheck version` | %.1f |\n| `rulecheck --staged --quiet`, nothing staged, on a branch with 150 changes | %.1f |\n"+
		"| the same where main is HEAD | %.1f |\n", float64(info.Size())/1e6, milliseconds(times[0]), milliseconds(times[1]), milliseconds(times[2])))
}
