package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestConsolesOfWorkflows runs the consoles in docs/workflows.md and creates the files
// in it on the way.
func TestConsolesOfWorkflows(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "workflows.md"))
	if err != nil {
		t.Fatal(err)
	}
	c := newConsole(t)
	c.env = append(c.env, "GIT_COMMITTER_DATE=") // phases compare commits with the time
	last := 0
	for _, at := range workflowBlock.FindAllSubmatchIndex(text, -1) {
		language, body := string(text[at[2]:at[3]]), string(text[at[4]:at[5]])
		above := fileAbove.FindSubmatch(text[last:at[0]])
		last = at[1]
		switch {
		case above != nil:
			c.file(string(above[1]), body)
		case language == "console":
			c.varying(body)
		default:
			t.Errorf("a block that is neither a file nor a console:\n%s", body)
		}
	}
	if c.calls == 0 {
		t.Error("no call was run; want those of the document")
	}
}

var workflowBlock = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")

// varies matches text that differs between runs: ids and times of day.
var varies = regexp.MustCompile(`\b[0-9a-f]{16}\b|\b[0-9]{2}:[0-9]{2}:[0-9]{2}\b`)

// varying runs the calls of a block and compares their output, except text that varies.
func (c *console) varying(block string) {
	c.Helper()
	for _, call := range strings.Split("\n"+block, "\n$ ")[1:] {
		command, want, _ := strings.Cut(call, "\n")
		c.calls++
		same := func(text string) string { return varies.ReplaceAllString(strings.TrimRight(text, "\n"), "…") }
		if diff := cmp.Diff(same(want), same(c.run(command))); diff != "" {
			c.Errorf("$ %s (-want +got):\n%s", command, diff)
		}
	}
}
