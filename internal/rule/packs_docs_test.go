package rule_test

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rulecheck/rulecheck/internal/golden"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// TestPacksDocument compares the tables in docs/packs.md with the rules of the packs;
// UPDATE=1 rewrites them.
func TestPacksDocument(t *testing.T) {
	golden.Part(t, filepath.Join("..", "..", "docs", "packs.md"), "rules", packTables(t))
}

// packTables returns a table of the rules of each pack, each with its instructions.
func packTables(t *testing.T) string {
	t.Helper()
	sources := rule.Tiers(rule.Config{RulesDir: "none", Extends: rule.Packs()}, fstest.MapFS{}, nil)
	loaded := rule.LoadTiers(sources, modes(t))
	if len(loaded.Problems) > 0 {
		t.Fatal(loaded.Problems)
	}
	var b strings.Builder
	for _, pack := range rule.Packs() {
		fmt.Fprintf(&b, "\n## %s\n\n| rule | level | checks, and what it reports |\n|---|---|---|\n", pack)
		for _, r := range loaded.Rules {
			if path.Dir(r.File) != pack {
				continue
			}
			source := "../internal/rule/packs/" + path.Base(pack) + "/" + r.ID + ".md"
			body := strings.ReplaceAll(strings.Join(strings.Fields(r.Body), " "), "|", `\|`)
			body = placeholder.Replace(body)
			fmt.Fprintf(&b, "| [`%s`](%s) | %s | **%s.** %s |\n", r.ID, source, r.Level, r.Name, body)
		}
	}
	return b.String()
}

// placeholder shows the placeholders of instructions as code, outside of code.
var placeholder = strings.NewReplacer("{created_files}", "`{created_files}`", "{trigger_files}", "`{trigger_files}`", "{trigger_file}", "`{trigger_file}`")
