package ruletest

import (
	"slices"
	"testing"

	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule"
)

func TestEveryPackFitsSomeFiles(t *testing.T) {
	t.Parallel()
	for _, pack := range rule.Packs() {
		if len(packFiles[pack]) == 0 && pack != "bundled/agents-strict" { // users choose that
			t.Errorf("%s fits no repository", pack)
		}
		for _, source := range packFiles[pack] {
			if _, err := pattern.Compile(source); err != nil {
				t.Errorf("%s: %q: %v", pack, source, err)
			}
		}
	}
	if len(packFiles) != len(rule.Packs()) {
		t.Errorf("%d packs have files; want those of rule.Packs", len(packFiles))
	}
}

func TestPacksFor(t *testing.T) {
	t.Parallel()
	for want, files := range map[string][]string{
		"bundled/go":     {"go.mod", "HISTORY.md"},
		"bundled/java":   {"app/build.gradle.kts"},
		"bundled/sql":    {"db/migrations/1.up.sql"},
		"bundled/api":    {"api/openapi.yaml"},
		"bundled/docs":   {"docs/a/index.rst"},
		"bundled/agents": {"CLAUDE.md"},
	} {
		if got := PacksFor(files); !slices.Equal(got, []string{want}) {
			t.Errorf("%q: %q; want %s", files, got, want)
		}
	}
	if got := PacksFor([]string{"a.txt", "docs.md"}); got != nil {
		t.Errorf("%q; want none", got)
	}
}
