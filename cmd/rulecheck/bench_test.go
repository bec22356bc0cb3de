//go:build bench

package main_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/pattern"
)

var written = flag.String("write", "", "file to write the figures to")

// runs is how often each command is measured, the commands taking turns.
const runs = 15

// TestBenchmarks compares whole processes with git's, in one run on one
// machine. It asserts no time: the figures are for people.
func TestBenchmarks(t *testing.T) {
	program, err := filepath.Abs(filepath.Join("..", "..", "bin", "rulecheck"))
	if err != nil {
		t.Fatal(err)
	}
	var doc strings.Builder
	fmt.Fprintf(&doc, "# Benchmarks\n\nMedian times of whole processes in %d runs after a warm-up, with the commands in turn (`make bench`).\n", runs)
	fmt.Fprintf(&doc, "The ratios depend less on the machine than the times. %s, %d cores, %s.\n", run(t, ".", "git", "version"), runtime.NumCPU(), runtime.Version())
	var paths []string
	for _, size := range []struct{ files, changed, rules int }{{1_500, 150, 20}, {100_000, 5_000, 20}, {100_000, 100_000, 200}} {
		dir := generate(t, size.files, size.changed, size.rules)
		fmt.Fprintf(&doc, "\n## %d files, %d of them changed on the branch, %d rules of all four modes\n\n", size.files, size.changed, size.rules)
		doc.WriteString(compare(t, dir, program))
		paths = strings.Split(strings.TrimSuffix(run(t, dir, "git", "ls-files", "-z"), "\x00"), "\x00")
	}
	doc.WriteString(patterns(t, paths))
	t.Log(doc.String())
	if *written != "" {
		if err := os.WriteFile(*written, []byte(doc.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// measured is a command with the one that asks git the same, by its place in
// the list; its own place where there is none.
type measured struct {
	argv []string
	same int
}

// compare gives the table of one repository.
func compare(t *testing.T, dir, program string) string {
	t.Helper()
	together := func(a, b string) []string { return []string{"sh", "-c", a + " & " + b + "; wait"} }
	commands := []measured{
		{[]string{"git", "status", "--porcelain=v2"}, 0},
		{[]string{"git", "diff", "--raw", "-M", "main...HEAD"}, 1},
		{[]string{"git", "diff", "--cached", "--raw", "-M"}, 2},
		{together("git diff --raw -M --merge-base main", "git ls-files -o --exclude-standard"), 3},
		{together("git diff-index --cached --raw -M --merge-base main", "git diff-index --cached --raw -M HEAD"), 4},
		{[]string{program, "--since", "main", "--to", "HEAD", "--quiet"}, 1},
		{[]string{program, "--since", "main", "--quiet"}, 3},
		{[]string{program, "--staged", "--quiet"}, 4},
	}
	times := measure(t, dir, commands)
	var b strings.Builder
	b.WriteString("| command | median ms | vs. git status | vs. git diff main...HEAD | vs. git diff --cached | vs. the same with git |\n" +
		"|---|--:|--:|--:|--:|--:|\n")
	for i, c := range commands {
		command := strings.TrimPrefix(strings.Join(c.argv, " "), "sh -c ")
		fmt.Fprintf(&b, "| `%s` | %.1f |", strings.ReplaceAll(command, program, "rulecheck"), milliseconds(times[i]))
		for _, git := range []int{0, 1, 2, c.same} {
			fmt.Fprintf(&b, " %.2f |", milliseconds(times[i])/milliseconds(times[git]))
		}
		b.WriteString("\n")
	}
	// Where main is checked out there is no change but the one that is staged.
	run(t, dir, "git", "branch", "-f", "main", "HEAD")
	times = measure(t, dir, []measured{{[]string{program, "--staged", "--quiet"}, 0}})
	fmt.Fprintf(&b, "\n`rulecheck --staged --quiet` where main is HEAD: %.1f ms.\n", milliseconds(times[0]))
	return b.String()
}

// measure runs the commands in turn, and returns the times of each. Their standard
// error goes to a file, because reading it from a pipe would slow the command down.
func measure(t *testing.T, dir string, commands []measured) [][]time.Duration {
	t.Helper()
	return measureIn(t, dir, runs, commands)
}

// measureIn is measure with fewer runs, of commands that take seconds.
func measureIn(t *testing.T, dir string, runs int, commands []measured) [][]time.Duration {
	t.Helper()
	times := make([][]time.Duration, len(commands))
	stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	for n := range runs + 1 {
		for i, c := range commands {
			begin := time.Now()
			cmd := exec.Command(c.argv[0], c.argv[1:]...)
			cmd.Dir, cmd.Stderr = dir, stderr
			err := cmd.Run()
			took := time.Since(begin)
			if code := cmd.ProcessState.ExitCode(); code > 1 {
				text, _ := os.ReadFile(stderr.Name())
				t.Fatalf("%v: %v\n%s", c.argv, err, text)
			}
			if n > 0 { // the first is the warm-up
				times[i] = append(times[i], took)
			}
		}
	}
	return times
}

// patterns measures 500 patterns, with and without captures, over all paths.
func patterns(t *testing.T, paths []string) string {
	t.Helper()
	var all []*pattern.Pattern
	for i := range 500 {
		d := i % 100
		source := []string{
			fmt.Sprintf("area%02d/**/*.go", d),
			fmt.Sprintf("area%02d/{path}/file{n}.go", d),
			fmt.Sprintf("area%02d/unit1/{path}/{name}_test.go", d),
			fmt.Sprintf("**/pkg%02d/**/file%d.*", d%37, i%9),
			fmt.Sprintf("area%02d/unit%d/**/*.md", d, d%10),
		}[i%5]
		p, err := pattern.Compile(source)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	index := pattern.NewIndex(all)
	var times []time.Duration
	hits := 0
	for range runs {
		hits = 0
		begin := time.Now()
		for _, name := range paths {
			index.Match(name, func(int, pattern.Captures) { hits++ })
		}
		times = append(times, time.Since(begin))
	}
	return fmt.Sprintf("\n## Patterns\n\n%d patterns over %d paths, %d hits with their captures, one core: %.0f ms.\n", len(all), len(paths), hits, milliseconds(times))
}

func milliseconds(times []time.Duration) float64 {
	sorted := slices.Sorted(slices.Values(times))
	return float64(sorted[len(sorted)/2]) / float64(time.Millisecond)
}

// generate makes a repository with a branch main and, checked out, a branch
// that changed some files: of a hundred, 86 are edited, 6 new, 3 deleted and 5
// renamed, every other of those edited too; or all are edited. Some more are
// changed in the index and on disk.
func generate(t *testing.T, files, changed, ruleCount int) string {
	t.Helper()
	dir := benchRepository(t)
	names := make([]string, files)
	for i := range names {
		names[i] = nameOf(i)
	}
	var stream bytes.Buffer
	fmt.Fprint(&stream, "commit refs/heads/main\ncommitter bench <bench@example.com> 1767322800 +0000\ndata 1\nx\n")
	for _, name := range names {
		modify(&stream, name, body(name))
	}
	fmt.Fprint(&stream, "commit refs/heads/feature\ncommitter bench <bench@example.com> 1767322801 +0000\ndata 1\nx\nfrom refs/heads/main\n")
	for i := range changed {
		name := names[i/4*4*(files/changed)+i%4] // a source with its test, its page and its data
		moved := path.Join(path.Dir(name), "moved-"+path.Base(name))
		switch kind := i % 100; {
		case kind < 86 || changed == files:
			modify(&stream, name, body(name)+"changed\n")
		case kind < 92:
			modify(&stream, path.Join(path.Dir(name), "new-"+path.Base(name)), body("new"+name))
		case kind < 95:
			fmt.Fprintf(&stream, "D %s\n", name)
		case kind%2 == 0:
			fmt.Fprintf(&stream, "R %s %s\n", name, moved)
		default:
			fmt.Fprintf(&stream, "D %s\n", name)
			modify(&stream, moved, body(name)+"changed\n")
		}
	}
	fast := exec.Command("git", "fast-import", "--quiet")
	fast.Dir, fast.Stdin = dir, &stream
	if out, err := fast.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	run(t, dir, "git", "checkout", "-q", "feature")
	rules(t, dir, ruleCount)
	run(t, dir, "git", "add", "-A")
	run(t, dir, "git", "commit", "-q", "-m", "rules")
	for i := range 100 {
		name := names[i*files/100]
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			continue // the branch took it away
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body(name)+"dirty\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			run(t, dir, "git", "add", name)
		}
	}
	time.Sleep(1100 * time.Millisecond) // so that no entry of the index is racy
	run(t, dir, "git", "update-index", "-q", "--refresh")
	return dir
}

// nameOf spreads files over as many directories as a large repository has:
// eight in each, four to six deep; a source, its test, its page and its data.
func nameOf(i int) string {
	d := i / 8
	name := fmt.Sprintf("area%02d/unit%d/pkg%02d/part%d", d%100, d/100%10, d%37, d/1000)
	if d%3 > 0 {
		name += fmt.Sprintf("/sub%d", d%3)
	}
	if d%5 == 0 {
		name += "/deep"
	}
	return name + fmt.Sprintf("/file%d%s", i/4%2, []string{".go", "_test.go", ".md", ".yaml"}[i%4])
}

func body(name string) string {
	var b strings.Builder
	for line := range 20 {
		fmt.Fprintf(&b, "// line %d of %s does one thing and does it well\n", line, name)
	}
	return b.String()
}

func modify(w io.Writer, name, content string) {
	fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", name, len(content), content)
}

// rules writes rules of all four modes.
func rules(t *testing.T, dir string, n int) {
	t.Helper()
	forms := []string{
		"trigger: 'area%02d/**'\nsafety: 'area%02d/unit0/*.md'",
		"set: ['area%02d/{path}.go', 'area%02d/{path}_test.go']",
		"pair: {trigger: 'area%02d/{path}/{name}.go', expects: 'area%02d/{path}/{name}.md'}\nexclude: '**/*_test.go'",
		"created: ['area%02d/**/*.go', 'area%02d/*']",
	}
	if err := os.MkdirAll(filepath.Join(dir, ".rulecheck", "rules"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		area := i * 100 / n
		text := fmt.Sprintf("---\n"+forms[i%4]+"\nlevel: note\n---\nLook at {trigger_files}.\n", area, area)
		if err := os.WriteFile(filepath.Join(dir, ".rulecheck", "rules", fmt.Sprintf("rule%03d.md", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func run(t *testing.T, dir string, argv ...string) string {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmp.Or(argv...), err)
	}
	return strings.TrimSpace(string(out))
}
