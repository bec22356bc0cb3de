package mine_test

import (
	"fmt"
	"path"
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/past/mine"
)

func TestMineIndexOfNewFiles(t *testing.T) {
	t.Parallel()
	p := newPast()
	p.commit("mkdocs.yml")
	for i := range 60 {
		if i == 7 {
			p.commit(fmt.Sprintf("docs/guide/page%c%d.md", 'a'+i%26, i))
			p.commit("mkdocs.yml")
		} else {
			p.commit(fmt.Sprintf("docs/guide/page%c%d.md", 'a'+i%26, i), "mkdocs.yml")
		}
		for range 4 { // later changes of a page do not touch the index
			p.commit(fmt.Sprintf("docs/guide/page%c%d.md", 'a'+i%26, i))
		}
	}
	r := find(t, p.mine(), mine.ModeCreated, "docs/guide/{name}.md", "mkdocs.yml")
	if r.Require != mine.RequireChanged || r.Before.Triggered != 48 || r.Before.Held != 47 || r.Since.Held != 12 || r.Label != mine.Docs {
		t.Errorf("%+v", r)
	}
	if r.Missed != 1 || r.Repaired != 1 {
		t.Errorf("missed %d, repaired %d; want the one that the next commit repaired", r.Missed, r.Repaired)
	}
	if len(r.Examples) != 2 || !r.Examples[0].New || !slices.Equal(r.Examples[0].With, []string{"mkdocs.yml"}) {
		t.Errorf("examples %+v", r.Examples)
	}
}

func TestMineIndexInEachDirectory(t *testing.T) {
	t.Parallel()
	p := newPast()
	for i := range 4 {
		p.commit(fmt.Sprintf("crates/c%d/src/lib.rs", i))
	}
	for i := range 60 {
		crate := fmt.Sprintf("crates/c%d/src", i%4)
		p.commit(fmt.Sprintf("%s/handlers/do%c%d.rs", crate, 'a'+i%26, i), crate+"/lib.rs")
		p.commit(fmt.Sprintf("%s/handlers/do%c%d.rs", crate, 'a'+i%26, i))
		p.commit("README.md")
	}
	find(t, p.mine(), mine.ModeCreated, "{**root}/handlers/{name}.rs", "{**root}/lib.rs")
}

func TestMineNoIndexOfWhatChangesOften(t *testing.T) {
	t.Parallel()
	releases, busy := newPast(), newPast()
	releases.commit("docs/index.md")
	busy.commit("CHANGES.md")
	for i := range 80 {
		releases.commit(fmt.Sprintf("docs/release-%d.%d.md", i/10, i%10), "docs/index.md") // a program makes releases
		releases.commit("main.go")
		releases.commit("main.go")
		releases.commit("main.go")
		busy.commit(fmt.Sprintf("src/file%d.go", i), "CHANGES.md")
		busy.commit("CHANGES.md", "main.go")
	}
	for name, p := range map[string]*past{"releases": releases, "busy": busy} {
		for _, r := range p.mine() {
			if r.Mode == mine.ModeCreated {
				t.Errorf("%s: %q", name, r.Patterns())
			}
		}
	}
}

func TestMineAsksForNoManifest(t *testing.T) {
	t.Parallel()
	p := newPast()
	for range 80 {
		p.commit("package.json", "package-lock.json")
		p.commit("other/package.json", "web/package.json", "web/yarn.lock")
	}
	rules := p.mine()
	find(t, rules, mine.ModePair, "package.json", "package-lock.json")
	for _, r := range rules {
		if r.Mode == mine.ModeSet || slices.ContainsFunc(r.Expects, func(p string) bool { return path.Base(p) == "package.json" }) {
			t.Errorf("%s of %q asks for a manifest", r.Mode, r.Patterns())
		}
	}
	weak := newPast()
	for i := range 150 {
		weak.commit("go.mod", "go.sum")
		if i%20 == 3 {
			weak.commit("go.mod")
		}
	}
	if rules := weak.mine(); len(rules) != 0 {
		t.Errorf("%q: %.3f; a manifest that changes alone now and then needs no rule", rules[0].Patterns(), rules[0].Bound)
	}
}
