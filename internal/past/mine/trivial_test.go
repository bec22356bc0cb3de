package mine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/past/mine"
)

func TestTrivial(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode, trigger, expects string
		want                   bool
	}{
		{mine.ModeCreated, "src/read_{name}.rs", "src/mod.rs", true},
		{mine.ModePair, "src/read_{name}.rs", "src/mod.rs", false}, // a change of a module declares nothing
		{mine.ModePair, "{**root}/{name}.test.ts", "{**root}/__snapshots__/{name}.test.ts.snap", true},
		{mine.ModeCreated, "a/{name}.py", "a/__init__.py", true},
		{mine.ModePair, "src/pip/_vendor/{name}.py", "src/pip/_vendor/vendor.txt", true},
		{mine.ModePair, "api/{name}.proto", "api/{name}.pb.go", false},
		{mine.ModePair, "VERSION", "CHANGELOG.md", false},
		{mine.ModePair, "src/test/golden/Old.txt", "src/test/golden/Lite.txt", true},
		{mine.ModePair, "cli/tests/schema/sqlite/{name}.sql", "cli/tests/schema/mysql/{name}.sql", true},
		{mine.ModeCreated, "examples/{name}/favicon.ico", "examples/{name}/README.md", true},
		{mine.ModeCreated, "tests/mypy/{name}.py", "tests/mypy/test_mypy.py", false},
		{mine.ModePair, "api/{name}.json", "tests/data/{name}.json", false},
	} {
		r := mine.Candidate{Mode: c.mode, Triggers: []string{c.trigger}, Expects: []string{c.expects}}
		if got := r.Trivial(); got != "" != c.want {
			t.Errorf("%s of %s and %s: %q", c.mode, c.trigger, c.expects, got)
		}
	}
}

// vanish returns a past in which pages changed with their texts, until both were moved
// apart: since then there is one without the other.
func vanish(moved int) *past {
	p := newPast()
	for i := range 200 {
		p.commit(fmt.Sprintf("x%d/man/c%d.md", i%3, i%13), fmt.Sprintf("x%d/commands/c%d.txt", i%3, i%13))
		p.commit("other")
	}
	for range moved {
		p.commit("doc/man/c0.md", "book/commands/c0.txt")
	}
	return p
}

func TestMineDropsVanishedPartners(t *testing.T) {
	t.Parallel()
	for moved, want := range map[int]bool{0: true, 2: false, 20: false} {
		found := false
		for _, r := range vanish(moved).mine() {
			found = found || slices.Contains(r.Patterns(), "{**root}/man/c0.md")
		}
		if found != want {
			t.Errorf("moved %d times: found %v", moved, found)
		}
	}
}

// TestMineCountsAbsencesSince expects that a partner that a directory lacks since the split
// makes the rule one about partners that exist.
func TestMineCountsAbsencesSince(t *testing.T) {
	t.Parallel()
	p := newPast()
	for i := range 120 {
		p.commit(fmt.Sprintf("m/%d/variables.tf", i%4), fmt.Sprintf("m/%d/README.md", i%4))
		p.commit(fmt.Sprintf("m/%d/README.md", i%4))
		if i == 110 {
			p.commit("m/without/variables.tf")
		}
	}
	r := find(t, p.mine(), mine.ModePair, "{**root}/variables.tf", "{**root}/README.md")
	if r.Require != mine.RequireChangedIfExists {
		t.Errorf("%s; want %s", r.Require, mine.RequireChangedIfExists)
	}
}

// TestMeets expects a pair of files that exist together at the end, not a file of each kind.
func TestMeets(t *testing.T) {
	t.Parallel()
	p := newPast()
	for range 60 {
		for _, dir := range []string{"a", "b", "c"} {
			p.commit(dir+"/x.in", dir+"/x.out")
			p.commit(dir + "/x.out")
		}
	}
	c, rules := p.corpus()
	r := find(t, rules, mine.ModePair, "{**root}/x.in", "{**root}/x.out")
	if !c.Meets(r) {
		t.Error("the files exist together")
	}
	for _, dir := range []string{"a", "b", "c"} {
		delete(p.files, dir+"/x.in")
	}
	p.files["d/x.in"] = true
	c, _ = p.corpus()
	if c.Meets(r) {
		t.Error("no x.in is next to an x.out")
	}
}
