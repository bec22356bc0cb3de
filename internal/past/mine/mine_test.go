package mine_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/past/mine"
)

// past is a history that is written oldest first.
type past struct {
	units []diff.Unit
	files map[string]bool
}

func newPast() *past { return &past{files: map[string]bool{}} }

// commit changes files: new ones are added.
func (p *past) commit(paths ...string) {
	u := diff.Unit{Commit: fmt.Sprintf("%040x", len(p.units)+1), Time: time.Unix(int64(len(p.units))*86400, 0), Message: "change"}
	for _, path := range paths {
		status := diff.Modified
		if !p.files[path] {
			status, p.files[path] = diff.Added, true
		}
		u.Changes = append(u.Changes, diff.Change{Path: path, Status: status})
	}
	p.units = append(p.units, u)
}

func (p *past) mine() []mine.Candidate {
	_, rules := p.corpus()
	return rules
}

// corpus returns what was mined, and from what.
func (p *past) corpus() (*mine.Corpus, []mine.Candidate) {
	c := mine.NewCorpus()
	for _, u := range slices.Backward(p.units) {
		c.Add(u, false)
	}
	var files []string
	for path := range p.files {
		files = append(files, path)
	}
	slices.Sort(files)
	c.Seal(files)
	return c, c.Mine(mine.Options{})
}

// find returns the rule with these patterns.
func find(t *testing.T, rules []mine.Candidate, mode string, patterns ...string) mine.Candidate {
	t.Helper()
	i := slices.IndexFunc(rules, func(r mine.Candidate) bool { return r.Mode == mode && slices.Equal(r.Patterns(), patterns) })
	if i < 0 {
		for _, r := range rules {
			t.Logf("found: %s %q", r.Mode, r.Patterns())
		}
		t.Fatalf("no %s of %q among %d rules", mode, patterns, len(rules))
	}
	return rules[i]
}

func TestMinePair(t *testing.T) {
	t.Parallel()
	p := newPast()
	for i := range 60 {
		p.commit("VERSION", "CHANGELOG.md")
		p.commit("CHANGELOG.md")
		p.commit(fmt.Sprintf("src/%d.go", i%7))
	}
	r := find(t, p.mine(), mine.ModePair, "VERSION", "CHANGELOG.md")
	if r.Before.Held != 48 || r.Before.Triggered != 48 || r.Since.Held != 12 || r.Require != mine.RequireChanged || r.Label != mine.Docs {
		t.Errorf("%+v", r)
	}
	if len(r.Firings) != 0 || len(r.Examples) != 2 || r.Examples[0].File != "VERSION" || !slices.Equal(r.Examples[0].With, []string{"CHANGELOG.md"}) {
		t.Errorf("firings %+v, examples %+v", r.Firings, r.Examples)
	}
}

func TestMineFilesOfADirectory(t *testing.T) {
	t.Parallel()
	for _, also := range []bool{false, true} {
		p := newPast()
		for i := range 200 {
			p.commit(fmt.Sprintf("src/%c/%c.ts", 'a'+i%3, 'k'+i%4), "dist/bundle.js")
			if p.commit("README.md"); also {
				p.commit(fmt.Sprintf("src/other%d.ts", i%40))
			}
		}
		rules := p.mine()
		if !also {
			if r := find(t, rules, mine.ModePair, "src/{**path}/{name}.ts", "dist/bundle.js"); len(rules) != 1 || r.Before.Held != 160 {
				t.Errorf("%d rules, the first %+v; want one that held in 160", len(rules), r)
			}
			continue
		}
		if find(t, rules, mine.ModePair, "src/a/k.ts", "dist/bundle.js"); len(rules) != 12 {
			t.Errorf("%d rules; want one for each file, as others change alone", len(rules))
		}
	}
}

func TestMineSetWithCapturesAndFirings(t *testing.T) {
	t.Parallel()
	p := newPast()
	for i := range 120 {
		name := fmt.Sprintf("api/v%d/service%c", i%5, 'a'+i%4)
		if i == 20 {
			p.commit(name + ".y")
		} else {
			p.commit(name+".y", name+".y.go")
		}
		p.commit("main.go")
	}
	rules := p.mine()
	r := find(t, rules, mine.ModeSet, "{**root}/{name}.y", "{**root}/{name}.y.go")
	if r.Before.Triggered-r.Before.Held != 1 || r.Since.Held != r.Since.Triggered || len(rules) != 1 {
		t.Errorf("%d rules, the first %+v", len(rules), r)
	}
	if len(r.Firings) != 1 || r.Firings[0].File != "api/v0/servicea.y" || len(r.Firings[0].Missing) != 1 {
		t.Errorf("firings %+v; want the one", r.Firings)
	}
}

func TestMineSparesFilesWithoutCounterpart(t *testing.T) {
	t.Parallel()
	p := newPast()
	for i := range 120 {
		p.commit(fmt.Sprintf("m/%d/variables.tf", i%4), fmt.Sprintf("m/%d/README.md", i%4))
		p.commit(fmt.Sprintf("m/%d/README.md", i%4))
		if i%3 == 0 {
			p.commit("m/without/variables.tf")
		}
	}
	r := find(t, p.mine(), mine.ModePair, "{**root}/variables.tf", "{**root}/README.md")
	if r.Require != mine.RequireChangedIfExists || r.Before.Held != r.Before.Triggered || r.Before.Triggered != 96 {
		t.Errorf("%+v", r)
	}
}

func TestMineNewFiles(t *testing.T) {
	t.Parallel()
	p := newPast()
	for i := range 40 {
		p.commit(fmt.Sprintf("pages/p%cx%d.md", 'a'+i%26, i), "x") // no counterpart
		p.commit(fmt.Sprintf("cmd/c%02d/run%02d.go", i, i), fmt.Sprintf("cmd/c%02d/run%02d_test.go", i, i))
		for range 4 {
			p.commit(fmt.Sprintf("cmd/c%02d/run%02d.go", i, i))
		}
	}
	r := find(t, p.mine(), mine.ModeCreated, "{**root}/{name}.go", "{**root}/{name}_test.go")
	if r.Require != mine.RequireExists || r.Before.Triggered != 32 || r.Since.Held != 8 || r.Label != mine.Tests {
		t.Errorf("%+v", r)
	}
}

func TestMineNothing(t *testing.T) {
	t.Parallel()
	quiet := newPast()
	drifted := newPast() // held for long, and no more
	for i := range 200 {
		quiet.commit(fmt.Sprintf("a%d.go", i%9))
		if i < 150 {
			drifted.commit("package.json", "package-lock.json")
		} else {
			drifted.commit("package.json")
		}
	}
	large := newPast()
	for range 40 { // of units with many files, nothing is learned
		var all []string
		for i := range 50 {
			all = append(all, fmt.Sprintf("f%d.go", i), fmt.Sprintf("g%d.go", i))
		}
		large.commit(all...)
	}
	for name, p := range map[string]*past{"empty": newPast(), "quiet": quiet, "drifted": drifted, "large": large} {
		if rules := p.mine(); len(rules) != 0 {
			t.Errorf("%s: %d rules, the first %+v", name, len(rules), rules[0])
		}
	}
}

func TestMineRanksLocksLast(t *testing.T) {
	t.Parallel()
	p := newPast()
	for range 100 {
		p.commit("go.mod", "go.sum")
	}
	for range 50 {
		p.commit("VERSION", "CHANGELOG.md")
		p.commit("settings.go", "settings.json")
	}
	rules := p.mine()
	if n := len(rules); n != 2 && n != 3 || rules[n-1].Label != mine.Lock && rules[0].Label == mine.Lock {
		t.Errorf("%+v", rules)
	}
	for i, r := range rules {
		if r.Label == mine.Lock && i != len(rules)-1 {
			t.Errorf("rule %d of %d is about locks", i+1, len(rules))
		}
	}
}
