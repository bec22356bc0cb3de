//go:build bench

package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// stagedFiles is how many files the commands are measured with.
const stagedFiles = 500

// TestBenchmarkCommands compares commands with xargs, which runs as many of them
// in parallel and does nothing else.
func TestBenchmarkCommands(t *testing.T) {
	program, err := filepath.Abs(filepath.Join("..", "..", "bin", "rulecheck"))
	if err != nil {
		t.Fatal(err)
	}
	var doc strings.Builder
	fmt.Fprintf(&doc, "\n## Commands: %d staged files, one process of gofmt for each\n\n", stagedFiles)
	doc.WriteString("| command | median ms | vs. xargs |\n|---|--:|--:|\n")
	xargs := []string{"sh", "-c", fmt.Sprintf("git diff --cached --name-only -z | xargs -0 -P%d -n1 gofmt -l", runtime.NumCPU())}
	rows := []struct {
		what string
		dir  string
		argv []string
	}{
		{"`xargs -0 -P$(nproc) -n1 gofmt -l`", commandRepository(t, "gofmt -l {file}", "each_match", true), xargs},
		{"`rulecheck --staged`, nothing to change", "", []string{program, "--staged", "--quiet"}},
		{"`rulecheck --staged`, every file changed and proved", commandRepository(t, "gofmt -w {file}", "each_match", false), []string{program, "--staged", "--quiet"}},
	}
	rows[1].dir = rows[0].dir
	var list []measured
	for i, r := range rows {
		list = append(list, measured{argv: append([]string{"env", "-C", r.dir}, r.argv...), same: i})
	}
	times := measure(t, rows[0].dir, list)
	for i, r := range rows {
		fmt.Fprintf(&doc, "| %s | %.0f | %.2f |\n", r.what, milliseconds(times[i]), milliseconds(times[i])/milliseconds(times[0]))
	}
	record(t, doc.String())
}

// record adds a section to the document, or replaces the one of that heading.
func record(t *testing.T, section string) {
	t.Helper()
	t.Log(section)
	if *written == "" {
		return
	}
	text, err := os.ReadFile(*written)
	if err != nil {
		t.Fatal(err)
	}
	heading, _, _ := strings.Cut(strings.TrimPrefix(section, "\n"), "\n")
	heading, _, _ = strings.Cut(heading, ":")
	doc := string(text)
	if before, after, ok := strings.Cut(doc, "\n"+heading); ok {
		_, rest, more := strings.Cut(after, "\n## ")
		if doc = before; more {
			doc += "\n## " + rest
		}
	}
	if err := os.WriteFile(*written, []byte(doc+section), 0o644); err != nil {
		t.Fatal(err)
	}
}

// commandRepository has a rule with a command and that many Go files staged.
func commandRepository(t *testing.T, command, runFor string, formatted bool) string {
	t.Helper()
	dir := t.TempDir()
	run(t, dir, "git", "init", "-q", "-b", "main")
	write := func(name, text string) {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/m\n")
	write(".rulecheck/rules/fmt.md", fmt.Sprintf("---\ntrigger: '**/*.go'\naction: {command: %q, run_for: %s}\n---\n", command, runFor))
	run(t, dir, "git", "add", "-A")
	run(t, dir, "git", "-c", "user.name=b", "-c", "user.email=b@example.com", "commit", "-q", "-m", "x")
	for i := range stagedFiles {
		var b strings.Builder
		b.WriteString("package p\n")
		for n := range 20 {
			indent := "\t"
			if !formatted {
				indent = "  "
			}
			fmt.Fprintf(&b, "\nfunc f%d(a int) int {\n%sreturn a + %d\n}\n", n, indent, n)
		}
		write(fmt.Sprintf("pkg%02d/file%d.go", i%20, i), b.String())
	}
	run(t, dir, "git", "add", "-A")
	return dir
}
