package correspondence

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/pattern"
)

// TestLongestLiteral holds that what a pattern matches has its longest literal.
func TestLongestLiteral(t *testing.T) {
	for text, paths := range map[string][]string{
		"src/*/f00001_*.go": {"src/d/f00001_x.go", "src/d/f00001_.go"},
		"**/a.go":           {"a.go", "x/y/a.go"},
		"{aaaa,b}/c*":       {"b/c", "aaaa/cd"},
		"[abcdef]x/*":       {"ax/y"},
		"[!abcdef]/?y":      {"z/xy"},
		`\*abcdef/*`:        {"*abcdef/x"},
		"**":                {"a"},
		"é*/日本":             {"éa/日本"},
	} {
		p, err := pattern.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if _, ok := p.Match(path); !ok || !strings.Contains(path, longestLiteral(text)) {
				t.Errorf("%s: %q matches: %v; literal %q", text, path, ok, longestLiteral(text))
			}
		}
	}
	if got := longestLiteral("src/*/f00001_*.go"); got != "f00001_" {
		t.Errorf("longest literal %q; want f00001_", got)
	}
}
