//go:build bench && unix

package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestBenchmarkAudit compares audits with ccusage, which sums up the tokens of the same
// archive and checks no rules: in each format, of logs that did not change, of the logs of
// many agents, and of more and more logs.
func TestBenchmarkAudit(t *testing.T) {
	program, err := filepath.Abs(filepath.Join("..", "..", "bin", "rulecheck"))
	if err != nil {
		t.Fatal(err)
	}
	archive, mixed, ccusage := os.Getenv("ARCHIVE"), os.Getenv("MIXED"), os.Getenv("CCUSAGE")
	if archive == "" || mixed == "" || ccusage == "" {
		t.Skip("ARCHIVE, MIXED and CCUSAGE name no archives and no program; see scripts/bench-audit.sh")
	}
	empty, checked := auditRepository(t, nil), auditRepository(t, []string{
		"repeated_command: {threshold: 4, window: 120}", "repeated_file_edit: {threshold: 6, window: 300}",
		"phase_timeout: {max_duration: 3600}", "token_budget: {max_tokens: 50000}",
	})
	in := func(dir string, argv ...string) measured {
		return measured{argv: append([]string{"env", "-C", dir, "CLAUDE_CONFIG_DIR=" + archive, "XDG_CACHE_HOME=" + filepath.Join(dir, "cache")}, argv...)}
	}
	const cold = "--no-cache"
	list := []measured{
		in(empty, ccusage, "daily", "--json", "--offline"),
		in(empty, program, "audit", "--quiet", cold, archive),
		in(checked, program, "audit", cold, mixed),
	}
	names := []string{"`ccusage daily --json --offline`", "`rulecheck audit`, rules disabled", fmt.Sprintf("`rulecheck audit` of %.2f GB of nine formats", float64(sizeOf(t, mixed))/1e9)}
	first := len(list)
	formats := []string{"text", "json", "facts", "row", "sarif", "html"}
	for _, name := range formats {
		list = append(list, in(checked, program, "audit", "--format", name, cold, archive), in(checked, program, "audit", "--format", name, archive))
	}
	const few = 9
	times := measureIn(t, empty, few, list)
	var doc strings.Builder
	fmt.Fprintf(&doc, "\n## Sessions: an archive of %.2f GB in %s, four rules\n\n", float64(sizeOf(t, archive))/1e9, "800 transcripts and their subagents")
	fmt.Fprintf(&doc, "In %d runs.\n\n", few)
	doc.WriteString("| command | median ms | vs. ccusage | memory, MiB |\n|---|--:|--:|--:|\n")
	row := func(name string, i int) {
		fmt.Fprintf(&doc, "| %s | %.0f | %.2f | %d |\n", name, milliseconds(times[i]), milliseconds(times[i])/milliseconds(times[0]), peakOf(t, list[i].argv))
	}
	for i, name := range names {
		row(name, i)
	}
	for i, name := range formats {
		row("`rulecheck audit --format "+name+"`", first+2*i)
	}
	doc.WriteString("\nOf logs that did not change since the last audit:\n\n| command | median ms | vs. the first audit | memory, MiB |\n|---|--:|--:|--:|\n")
	for i, name := range formats {
		again := first + 2*i + 1
		fmt.Fprintf(&doc, "| `rulecheck audit --format %s` | %.0f | %.3f | %d |\n",
			name, milliseconds(times[again]), milliseconds(times[again])/milliseconds(times[again-1]), peakOf(t, list[again].argv))
	}
	doc.WriteString("\nMemory in MiB, by the number of transcripts:\n\n| format | 200 | 400 | 800 |\n|---|--:|--:|--:|\n")
	logs, err := filepath.Glob(filepath.Join(archive, "projects", "*", "*.jsonl"))
	if err != nil || len(logs) < 800 {
		t.Fatal(len(logs), err)
	}
	for _, name := range formats {
		fmt.Fprintf(&doc, "| %s |", name)
		for _, n := range []int{200, 400, 800} {
			fmt.Fprintf(&doc, " %d |", peakOf(t, in(checked, append([]string{program, "audit", "--format", name, cold}, logs[:n]...)...).argv))
		}
		doc.WriteString("\n")
	}
	doc.WriteString("\nnumbat, which reads the same logs, is not in the Go module proxy, and was not measured.\n")
	record(t, doc.String())
}

func auditRepository(t *testing.T, rules []string) string {
	t.Helper()
	dir := t.TempDir()
	run(t, dir, "git", "init", "-q", "-b", "main")
	home := filepath.Join(dir, ".rulecheck", "rules")
	if err := os.MkdirAll(home, 0o755); err != nil {
		t.Fatal(err)
	}
	if rules == nil {
		config := filepath.Join(dir, ".rulecheck", "config.yml")
		if err := os.WriteFile(config, []byte("rules: {enabled: false}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i, r := range rules {
		text := "---\n" + r + "\n---\nStop.\n"
		if err := os.WriteFile(filepath.Join(home, fmt.Sprintf("r%d.md", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func sizeOf(t *testing.T, dir string) (size int64) {
	t.Helper()
	err := filepath.Walk(dir, func(_ string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			size += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// peakOf is the most memory that a command held, in MiB.
func peakOf(t *testing.T, argv []string) int64 {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	_ = cmd.Run() // findings give a status
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Fatal("no usage")
	}
	if runtime.GOOS == "linux" {
		return usage.Maxrss >> 10 // from KiB
	}
	return usage.Maxrss >> 20
}
