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

// TestBenchmarkAudit compares an audit with ccusage, which sums up the tokens of
// the same archive and checks no rules.
func TestBenchmarkAudit(t *testing.T) {
	program, err := filepath.Abs(filepath.Join("..", "..", "bin", "rulecheck"))
	if err != nil {
		t.Fatal(err)
	}
	archive, ccusage := os.Getenv("ARCHIVE"), os.Getenv("CCUSAGE")
	if archive == "" || ccusage == "" {
		t.Skip("ARCHIVE and CCUSAGE name no archive and no program; see make bench-audit")
	}
	rows := []struct {
		what string
		argv []string
	}{
		{"`ccusage daily --json --offline`", []string{ccusage, "daily", "--json", "--offline"}},
		{"`rulecheck audit`, rules disabled", []string{program, "audit", "--quiet", archive}},
		{"`rulecheck audit`, the four modes", []string{program, "audit", "--quiet", archive}},
	}
	empty, checked := auditRepository(t, nil), auditRepository(t, []string{
		"repeated_command: {threshold: 4, window: 120}", "repeated_file_edit: {threshold: 6, window: 300}",
		"phase_timeout: {max_duration: 3600}", "token_budget: {max_tokens: 50000}",
	})
	var list []measured
	for i, r := range rows {
		dir := empty
		if i == len(rows)-1 {
			dir = checked
		}
		list = append(list, measured{argv: append([]string{"env", "-C", dir, "CLAUDE_CONFIG_DIR=" + archive}, r.argv...), same: i})
	}
	times := measure(t, empty, list)
	var doc strings.Builder
	fmt.Fprintf(&doc, "\n## Sessions: an archive of %.2f GB in %s\n\n", float64(sizeOf(t, archive))/1e9, "800 transcripts and their subagents")
	doc.WriteString("| command | median ms | vs. ccusage | memory, MiB |\n|---|--:|--:|--:|\n")
	for i, r := range rows {
		fmt.Fprintf(&doc, "| %s | %.0f | %.2f | %d |\n", r.what, milliseconds(times[i]), milliseconds(times[i])/milliseconds(times[0]), peakOf(t, list[i].argv))
	}
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
