package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// consoleDocuments are those whose consoles are run. A block of text that follows
// a line with nothing but a path in backquotes and a colon is a file, made as the
// document comes to it in a repository of its own; a block of the language console
// has calls of sh, each behind "$ ", and all that they print.
var consoleDocuments = []string{"agents.md"}

var (
	fence     = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")
	fileAbove = regexp.MustCompile("(?m)^`([^`\n]+)`:\n\n$")
)

func TestConsolesInDocuments(t *testing.T) {
	for _, name := range consoleDocuments {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
			if err != nil {
				t.Fatal(err)
			}
			c := newConsole(t)
			last := 0
			for _, at := range fence.FindAllSubmatchIndex(text, -1) {
				language, body := string(text[at[2]:at[3]]), string(text[at[4]:at[5]])
				above := fileAbove.FindSubmatch(text[last:at[0]])
				last = at[1]
				switch {
				case above != nil:
					c.file(string(above[1]), body)
				case language == "console":
					c.session(body)
				}
			}
			if c.calls == 0 {
				t.Error("no call was run; want those of the document")
			}
		})
	}
}

// console is a shell in a fresh repository.
type console struct {
	*testing.T
	dir   string
	env   []string
	calls int
}

func newConsole(t *testing.T) *console {
	t.Helper()
	c := &console{T: t, dir: t.TempDir()}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(program, filepath.Join(bin, "rulecheck")); err != nil {
		t.Skip(err) // a system without links
	}
	c.env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+t.TempDir(), "XDG_CONFIG_HOME=", "CI=",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
	c.run("git init -q -b main && git commit -q --allow-empty -m initial")
	return c
}

func (c *console) file(name, content string) {
	c.Helper()
	full := filepath.Join(c.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		c.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		c.Fatal(err)
	}
}

// session runs the calls of a block and wants what the block says they print.
func (c *console) session(block string) {
	c.Helper()
	for _, call := range strings.Split("\n"+block, "\n$ ")[1:] {
		command, want, _ := strings.Cut(call, "\n")
		c.calls++
		if diff := cmp.Diff(strings.TrimRight(want, "\n"), strings.TrimRight(c.run(command), "\n")); diff != "" {
			c.Errorf("$ %s (-want +got):\n%s", command, diff)
		}
	}
}

func (c *console) run(command string) string {
	c.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = c.dir, c.env
	out, err := cmd.CombinedOutput()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() < 0) {
		c.Fatalf("$ %s: %v", command, err)
	}
	return string(out)
}
