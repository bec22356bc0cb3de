package workflow_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/agents/workflow"
)

// TestKeyTables compares the tables of keys in the documentation with the keys;
// UPDATE=1 rewrites them.
func TestKeyTables(t *testing.T) {
	const page = "../../../docs/workflows.md"
	source, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	document := string(source)
	before, rest, ok := strings.Cut(document, "<!-- keys: ")
	marker, rest, ok2 := strings.Cut(rest, "-->\n")
	_, after, ok3 := strings.Cut(rest, "<!-- /keys -->")
	if !ok || !ok2 || !ok3 {
		t.Fatalf("%s has no place for the keys", page)
	}
	want := before + "<!-- keys: " + marker + "-->\n" + keyTables() + "\n<!-- /keys -->" + after
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		document = want
	}
	if diff := cmp.Diff(want, document); diff != "" {
		t.Errorf("%s is stale; run: make update (-want +got):\n%s", page, diff)
	}
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
