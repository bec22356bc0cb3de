// Package owners finds the owners of files in CODEOWNERS, as GitHub does.
package owners

import (
	"regexp"
	"strings"
	"sync"

	"github.com/rulecheck/rulecheck/internal/pattern"
)

// Places lists the names of CODEOWNERS files; the first that exists counts.
func Places() []string { return []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"} }

// File is a CODEOWNERS file.
type File struct {
	lines []line
	index *pattern.Index // of the patterns of all lines
	of    []int          // by pattern, the index of its line
}

// line is one line with a pattern.
type line struct {
	number   int
	patterns []*pattern.Pattern // any of them
	owners   []string
}

// Parse reads a CODEOWNERS file. Lines that are malformed are skipped, as GitHub does.
func Parse(text string) File {
	var f File
	number := 0
	for each := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		if l, ok := parseLine(each); ok {
			l.number = number
			f.lines = append(f.lines, l)
		}
	}
	var all []*pattern.Pattern
	for i, l := range f.lines {
		for _, p := range l.patterns {
			all, f.of = append(all, p), append(f.of, i)
		}
	}
	f.index = pattern.NewIndex(all)
	return f
}

// Owners returns the owners of a file and the line that names them: the last that matches
// counts. Without one, the line is 0.
func (f File) Owners(path string) (owners []string, number int) {
	last := -1
	f.index.Match(path, func(i int, _ pattern.Captures) { last = max(last, f.of[i]) })
	if last < 0 {
		return nil, 0
	}
	return f.lines[last].owners, f.lines[last].number
}

// owner matches a user, a team, or the address of a user.
var owner = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(@[^@/]+(/[^@/]+)?|[^@]+@[^@]+)$`) })

func parseLine(text string) (line, bool) {
	words := split(text)
	if len(words) == 0 || strings.HasPrefix(words[0], "#") {
		return line{}, false
	}
	l := line{patterns: compile(words[0]), owners: []string{}}
	for _, word := range words[1:] {
		if strings.HasPrefix(word, "#") {
			break
		}
		if !owner().MatchString(word) {
			return line{}, false
		}
		l.owners = append(l.owners, word)
	}
	return l, len(l.patterns) > 0
}

// split returns the words of a line. A backslash escapes a space, and stays.
func split(text string) []string {
	var words []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	escaped := false
	for _, r := range text {
		if !escaped && strings.ContainsRune(" \t\r\n", r) {
			end()
			continue
		}
		word.WriteRune(r)
		escaped = r == '\\' && !escaped
	}
	end()
	return words
}
