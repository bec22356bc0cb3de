package languages_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/c"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/cpp"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/csharp"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/java"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/javascript"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/kotlin"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/php"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/python"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/ruby"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/rust"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages/typescript"
	"github.com/rulecheck/rulecheck/internal/content/symbol/treesitter"
)

// grammars are the languages that are read by tree-sitter.
var grammars = []*treesitter.Language{
	&python.Language, &typescript.Language, &typescript.TSX, &javascript.Language,
	&java.Language, &rust.Language, &csharp.Language, &ruby.Language, &php.Language, &kotlin.Language, &c.Language, &cpp.Language,
}

func languageOf(path string) *treesitter.Language {
	for _, l := range grammars {
		for _, e := range l.Extensions {
			if filepath.Ext(path) == e {
				return l
			}
		}
	}
	return nil
}

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
			symbols, err := languageOf(file).Read(t.Context(), file, string(text))
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
			want, _ := os.ReadFile(file + ".txt")
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(file+".txt", []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if b.String() != string(want) {
				t.Errorf("symbols of %s:\n%s\nwant:\n%s", file, b.String(), want)
			}
		})
	}
}
