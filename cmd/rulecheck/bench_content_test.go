//go:build bench

package main_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// ratio returns the median and the greatest ratio of two commands, pair by pair.
func ratio(a, b []time.Duration) string {
	list := make([]float64, len(a))
	for i := range a {
		list[i] = float64(a[i]) / float64(b[i])
	}
	slices.Sort(list)
	return fmt.Sprintf("%.2f, at most %.2f", list[len(list)/2], list[len(list)-1])
}

// TestBenchmarkDirectives compares a rule about 1,000 blocks in 100,000 files with one about
// the names of the files, on changes of different kinds.
func TestBenchmarkDirectives(t *testing.T) {
	program, err := filepath.Abs(filepath.Join("..", "..", "bin", "rulecheck"))
	if err != nil {
		t.Fatal(err)
	}
	dir := linkedRepository(t, 100_000, 1_000)
	var b strings.Builder
	b.WriteString("\n## Directives: 1000 blocks in 100000 files\n\nA rule with `ifchange` compared with one with `trigger`, both for every file.\n\n" +
		"| change | `trigger`, median ms | `ifchange` | ratio of pairs |\n|---|--:|--:|--:|\n")
	for _, c := range []struct{ change, branch string }{
		{"a block and its target", "pair"},
		{"100 blocks and their targets, 100 other files", "followed"},
		{"100 blocks, 100 other files", "alone"},
		{"a file with a block is deleted", "deleted"},
	} {
		check := func(only string) []string {
			return []string{program, "--from", "main", "--to", c.branch, "--only", only, "--quiet"}
		}
		times := measure(t, dir, []measured{{argv: check("name"), same: 0}, {argv: check("linked"), same: 0}})
		fmt.Fprintf(&b, "| %s | %.0f | %.0f | %s |\n", c.change, milliseconds(times[0]), milliseconds(times[1]), ratio(times[1], times[0]))
	}
	times := measure(t, dir, []measured{
		{argv: []string{program, "--from", "main", "--to", "deleted", "--only", "linked", "--quiet"}, same: 0},
		{argv: []string{"git", "grep", "-lFi", "-e", "LINT.ThenChange", "deleted"}, same: 0},
	})
	fmt.Fprintf(&b, "\nAfter a deletion, each file that may name it is searched: the check takes %s times as long as `git grep -lFi -e LINT.ThenChange deleted` (%.0f ms).\n",
		ratio(times[0], times[1]), milliseconds(times[1]))
	record(t, b.String())
}

// linkedRepository has files, some with a block whose target is the next of them.
func linkedRepository(t *testing.T, files, blocks int) string {
	t.Helper()
	dir := benchRepository(t)
	step := files / blocks
	content := func(i, change int) string {
		text := body(nameOf(i))
		if i%step == 0 {
			text += fmt.Sprintf("// LINT.IfChange(b)\nvar x = %d\n// LINT.ThenChange(//%s:b)\n", change, nameOf((i+step)%files))
		}
		return text + fmt.Sprintf("// change %d\n", change)
	}
	var stream bytes.Buffer
	commit := func(branch, from string) {
		fmt.Fprintf(&stream, "commit refs/heads/%s\ncommitter bench <bench@example.com> 1767322800 +0000\ndata 1\nx\n%s", branch, from)
	}
	commit("main", "")
	for i := range files {
		modify(&stream, nameOf(i), content(i, 0))
	}
	for name, mode := range map[string]string{"name": "trigger", "linked": "ifchange"} {
		modify(&stream, ".rulecheck/rules/"+name+".md", "---\n"+mode+": '**'\nlevel: note\n---\nLook.\n")
	}
	edit := func(list ...int) {
		for _, i := range list {
			modify(&stream, nameOf(i), content(i, 1))
		}
	}
	commit("pair", "from refs/heads/main\n")
	edit(0, step)
	commit("followed", "from refs/heads/main\n")
	for i := range 100 {
		edit(i*step, i*step+1)
	}
	edit(100 * step)
	commit("alone", "from refs/heads/main\n")
	for i := range 100 {
		edit(2*i*step, 2*i*step+1)
	}
	commit("deleted", "from refs/heads/main\n")
	fmt.Fprintf(&stream, "D %s\n", nameOf(step))
	importStream(t, dir, &stream)
	return dir
}

// TestBenchmarkContent measures 500 rules about lines on 1,000 changed files.
func TestBenchmarkContent(t *testing.T) {
	program, err := filepath.Abs(filepath.Join("..", "..", "bin", "rulecheck"))
	if err != nil {
		t.Fatal(err)
	}
	const rules, files = 500, 1000
	dir := benchRepository(t)
	var stream bytes.Buffer
	for change, branch := range []string{"main", "topic"} {
		fmt.Fprintf(&stream, "commit refs/heads/%s\ncommitter bench <bench@example.com> 1767322800 +0000\ndata 1\nx\n", branch)
		if change > 0 {
			stream.WriteString("from refs/heads/main\n")
		}
		for i := range files {
			modify(&stream, nameOf(i), body(nameOf(i))+fmt.Sprintf("// change %d\n", change))
		}
		for i := range rules {
			modify(&stream, fmt.Sprintf(".rulecheck/rules/r%03d.md", i), fmt.Sprintf("---\nforbid: {files: '**', lines: 'word%03d[0-9]+'}\n---\nLook.\n", i))
		}
	}
	importStream(t, dir, &stream)
	times := measure(t, dir, []measured{{argv: []string{program, "--from", "main", "--to", "topic", "--quiet"}, same: 0}})
	record(t, fmt.Sprintf("\n## Lines: %d rules with `forbid`, %d changed files\n\n`rulecheck --from main --to topic --quiet`: %.0f ms.\n", rules, files, milliseconds(times[0])))
}

// TestBenchmarkNested compares the search for rules of directories with git's own list of the
// index.
func TestBenchmarkNested(t *testing.T) {
	program, err := filepath.Abs(filepath.Join("..", "..", "bin", "rulecheck"))
	if err != nil {
		t.Fatal(err)
	}
	const files, directories = 2_000_000, 2_000
	dir := benchRepository(t)
	blob := func(text string) string {
		cmd := exec.Command("git", "hash-object", "-w", "--stdin")
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(text)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	source, rule := blob("package x\n"), blob("---\ntrigger: 'none/**'\n---\nLook.\n")
	var index bytes.Buffer // in the order of the index
	for d := range directories {
		fmt.Fprintf(&index, "100644 %s\tarea%04d/.rulecheck/rules/look.md\n", rule, d)
		for i := range files / directories {
			fmt.Fprintf(&index, "100644 %s\tarea%04d/unit%02d/file%02d.go\n", source, d, i/20, i%20)
		}
	}
	update := exec.Command("git", "update-index", "--index-info")
	update.Dir, update.Stdin = dir, &index
	if out, err := update.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	run(t, dir, "git", "commit", "-q", "-m", "x")
	run(t, dir, "sh", "-c", "git ls-files -z 'area*/.rulecheck' | git checkout-index -z --stdin")
	times := measure(t, dir, []measured{
		{argv: []string{"git", "ls-files"}, same: 0},
		{argv: []string{program, "rules", "list"}, same: 0},
	})
	record(t, fmt.Sprintf("\n## Rules of directories: %d directories with a rule in an index of %d files\n\n| command | median ms | ratio of pairs |\n|---|--:|--:|\n"+
		"| `git ls-files` | %.0f | |\n| `rulecheck rules list` | %.0f | %s |\n", directories, files+directories, milliseconds(times[0]), milliseconds(times[1]), ratio(times[1], times[0])))
}

// benchRepository returns an empty repository.
func benchRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	run(t, dir, "git", "init", "-q", "-b", "main")
	for _, kv := range []string{"user.name=bench", "user.email=bench@example.com", "gc.auto=0"} {
		key, value, _ := strings.Cut(kv, "=")
		run(t, dir, "git", "config", key, value)
	}
	return dir
}

// importStream imports commits and checks out main in the index only.
func importStream(t *testing.T, dir string, stream *bytes.Buffer) {
	t.Helper()
	fast := exec.Command("git", "fast-import", "--quiet")
	fast.Dir, fast.Stdin, fast.Env = dir, stream, os.Environ()
	if out, err := fast.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	run(t, dir, "git", "reset", "-q")
}
