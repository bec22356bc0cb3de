package check_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// lineReader is an engine that records the files whose lines it is asked for, and fails the first time
// if it is broken.
type lineReader struct {
	diff.Engine

	mutex  sync.Mutex
	asked  [][]string
	broken bool
}

func (e *lineReader) Lines(ctx context.Context, base diff.Base, head diff.Head, changes []diff.Change) (map[string][]diff.Lines, error) {
	var names []string
	for _, c := range changes {
		names = append(names, c.Path)
	}
	e.mutex.Lock()
	e.asked = append(e.asked, names)
	first := len(e.asked) == 1
	e.mutex.Unlock()
	if first && e.broken {
		return nil, errors.New("broken")
	}
	return e.Engine.Lines(ctx, base, head, changes)
}

// TestLinesAhead asks for lines of likely findings once, for those of a wrong guess again, and for none
// where nothing is likely. Findings have the same lines in each case.
func TestLinesAhead(t *testing.T) {
	for _, c := range []struct {
		name, rule string
		found      []string
		want       [][]string
	}{
		{"pair", "pair: {trigger: 'src/{name}.go', expects: 'docs/{name}.md'}", []string{"src/b.go:3", "src/c.go:3"}, [][]string{{"src/b.go", "src/c.go"}}},
		{"pair with one list", "pair: {trigger: 'src/*.go', expects: 'CHANGES.md'}", []string{"src/a.go:3"}, [][]string{{"src/a.go"}}},
		{"set", "set: ['src/{name}.go', 'docs/{name}.md']", []string{"src/b.go:3", "src/c.go:3"}, [][]string{{"src/b.go", "src/c.go"}}},
		{"trigger", "trigger: 'src/**'", []string{"src/a.go:3"}, [][]string{{"src/a.go"}}},
		{"new files", "trigger: 'new/**'", []string{"new/a.go:1"}, nil},
		{"nothing lacks", "pair: {trigger: 'src/a.go', expects: 'docs/a.md'}", nil, nil},
		{"a wrong guess", "pair: {trigger: 'src/a.go', expects: {any: ['docs/a.md', 'docs/x.md']}}", nil, [][]string{{"src/a.go"}}},
		{"safe", "trigger: 'src/**'\nsafety: 'docs/**'", nil, nil},
		{"no guess", "limit: {of: 'src/**', files: 2}", []string{"src/a.go:3"}, [][]string{{"src/a.go"}}},
		{"lines of its own", "trigger: 'src/b.go'\nlines: {added: new}", []string{"src/b.go:3"}, nil},
	} {
		for _, broken := range []bool{false, true} {
			t.Run(fmt.Sprint(c.name, " broken ", broken), func(t *testing.T) {
				if broken && (c.want == nil || c.found == nil || c.name == "no guess") {
					t.Skip("nothing is asked ahead and needed")
				}
				r := newRepository(t)
				r.Rule("r", "---\n"+c.rule+"\n---\nLook.\n")
				for _, name := range []string{"src/a.go", "src/b.go", "src/c.go", "docs/a.md"} {
					r.Write(name, "1\n2\nold\n")
				}
				r.Commit("base")
				r.Git("switch", "-q", "-c", "topic")
				for _, name := range []string{"src/a.go", "src/b.go", "src/c.go", "docs/a.md"} {
					r.Write(name, "1\n2\nnew\n")
				}
				r.Write("new/a.go", "1\n")
				r.Commit("topic")
				engine := &lineReader{Engine: r.Open(), broken: broken}
				rep, err := check.Run(t.Context(), engine, check.Options{To: "HEAD"})
				if err != nil {
					t.Fatal(err)
				}
				var found []string
				for _, f := range rep.Findings {
					found = append(found, fmt.Sprintf("%s:%d", f.Path, f.Line))
				}
				if !slices.Equal(found, c.found) {
					t.Errorf("findings %q; want %q", found, c.found)
				}
				want := c.want
				if broken {
					want = append(slices.Clone(want), want...)
				}
				if !slices.EqualFunc(engine.asked, want, slices.Equal) {
					t.Errorf("asked for the lines of %q; want %q", engine.asked, want)
				}
			})
		}
	}
}
