package language_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/content/language"
	"github.com/rulecheck/rulecheck/internal/golden"
)

// TestLanguagesDocument lists the languages that are read strictly; each reads an empty file.
func TestLanguagesDocument(t *testing.T) {
	var b strings.Builder
	b.WriteString("| language | files | comments | docstrings | imports |\n|---|---|---|---|---|\n")
	yes := map[bool]string{true: "yes"}
	for _, row := range language.Table() {
		b.WriteString("| " + row.Title + " | `" + strings.Join(row.Files, "` `") + "` | " + yes[row.Comments] + " | " + yes[row.Docstrings] + " | " + yes[row.Imports] + " |\n")
		for _, file := range row.Files {
			name := file
			if strings.ToLower(file) == file && !strings.Contains(file, ".") && !strings.HasSuffix(file, "file") {
				name = "a." + file
			}
			if known := language.KnownOf(name); known != row.Known {
				t.Errorf("%s: %+v; want %+v", name, known, row.Known)
			}
		}
	}
	golden.Part(t, filepath.Join("..", "..", "..", "docs", "contents.md"), "languages", b.String())
}
