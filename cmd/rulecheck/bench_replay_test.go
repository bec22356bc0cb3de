//go:build bench

package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBenchmarkReplay measures a replay of 50 rules on 10,000 commits next to git log.
func TestBenchmarkReplay(t *testing.T) {
	program, err := filepath.Abs(filepath.Join("..", "..", "bin", "rulecheck"))
	if err != nil {
		t.Fatal(err)
	}
	const units, paths, rules = 10_000, 20_000, 50
	dir := past(t, units, paths)
	if err := os.MkdirAll(filepath.Join(dir, ".rulecheck", "rules"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range rules {
		text := []string{
			"set: [\"area%02d/{path}.go\", \"area%02[1]d/{path}_test.go\"]",
			"pair: {trigger: \"area%02d/{path}.go\", expects: \"area%02[1]d/{path}_test.go\"}",
			"trigger: \"area%02d/**/*.md\"\nsafety: \"area00/**\"",
			"pair: {trigger: \"area%02d/{path}.go\", expects: \"area%02[1]d/{path}.md\"}\nrequire: exists",
			"created: \"area%02d/**\"",
		}[i%5]
		text = "---\n" + fmt.Sprintf(text, i) + "\n---\nLook.\n"
		if err := os.WriteFile(filepath.Join(dir, ".rulecheck", "rules", fmt.Sprintf("r%d.md", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	times := measure(t, dir, []measured{
		{argv: []string{"git", "log", "--first-parent", "--diff-merges=first-parent", "--raw", "-z", "-M50%", "-l1000", "--format=%H"}, same: 0},
		{argv: []string{program, "replay", "-n", "0"}, same: 0},
	})
	record(t, fmt.Sprintf("\n## Replay: %d rules on %d commits, %d paths\n\n| command | median ms | vs. git log |\n|---|--:|--:|\n"+
		"| `git log --first-parent --raw -M` | %.0f | 1 |\n| `rulecheck replay -n 0` | %.0f | %.2f |\n",
		rules, units, paths, milliseconds(times[0]), milliseconds(times[1]), milliseconds(times[1])/milliseconds(times[0])))
}

// past makes a repository with so many commits on its main line, a tenth of them merges;
// each changes up to six files in one of 50 areas, and some rename one.
func past(t *testing.T, units, paths int) string {
	t.Helper()
	dir := t.TempDir()
	run(t, dir, "git", "init", "-q", "-b", "main")
	var b strings.Builder
	name := func(i int) string {
		return fmt.Sprintf("area%02d/unit%d/file%d%s", i%50, i/500, i/150, []string{".go", "_test.go", ".md"}[i/50%3])
	}
	commit := func(branch string, n int, parents string) {
		message := fmt.Sprintf("change %d", n)
		fmt.Fprintf(&b, "commit refs/heads/%s\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata %d\n%s\n%s", branch, n, 1_600_000_000+n*3600, len(message), message, parents)
	}
	write := func(path string, n int) {
		content := fmt.Sprintf("%s\n%s%d\n", path, strings.Repeat("the same line\n", 10), n)
		fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", path, len(content), content)
	}
	commit("main", 1, "")
	for i := range paths {
		write(name(i), 0)
	}
	mark := 1
	for n := range units - 1 {
		last, from := mark, n*7919%paths
		branch, parents := "main", fmt.Sprintf("from :%d\n", last)
		if n%10 == 9 { // on a side that is merged below
			branch = "side"
		}
		mark++
		commit(branch, mark, parents)
		for k := range 1 + n%6 {
			write(name((from+k*50)%paths), n+1)
		}
		if n%25 == 24 {
			fmt.Fprintf(&b, "R %s moved/%d.go\n", name(from), n)
			write(name(from), n+1)
		}
		if branch == "side" {
			mark++
			commit("main", mark, fmt.Sprintf("from :%d\nmerge :%d\n", last, mark-1))
			for k := range 1 + n%6 {
				write(name((from+k*50)%paths), n+1)
			}
		}
	}
	b.WriteString("done\n")
	fast := exec.Command("git", "fast-import", "--quiet", "--done")
	fast.Dir, fast.Stdin = dir, strings.NewReader(b.String())
	if out, err := fast.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	return dir
}
