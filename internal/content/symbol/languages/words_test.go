package languages_test

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/content/symbol/languages"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// What has no words of declarations in C and C++, in the order in which it is found; the last are types that may be defined elsewhere in the file.
var notWords = []*regexp.Regexp{
	regexp.MustCompile(`//[^\n]*|/\*(?s:.*?)\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`),
	regexp.MustCompile(`(?m)^[ \t]*#(?:[^\n\\]|\\(?s:.))*`),
	regexp.MustCompile(`(?:template\s*<[^;{}()]*>\s*)?(?:class|struct|union|enum)\s+\w+\s*;`),
}

// opensScope matches what may be before a brace on its line so that declarations are in it.
var opensScope = regexp.MustCompile(`\b(namespace|extern)\b[^\n{}();]*$`)

// TestEachWordOfADeclarationCounts changes a word outside of all brackets in headers of C and C++, whatever it
// means: those of testdata, or below the directories in SYMBOL_FILES.
func TestEachWordOfADeclarationCounts(t *testing.T) {
	dirs := filepath.SplitList(os.Getenv("SYMBOL_FILES"))
	if len(dirs) == 0 {
		dirs = []string{"cpp"}
	}
	var files []string
	for _, dir := range dirs {
		_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err == nil && slices.Contains([]string{".h", ".hpp"}, filepath.Ext(path)) {
				files = append(files, path)
			}
			return nil
		})
	}
	changed := 0
	lawtest.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(files).Draw(t, "file")
		content, err := os.ReadFile(name)
		if err != nil || strings.Contains(string(content), `R"`) || strings.Contains(string(content), "if 0") {
			return
		}
		text := string(content)
		was, err := languages.Read(context.Background(), name, text)
		if err != nil {
			return
		}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		places := wordsOutside(text)
		for range min(10, len(places)) {
			at := places[random.IntN(len(places))]
			other := text[:at] + "Z" + text[at:]
			is, err := languages.Read(context.Background(), name, other)
			if err == nil && slices.Equal(said(was), said(is)) {
				t.Fatalf("%s: %q is not seen", name, text[max(0, at-60):at]+"Z"+text[at:min(len(text), at+60)])
			}
			changed++
		}
	})
	t.Logf("%d words of %d files were changed", changed, len(files))
	if changed == 0 {
		t.Error("no word was changed")
	}
}

// wordsOutside returns the ends of words outside of brackets, but for those of namespaces and linkages.
func wordsOutside(text string) []int {
	blank := []byte(text)
	for _, expression := range notWords {
		for _, at := range expression.FindAllIndex(blank, -1) {
			for i := at[0]; i < at[1]; i++ {
				if blank[i] != '\n' {
					blank[i] = ' '
				}
			}
		}
	}
	var open []int // 1 for a bracket, or 0
	depth := 0
	var ends []int
	for i, c := range blank {
		isWord := func(i int) bool { return i < len(blank) && wordChar.Match(blank[i:i+1]) }
		switch c {
		case '(', '[', '{':
			counts := 1
			if c == '{' && opensScope.Match(blank[max(0, i-80):i]) {
				counts = 0
			}
			open = append(open, counts)
			depth += counts
		case ')', ']', '}':
			if len(open) == 0 {
				return nil // in two branches of a condition
			}
			depth -= open[len(open)-1]
			open = open[:len(open)-1]
		}
		if depth == 0 && isWord(i) && !isWord(i+1) {
			ends = append(ends, i+1)
		}
	}
	return ends
}

var wordChar = regexp.MustCompile(`\w`)
