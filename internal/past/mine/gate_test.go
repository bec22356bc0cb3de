package mine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/past/mine"
)

// say sets the message of the newest commit.
func (p *past) say(message string) { p.units[len(p.units)-1].Message = message }

// TestMineCondition expects the condition under which each change of code has an entry, from
// the commit on in which the first entry was written.
func TestMineCondition(t *testing.T) {
	t.Parallel()
	p := newPast()
	for i := range 80 {
		p.commit(fmt.Sprintf("src/part%d/code%d.go", i%9, i%31)) // before there were entries
	}
	for i := range 400 {
		code := fmt.Sprintf("src/part%d/code%d.go", i%9, i%31)
		switch {
		case i%3 == 0:
			p.commit(code)
			p.say("[chore] Tidy up")
		case i == 100:
			p.commit(code)
		default:
			p.commit(code, fmt.Sprintf("changes/c%d.yaml", i))
		}
		p.commit("README.md")
	}
	r := find(t, p.mine(), mine.ModePair, "**/*.go", "changes/**")
	if r.Unless != `subject.any("\\[chore\\]")` || r.When != "" || r.Status != nil || !r.Wildcard() {
		t.Errorf("%+v", r.Condition)
	}
	if r.Begun == nil || r.Unconditioned.Held >= r.Unconditioned.Triggered*3/4 || len(r.Examples) != 2 {
		t.Errorf("%+v", r)
	}
}

// TestMineNoConditionByChance expects none where what a condition leaves out is like the rest.
func TestMineNoConditionByChance(t *testing.T) {
	t.Parallel()
	p := newPast()
	for i := range 400 {
		code := fmt.Sprintf("src/part%d/code%d.go", i%9, i%31)
		if i%4 == 1 {
			p.commit(code)
		} else {
			p.commit(code, fmt.Sprintf("changes/c%d.yaml", i))
		}
		if i%3 == 0 {
			p.say("fix: It")
		}
		p.commit("README.md")
	}
	if rules := p.mine(); slices.ContainsFunc(rules, func(r mine.Candidate) bool { return r.Limited() }) {
		t.Errorf("%+v", rules)
	}
}

// TestMinePlaces expects that a rule whose commits are those of a better one has no place,
// that generated code comes first, and that vendored files are left out.
func TestMinePlaces(t *testing.T) {
	t.Parallel()
	p := newPast()
	for i := range 90 {
		name := fmt.Sprintf("api/v%d/call%c", i%5, 'a'+i%4)
		p.commit(name+".proto", name+".pb.go")
		p.commit("logs.go", "traces.go", "metrics.go")
		if i%40 == 7 { // no set: not all follow
			p.commit("logs.go", "traces.go")
		}
		p.commit("vendor/a/x.go", "vendor/a/y.go")
	}
	p.commit("vendor/a/x.proto")
	rules := p.mine()
	if want := []string{"**/vendor/**"}; len(rules) > 0 && !slices.Equal(rules[0].Exclude, want) {
		t.Errorf("exclude %q; want %q", rules[0].Exclude, want)
	}
	if len(rules) != 2 || rules[0].Label != mine.Generated || rules[0].Triggers[0] != "{**root}/{name}.proto" {
		for _, r := range rules {
			t.Errorf("%s of %q, %s", r.Mode, r.Patterns(), r.Label)
		}
	}
}
