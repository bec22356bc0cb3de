package check_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// counting is an engine that records which parts of changes it is asked for.
type counting struct {
	diff.Engine

	asked *[]diff.Part
}

func (c counting) Details(ctx context.Context, base diff.Base, head diff.Head, list []diff.Change, parts []diff.Part) (map[string]*diff.Detail, error) {
	*c.asked = append(*c.asked, parts...)
	return c.Engine.Details(ctx, base, head, list, parts)
}

// TestLookups looks up content only if a rule about it would otherwise fire, and once for all
// rules.
func TestLookups(t *testing.T) {
	lines := []diff.Part{diff.PartAddedLines, diff.PartRemovedLines}
	sizes := []diff.Part{diff.PartLFS, diff.PartSize}
	for _, c := range []struct {
		name, rule string
		findings   int // of each rule
		want       []diff.Part
	}{
		{"a rule about names", "trigger: 'src/**'", 1, nil},
		{"no trigger", "trigger: 'lib/**'\nlines: {added: new}", 0, nil},
		{"safe", "trigger: 'src/**'\nsafety: docs/**\nlines: {added: new}", 0, nil},
		{"counterpart changed", "pair: {trigger: 'src/{name}.go', expects: 'docs/{name}.md'}\nlines: {added: new}", 0, nil},
		{"condition", "trigger: 'src/**'\nlines: {added: new}\nwhen: change.any(\"lib/**\")", 0, nil},
		{"forbid elsewhere", "forbid: {files: 'lib/**', lines: new}", 0, nil},
		{"limit elsewhere", "limit: {of: 'lib/**', added_lines: 1}", 0, nil},
		{"limit of files", "limit: {files: 1}", 1, nil},
		{"limit of lines", "limit: {of: 'src/**', added_lines: 1}", 0, []diff.Part{diff.PartAddedCount}},
		{"limit of bytes", "limit: {files: 2, bytes: 7}", 1, sizes},
		{"limit of bytes of a file", "limit: {file_bytes: 4}", 0, sizes},
		{"limits of all", "limit: {files: 2, added_lines: 1, bytes: 8}", 1, append([]diff.Part{diff.PartAddedCount}, sizes...)},
		{"would fire", "trigger: 'src/**'\nlines: {added: new}", 1, lines},
		{"would fire, another line", "trigger: 'src/**'\nlines: {added: other}", 0, lines},
		{"forbid", "forbid: {files: 'src/**', lines: new}", 1, lines},
		{"forbid, another line", "forbid: {files: 'src/**', lines: other}", 0, lines},
	} {
		t.Run(c.name, func(t *testing.T) {
			const rules = 5
			r := newRepository(t)
			for i := range rules {
				r.Rule(fmt.Sprintf("r%d", i), "---\n"+c.rule+"\n---\nLook.\n")
			}
			r.Write("src/a.go", "old\n")
			r.Write("docs/a.md", "old\n")
			r.Commit("base")
			r.Git("switch", "-q", "-c", "topic")
			r.Write("src/a.go", "new\n")
			r.Write("docs/a.md", "new\n")
			r.Commit("topic")
			asked := []diff.Part{}
			rep, err := check.Run(t.Context(), counting{r.Open(), &asked}, check.Options{To: "HEAD"})
			if err != nil {
				t.Fatal(err)
			}
			if len(rep.Errors) > 0 || len(rep.Findings) != rules*c.findings {
				t.Errorf("%d findings, problems %v; want %d findings", len(rep.Findings), rep.Errors, rules*c.findings)
			}
			if !slices.Equal(asked, c.want) {
				t.Errorf("asked for %q; want %q", asked, c.want)
			}
		})
	}
}
