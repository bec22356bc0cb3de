package policy_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/format"

	"github.com/rulecheck/rulecheck/internal/golden"
	"github.com/rulecheck/rulecheck/policies"
)

const modesDocument = "../../docs/modes.md"

// TestModesDocument compares the generated parts of the document with the tables of modes
// and facts.
func TestModesDocument(t *testing.T) {
	golden.Part(t, modesDocument, "modes", modesSection(load(t).Modes))
	golden.Part(t, modesDocument, "facts", factsSection())
}

func document(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(modesDocument)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func modesSection(modes policies.Modes) string {
	var b strings.Builder
	for i, name := range modes.Names() {
		mode := modes.Of(name)
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "### `%s`: %s\n\n%s\n\n| key | value |\n|---|---|\n", name, mode.Title, mode.Description)
		for _, p := range mode.Params {
			fmt.Fprintf(&b, "| `%s` | %s |\n", p.Name, strings.ReplaceAll(p.Describe(), "|", `\|`))
		}
		fmt.Fprintf(&b, "\nFacts: `%s`.\n", strings.Join(mode.Facts, "`, `"))
		for _, text := range mode.Examples {
			fmt.Fprintf(&b, "\n````markdown\n%s\n````\n", strings.TrimSpace(text))
		}
	}
	return b.String()
}

func factsSection() string {
	var b strings.Builder
	b.WriteString("| fact | in `custom.facts` | content |\n|---|---|---|\n")
	for _, f := range policies.FactTable() {
		place := "input." + f.Name
		if f.OfChange {
			place = "change." + f.Name
		}
		asked := "`" + f.Name + "`"
		if f.Always {
			asked = "always there"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", place, asked, f.Title)
	}
	b.WriteString("\nA `change` is an entry of `input.changes`, or the `change` of a match: `path`, `old_path`, `status` (`added`, `modified`, `deleted`,\n" +
		"`renamed`, `type_changed`, `unmerged`), `untracked`, `mode`, `kind` (`file`, `symlink`, `submodule`), `similarity`, and the facts above that a mode asks for.\n")
	return b.String()
}

// The policies in the document are formatted as opa fmt formats them.
func TestModesDocumentIsFormatted(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```rego\n(.*?)```").FindAllStringSubmatch(document(t), -1)
	if len(blocks) < 3 {
		t.Fatalf("%d policies in the document; want each example's", len(blocks))
	}
	for _, block := range blocks {
		want, err := format.Source("modes.md", []byte(block[1]))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), block[1]); diff != "" {
			t.Errorf("a policy is not formatted (-want +got):\n%s", diff)
		}
	}
}
