package workflow_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/golden"
)

// TestKeyTables compares the tables of keys in the documentation with the keys;
// UPDATE=1 rewrites them.
func TestKeyTables(t *testing.T) {
	golden.Part(t, filepath.Join("..", "..", "..", "docs", "workflows.md"), "keys", keyTables())
}

func keyTables() string {
	var b strings.Builder
	for _, table := range workflow.Keys() {
		fmt.Fprintf(&b, "\n### Keys of a%s\n\n| key | value | default | meaning |\n|---|---|---|---|\n", article(table.Of))
		for _, k := range table.Keys {
			standard := ""
			if k.Default != nil {
				standard = fmt.Sprintf("`%v`", k.Default)
			}
			if slices.Contains(table.Required, k.Name) {
				standard = "required"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.Name, strings.ReplaceAll(k.Want, "|", `\|`), standard, strings.ReplaceAll(k.Doc, "|", `\|`))
		}
	}
	return b.String()
}

// article adds what "a" needs before a name.
func article(name string) string {
	if strings.ContainsAny(name[:1], "aeiou") {
		return "n " + name
	}
	return " " + name
}
