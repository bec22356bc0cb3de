package languages_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/content/symbol/languages"
	"github.com/rulecheck/rulecheck/internal/golden"
)

// TestGoldens reads the sample of each language that has one.
func TestGoldens(t *testing.T) {
	files, err := filepath.Glob("*/testdata/golden.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".txt") {
			continue
		}
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			symbols, err := languages.Read(t.Context(), file, string(text))
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, s := range symbols {
				mark := "-"
				if s.Exported {
					mark = "+"
				}
				fmt.Fprintf(&b, "%d-%d:%d %s %s %s: %s\n", s.Line, s.EndLine, s.Column, mark, s.Kind, s.Name, s.Signature)
			}
			golden.Compare(t, file+".txt", b.String())
		})
	}
}
