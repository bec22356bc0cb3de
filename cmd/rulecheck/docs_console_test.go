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
// after "$ ", each with its whole output.
var consoleDocuments = []string{"../README.md", "agents.md", "integrations.md", "migration.md", "monorepo.md", "packs.md", "rollout.md", "scale.md", "sessions.md", "start.md", "suggest.md", "teach.md", "tool-rules.md", "why.md"}

var (
	fence     = regexp.MustCompile("(?ms)^(?:````([a-z]*)\n(.*?)^````|```([a-z]*)\n(.*?)^```)$")
	fileAbove = regexp.MustCompile("(?m)^`([^`\n]+)`:\n\n$")
)

func TestConsolesInDocuments(t *testing.T) {
	t.Parallel()
	for _, name := range consoleDocuments {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
			if err != nil {
				t.Fatal(err)
			}
			c := newConsole(t)
			last := 0
			for _, at := range fence.FindAllSubmatchIndex(text, -1) {
				if at[2] < 0 { // three backquotes, not four
					at = slices.Concat(at[:2], at[6:])
				}
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
	c.env = append(quietEnviron(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+t.TempDir(), "XDG_CONFIG_HOME=", "CI=",
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
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() < 0) {
		c.Fatalf("$ %s: %v", command, err)
	}
	return string(out)
}
