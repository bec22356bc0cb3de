package main_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestSuggestAtTerminal answers the question which rules to write.
func TestSuggestAtTerminal(t *testing.T) {
	t.Parallel()
	const question = `Write which rules? Numbers such as 1 3, "all", or nothing: `
	for _, c := range []struct {
		name    string
		answers []string
		status  int
		want    string // part of the output after the first question
		rules   int
	}{
		{"number", []string{"2\n"}, 0, "wrote .rulecheck/rules/go-mod-with-go-sum.md", 1},
		{"mistake", []string{"7 x\n", "1, 2\n"}, 0, `"7" is not the number of a rule.`, 2},
		{"all", []string{"ALL\n"}, 0, "wrote .rulecheck/rules/changelog-md-with-version.md", 2},
		{"nothing", []string{"\n"}, 0, "\n", 0},
		{"no", []string{"n\n"}, 0, "\n", 0},
		{"quit", []string{"Q\n"}, 0, "\n", 0},
		{"end", []string{"\x04"}, 0, "\n", 0},
		{"interrupted", []string{"\x03"}, 130, "rulecheck: interrupted", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			w := newReplayWorld(t)
			w.run(t, "", "git", "init", "-q", "-b", "main", dir)
			w.followed(t, dir)
			terminal, cmd := w.terminal(t, dir, "rulecheck", "suggest")
			before := until(t, terminal, question)
			if strings.Count(before, "\n   held in ") != 6 || strings.Contains(before, "rulecheck suggest --write") {
				t.Errorf("the suggestions are:\n%s", before)
			}
			var after strings.Builder
			for i, answer := range c.answers {
				if i > 0 {
					after.WriteString(until(t, terminal, question))
				}
				if _, err := terminal.WriteString(answer); err != nil {
					t.Fatal(err)
				}
			}
			rest, _ := io.ReadAll(terminal) // ends with EIO, as Linux ends a terminal
			after.Write(rest)
			_ = cmd.Wait()
			if status := cmd.ProcessState.ExitCode(); status != c.status || !strings.Contains(after.String(), c.want) {
				t.Errorf("status %d, want %d, and %q in:\n%s", status, c.status, c.want, &after)
			}
			if written, _ := filepath.Glob(filepath.Join(dir, ".rulecheck", "rules", "*")); len(written) != c.rules {
				t.Errorf("rules: %q; want %d", written, c.rules)
			}
		})
	}
}

// followed makes commits that follow two rules.
func (w *replayWorld) followed(t *testing.T, dir string) {
	t.Helper()
	var b strings.Builder
	for i := range 120 {
		fmt.Fprintf(&b, "commit refs/heads/main\ncommitter A <a@example.com> %d +0000\ndata 6\nchange\n", 1_700_000_000+i*86_400)
		for _, file := range [][]string{{"VERSION", "CHANGELOG.md"}, {"go.mod", "go.sum"}}[i%2] {
			fmt.Fprintf(&b, "M 644 inline %s\ndata 4\n%04d\n", file, i)
		}
	}
	cmd := exec.CommandContext(t.Context(), "git", "fast-import", "--quiet", "--force")
	cmd.Dir, cmd.Env, cmd.Stdin = dir, w.env, strings.NewReader(b.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	w.run(t, dir, "git", "reset", "-q", "--hard")
}

// terminal starts a program at a new terminal.
func (w *replayWorld) terminal(t *testing.T, dir, name string, args ...string) (*os.File, *exec.Cmd) {
	t.Helper()
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no terminals here: %v", err)
	}
	t.Cleanup(func() { terminal.Close() })
	n, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(terminal.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	end, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no terminals here: %v", err)
	}
	defer end.Close()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, append(slices.Clone(w.env), "TERM=xterm")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = end, end, end
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return terminal, cmd
}

// until returns what a program writes up to the end of a text.
func until(t *testing.T, from io.Reader, text string) string {
	t.Helper()
	var b strings.Builder
	buf := make([]byte, 1)
	for !strings.HasSuffix(b.String(), text) {
		if _, err := from.Read(buf); err != nil {
			t.Fatalf("%v after:\n%s", err, b.String())
		}
		b.Write(buf)
	}
	return strings.ReplaceAll(b.String(), "\r\n", "\n")
}
