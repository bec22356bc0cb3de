//go:build bench

package main_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestBenchmarkSuggest compares mining a long past with reading it. The commits change one to
// a dozen of 20,000 files, often in pairs.
func TestBenchmarkSuggest(t *testing.T) {
	const commits, files = 10_000, 20_000
	program, err := filepath.Abs(filepath.Join("..", "..", "bin", "rulecheck"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run(t, dir, "git", "init", "-q", "-b", "main")
	past := exec.Command("git", "fast-import", "--quiet", "--force")
	past.Dir, past.Stdin = dir, strings.NewReader(longPast(commits, files))
	if out, err := past.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	run(t, dir, "git", "reset", "-q")
	read := []string{"git", "log", "--first-parent", "--raw", "-z", "-M100%"}
	suggest := []string{program, "suggest", "--format", "json"}
	times := measure(t, dir, []measured{{argv: read, same: 0}, {argv: suggest, same: 0}})
	mined := exec.Command(suggest[0], suggest[1:]...)
	mined.Dir = dir
	if out, err := mined.Output(); err != nil || !strings.Contains(string(out), `"mode"`) {
		t.Fatalf("%v: no rule in %.500s", err, out)
	}
	memory := mined.ProcessState.SysUsage().(*syscall.Rusage).Maxrss / 1024
	git, own := milliseconds(times[0]), milliseconds(times[1])
	record(t, fmt.Sprintf("\n## Suggest: %d commits, %d files\n\n| command | median ms | ratio |\n|---|--:|--:|\n"+
		"| `%s` | %.0f | |\n| `rulecheck suggest`, %d MB | %.0f | %.2f |\n", commits, files, strings.Join(read, " "), git, memory, own, own/git))
}

// longPast returns a past for git fast-import.
func longPast(commits, files int) string {
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	touch := func(name string, commit int) { fmt.Fprintf(&b, "M 644 inline %s\ndata 5\n%05d\n", name, commit) }
	for i := range commits {
		fmt.Fprintf(&b, "commit refs/heads/main\ncommitter bench <bench@example.com> %d +0000\ndata 1\nx\n", 1_500_000_000+i*3600)
		for range 1 + random.IntN(6) {
			n := int(float64(files/2) * random.Float64() * random.Float64())
			name := fmt.Sprintf("src/area%02d/part%03d/unit%05d", n%40, n%400, n)
			touch(name+".proto", i)
			if random.IntN(40) > 0 {
				touch(name+".pb.go", i)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
