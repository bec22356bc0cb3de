package languages_test

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/content/symbol/languages"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// notWords match parts of C and C++ without words of declarations, in the order in which they are found: literals and comments,
// directives, types that may be defined elsewhere in the file, and initializers of constructors, whose brackets are kept.
var notWords = []*regexp.Regexp{
	regexp.MustCompile(`//[^\n]*|/\*(?s:.*?)\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`),
	regexp.MustCompile(`(?m)^[ \t]*#(?:[^\n\\]|\\(?s:.))*`),
	regexp.MustCompile(`(?:template\s*<[^;{}()]*>\s*)?(?:class|struct|union|enum)\s+\w+\s*;`),
	regexp.MustCompile(`\)(?:\s|\w)*:[^:;][^;{]*`),
}

// opensScope matches what may be before a brace on its line so that declarations are in it.
var opensScope = regexp.MustCompile(`\b(namespace|extern)\b[^\n{}();]*$`)

// filesOfC lists the files of C and C++ of testdata, or below the directories in SYMBOL_FILES.
func filesOfC() []string {
	dirs := filepath.SplitList(os.Getenv("SYMBOL_FILES"))
	if len(dirs) == 0 {
		dirs = []string{"cpp"}
	}
	var files []string
	for _, dir := range dirs {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if l, ok := languages.Of(path); ok && err == nil && d.Type().IsRegular() && (l.Name == "C" || l.Name == "C++") {
				files = append(files, path)
			}
			return nil
		})
	}
	return files
}

// TestClangFormatChangesNothing formats up to 300 files in two styles.
func TestClangFormatChangesNothing(t *testing.T) {
	if _, err := exec.LookPath("clang-format"); err != nil {
		t.Skip(err)
	}
	files := filesOfC()
	random := rand.New(rand.NewPCG(7, 7))
	random.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	pairs, changed := 0, 0
	for _, path := range files[:min(300, len(files))] {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		was, err := languages.Read(t.Context(), path, string(text))
		if err != nil || len(text) > 1<<17 { // clang-format needs minutes
			continue
		}
		for _, style := range []string{"LLVM", "Google"} {
			formatted, err := exec.CommandContext(t.Context(), "clang-format", "--style="+style, path).Output()
			if err != nil {
				t.Fatal(path, err)
			}
			pairs++
			if !slices.Equal(formatted, text) {
				changed++
			}
			is, err := languages.Read(t.Context(), path, string(formatted))
			if err != nil || !slices.Equal(said(was), said(is)) {
				t.Errorf("%s in the style %s: %v\nonly before: %q\nonly after: %q", path, style, err, without(said(was), said(is)), without(said(is), said(was)))
			}
		}
	}
	t.Logf("%d texts, of which %d have another layout", pairs, changed)
	if changed == 0 {
		t.Error("no file has another layout")
	}
}

// TestEachWordOfADeclarationCounts changes a word outside of all brackets in headers of C and C++, whatever it
// means.
func TestEachWordOfADeclarationCounts(t *testing.T) {
	files := slices.DeleteFunc(filesOfC(), func(path string) bool { return !slices.Contains([]string{".h", ".hpp"}, filepath.Ext(path)) })
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
	for n, expression := range notWords {
		for _, at := range expression.FindAllIndex(blank, -1) {
			for i := at[0]; i < at[1]; i++ {
				if blank[i] != '\n' && (n+1 < len(notWords) || !strings.ContainsRune("()[]{}", rune(blank[i]))) {
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
