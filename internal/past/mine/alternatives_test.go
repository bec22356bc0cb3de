package mine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/past/mine"
)

func TestMineAlternatives(t *testing.T) {
	t.Parallel()
	p := newPast()
	p.commit("src/parser.go", "src/parser_test.go", "testdata/parser.txt")
	for i := range 100 {
		p.commit("src/parser.go", []string{"src/parser_test.go", "testdata/parser.txt"}[i%3/2])
		for j := range 5 {
			p.commit(fmt.Sprintf("docs/%d.md", (i+j)%17))
		}
	}
	rules := p.mine()
	r := find(t, rules, mine.ModePair, "src/parser.go", "src/parser_test.go", "testdata/parser.txt")
	if !r.Any || r.Require != mine.RequireChanged || r.Since.Held != r.Since.Triggered || r.Before.Held != r.Before.Triggered {
		t.Errorf("%d rules, %+v", len(rules), r)
	}
	if c := r.Examples[0]; !slices.Equal(c.With, []string{"src/parser_test.go"}) || !slices.Equal(c.Others, []string{"testdata/parser.txt"}) {
		t.Errorf("%+v; want the file that changed, and the other one", c)
	}
}

// What one file does alone needs no alternative, nor is a file that often changes one.
func TestMineNeedlessAlternatives(t *testing.T) {
	t.Parallel()
	single, often, ended := newPast(), newPast(), newPast()
	for i := range 100 {
		single.commit("a.go", "a_test.go")
		if i%3 == 0 {
			single.commit("a_test.go", "b.txt")
		}
		often.commit("a.go", []string{"x.md", "y.md"}[i%2])
		often.commit("z.md", []string{"x.md", "y.md"}[i%2])
		place := "old.txt" // that no longer changes
		if i%2 == 0 || i > 70 {
			place = "new.txt"
		}
		ended.commit("a.go", place)
		for j := range 5 {
			single.commit(fmt.Sprintf("docs/%d.md", (i+j)%17))
			ended.commit(fmt.Sprintf("docs/%d.md", (i+j)%17))
		}
	}
	for name, p := range map[string]*past{"single": single, "often": often, "ended": ended} {
		for _, r := range p.mine() {
			if r.Any {
				t.Errorf("%s: %q", name, r.Patterns())
			}
		}
	}
}
