package languages_test

import (
	"context"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/content/symbol"
	"github.com/rulecheck/rulecheck/internal/content/symbol/languages"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// TestFilesInAnyLayout writes files in another order of their declarations, with other line ends and
// comments: those of testdata, or below the directories in SYMBOL_FILES.
func TestFilesInAnyLayout(t *testing.T) {
	dirs := filepath.SplitList(os.Getenv("SYMBOL_FILES"))
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	files := map[string][]string{} // by language
	for _, dir := range dirs {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if l, ok := languages.Of(path); ok && err == nil && d.Type().IsRegular() && samples[l.Name].declarations != nil {
				files[l.Name] = append(files[l.Name], path)
			}
			return nil
		})
	}
	read, refused, changed := 0, 0, map[string]int{}
	lawtest.Check(t, func(t *rapid.T) {
		language := rapid.SampledFrom(slices.Sorted(maps.Keys(files))).Draw(t, "language")
		name := rapid.SampledFrom(files[language]).Draw(t, "file")
		content, err := os.ReadFile(name)
		text := string(content)
		if err != nil || strings.Contains(text, "\r") {
			return
		}
		symbols, err := languages.Read(context.Background(), name, text)
		if err != nil {
			if language != "OpenAPI" { // most of its files describe no API
				refused++
			}
			return
		}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		other := laidOut(random, samples[language], text, symbols)
		read++
		if other != text {
			changed[language]++
		}
		got, err := languages.Read(context.Background(), name, other)
		if err != nil {
			t.Fatalf("%v\n%s", err, other)
		}
		if was, is := said(symbols), said(got); !slices.Equal(was, is) {
			t.Fatalf("%s: only before: %q\nonly after: %q\n%s", name, without(was, is), without(is, was), other)
		}
	})
	t.Logf("%d texts were read, %d refused; changed: %v", read, refused, changed)
	if read == 0 || len(changed) == 0 || refused*20 > read+100 {
		t.Errorf("%d texts were read, %d refused, %v changed", read, refused, changed)
	}
}

// said lists what symbols say, without their places.
func said(symbols []symbol.Symbol) []string {
	var all []string
	for _, s := range symbols {
		exported := ""
		if s.Exported {
			exported = "exported "
		}
		all = append(all, exported+s.Kind+" "+s.Name+" "+s.Signature)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// laidOut returns a text with another order of the declarations that begin lines and have nothing but
// comments between them, and with other layout of those without literals.
func laidOut(random *rand.Rand, s sample, text string, symbols []symbol.Symbol) string {
	lines := strings.SplitAfter(text, "\n")
	if !strings.HasSuffix(text, "\n") {
		lines[len(lines)-1] += "\n"
	}
	names := map[string]int{}
	for _, s := range symbols {
		names[s.Name]++
	}
	var blocks [][2]int // lines
	fixed := make([]bool, len(lines)+1)
	for _, s := range symbols {
		first, end := s.Line-1, s.EndLine
		switch {
		case len(blocks) > 0 && first < blocks[len(blocks)-1][1]: // inside it, or with it on a line
			blocks[len(blocks)-1][1] = max(end, blocks[len(blocks)-1][1])
			fixed[blocks[len(blocks)-1][0]] = fixed[blocks[len(blocks)-1][0]] || !strings.Contains(s.Name, ".")
		case end <= len(lines):
			blocks = append(blocks, [2]int{first, end})
			fixed[first] = names[s.Name] > 1 || strings.TrimLeft(lines[first], " \t") != lines[first] || !declares(s) || belongs(lines[:first]) || opensComment(lines[first:end])
		}
	}
	var b strings.Builder
	at := 0
	for i := 0; i < len(blocks); {
		last := i + 1
		for !fixed[blocks[i][0]] && last < len(blocks) && !fixed[blocks[last][0]] && onlyComments(lines[blocks[last-1][1]:blocks[last][0]]) {
			last++
		}
		order := random.Perm(last - i)
		for at2, j := range order {
			b.WriteString(strings.Join(lines[at:blocks[i+at2][0]], ""))
			at = blocks[i+at2][1]
			block := strings.Join(lines[blocks[i+j][0]:blocks[i+j][1]], "")
			if !fixed[blocks[i][0]] {
				b.WriteString([]string{"", "\n", s.comment + " class X { def f(\n"}[random.IntN(3)])
				block = spread(random, s, block)
			}
			b.WriteString(block)
		}
		i = last
	}
	b.WriteString(strings.Join(lines[at:], ""))
	return b.String()
}

// declares reports whether a symbol is a declaration, not a name of another or a statement about the file.
func declares(s symbol.Symbol) bool {
	return !slices.Contains([]string{"package", "syntax", "option", "module", "namespace", "export", "macro call"}, s.Kind) && s.Name != "default"
}

// belongs reports whether lines end with what belongs to the next, such as an attribute.
func belongs(lines []string) bool {
	last := len(lines)
	for last > 0 && strings.TrimSpace(lines[last-1]) != "" && onlyComments(lines[last-1:]) {
		last--
	}
	return last > 0 && strings.TrimSpace(lines[last-1]) != "" && strings.HasPrefix(strings.TrimSpace(lines[last-1]), "#[")
}

// opensComment reports whether lines end inside a comment.
func opensComment(lines []string) bool {
	text := strings.Join(lines, "")
	return strings.Count(text, "/*") > strings.Count(text, "*/")
}

// preprocessed matches the directives of C, C++ and C#.
var preprocessed = regexp.MustCompile(`(?m)^\s*#\s*(if|ifdef|ifndef|el[a-z]+|endif|define|undef|include|pragma|error|warning|import|line)\b`)

func onlyComments(lines []string) bool {
	return !slices.ContainsFunc(lines, func(line string) bool {
		if preprocessed.MatchString(line) {
			return true
		}
		line = strings.TrimSpace(line)
		return line != "" && !strings.HasPrefix(line, "//") && (!strings.HasPrefix(line, "#") || strings.HasPrefix(line, "#[") || strings.HasPrefix(line, "#!"))
	})
}

// spread ends lines in other places, with comments, where no literal can have them in it.
func spread(random *rand.Rand, s sample, block string) string {
	if strings.ContainsAny(block, "\"'`\\%") || preprocessed.MatchString(block) || slices.ContainsFunc([]string{"<<", "</", "/>", "=begin", "?>", "/*"}, func(sign string) bool { return strings.Contains(block, sign) }) {
		return block
	}
	var b strings.Builder
	for line := range strings.Lines(block) {
		code := strings.TrimSuffix(line, "\n")
		if random.IntN(3) == 0 && !strings.Contains(code, s.comment) && s.comment != "#" {
			code = strings.ReplaceAll(code, ", ", []string{",\n    ", ",   ", ",\t", ", " + s.comment + " f(x,\n"}[random.IntN(4)])
		}
		b.WriteString(code + []string{"", "  ", " " + s.comment + " f(x {"}[random.IntN(3)] + "\n")
	}
	return b.String()
}
