package mcp_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/golden"
)

// property is an argument in the form that a client gets.
type property struct {
	Type        any
	Description string
	Enum        []string
}

// TestReference compares the end of docs/mcp.md with the tools as a client lists
// them; UPDATE=1 rewrites it.
func TestReference(t *testing.T) {
	t.Parallel()
	tools, err := newRepository(t).client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, tool := range tools.Tools {
		fmt.Fprintf(&b, "\n### `%s`\n\n%s\n\n", tool.Name, tool.Description)
		raw, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Properties map[string]property
			Required   []string
		}
		if err := json.Unmarshal(raw, &schema); err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
			p := schema.Properties[name]
			kind := strings.Trim(strings.ReplaceAll(fmt.Sprint(p.Type), " ", " or "), "[]")
			if slices.Contains(schema.Required, name) {
				kind += ", required"
			}
			fmt.Fprintf(&b, "- `%s` (%s): %s\n", name, kind, strings.ReplaceAll(p.Description, "\n", "\n  "))
			for _, value := range p.Enum {
				if !strings.Contains(p.Description, "\n- "+value+": ") {
					t.Errorf("%s: the description of %s does not mention %q", tool.Name, name, value)
				}
			}
		}
	}
	golden.Part(t, filepath.Join("..", "..", "..", "docs", "mcp.md"), "tools", b.String())
}
