package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/gittest"
)

// consoleDocuments lists the documents with console blocks, by path from docs. Each
// document runs in a new repository. A block after a line that consists of a path in
// backquotes and a colon is a file; a block in the language console has shell commands
// after "$ ", each with its whole output; a comment that begins with "run:" has commands
// that prepare the next console.
var consoleDocuments = []string{"../README.md", "agents.md", "integrations.md", "migration.md", "monorepo.md", "packs.md", "replay.md", "rollout.md", "scale.md", "sessions.md", "stacks.md", "start.md", "suggest.md", "teach.md", "tool-rules.md", "why.md", "workflows.md"}

// block is a block of code in a document.
type block struct {
	line           int
	file           string // the path above it, if it is a file
	language, body string // "run" for the commands in a comment
}

var (
	fence     = regexp.MustCompile("(?ms)^(?:````([a-z]*)\n(.*?)^````|```([a-z]*)\n(.*?)^```|<!-- (run):\n(.*?)^-->)$")
	fileAbove = regexp.MustCompile("(?m)^`([^`\n]+)`:\n\n$")
)

func codeBlocks(text string) []block {
	var all []block
	last := 0
	for _, at := range fence.FindAllStringSubmatchIndex(text, -1) {
		b := block{line: 1 + strings.Count(text[:at[0]], "\n")}
		if above := fileAbove.FindStringSubmatch(text[last:at[0]]); above != nil {
			b.file = above[1]
		}
		for i := 2; i < len(at); i += 4 {
			if at[i] >= 0 {
				b.language, b.body = text[at[i]:at[i+1]], text[at[i+2]:at[i+3]]
			}
		}
		last = at[1]
		all = append(all, b)
	}
	return all
}

func TestConsolesInDocuments(t *testing.T) {
	t.Parallel()
	for _, name := range consoleDocuments {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t)
			c.varies = name == "agents.md" || name == "workflows.md"
			if name == "workflows.md" {
				c.env = append(c.env, "GIT_COMMITTER_DATE=") // phases compare commits with the time
			}
			for _, b := range codeBlocks(readDocument(t, "..", "..", "docs", name)) {
				switch {
				case b.file != "":
					c.file(b.file, b.body)
				case b.language == "console":
					c.session(b.body)
				case b.language == "run":
					if out, status := c.run("set -e\n" + b.body); status != 0 {
						t.Fatalf("line %d: exit status %d: %s", b.line, status, out)
					}
				case name == "workflows.md":
					t.Errorf("line %d: a block that is neither a file nor a console", b.line)
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
	home  string
	path  string // the value of PATH
	// varies is set for a document whose output has ids of sessions and times of now.
	varies bool
}

var varying = regexp.MustCompile(`\b[0-9a-f]{16}\b|\b(?:[0-9]{4}-[0-9]{2}-[0-9]{2} )?[0-9]{2}:[0-9]{2}:[0-9]{2}Z?\b`)

// quietEnviron returns the environment without GitHub's variables, which would select
// another base.
func quietEnviron() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GITHUB_") })
}

func newConsole(t *testing.T) *console {
	t.Helper()
	c := &console{T: t, dir: t.TempDir()}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if runtime.GOOS == "windows" {
		t.Skip("the consoles are those of sh")
	}
	// No symbolic link: hooks know the program by the name behind it.
	if name := filepath.Join(bin, "rulecheck"); os.Link(program, name) != nil {
		if err := copyProgram(name, program); err != nil {
			t.Fatal(err)
		}
	}
	c.home, c.path = t.TempDir(), bin+string(os.PathListSeparator)+os.Getenv("PATH")
	c.env = append(quietEnviron(), "PATH="+c.path, "HOME="+c.home, "XDG_CONFIG_HOME=", "CI=",
		"GIT_CONFIG_NOSYSTEM=1", "GORACE="+gittest.Race, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
	c.run("git init -q -b main && git commit -q --allow-empty -m initial")
	return c
}

// copyProgram is for where the system has no link between two file systems.
func copyProgram(to, from string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o755)
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
		got, _ := c.run(command)
		if c.varies {
			want, got = varying.ReplaceAllString(want, "…"), varying.ReplaceAllString(got, "…")
		}
		if diff := cmp.Diff(strings.TrimRight(want, "\n"), strings.TrimRight(got, "\n")); diff != "" {
			c.Errorf("$ %s (-want +got):\n%s", command, diff)
		}
	}
}

// run returns what a command prints, and its exit status.
func (c *console) run(command string) (string, int) {
	c.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = c.dir, c.env
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() < 0) {
		c.Fatalf("$ %s: %v", command, err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}
