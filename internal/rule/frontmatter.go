package rule

import (
	"strings"
	"unicode/utf8"
)

const delimiter = "---"

// parts is a rule file taken apart.
type parts struct {
	yaml    string // what stands between the delimiters
	body    string // as it is
	closing int    // line of the second delimiter
}

// yamlLine is the line of a rule file on which its YAML starts.
const yamlLine = 2

// normalize makes text of a file's bytes: without a byte order mark, lines
// ended by "\n" alone. Line and column of everything else stay as they are.
func normalize(source []byte, l *log) (string, bool) {
	text := strings.TrimPrefix(string(source), "\ufeff")
	if !utf8.ValidString(text) {
		l.add(invalidByte(text), codeNotUTF8, "the file is not UTF-8 text")
		return "", false
	}
	return strings.ReplaceAll(text, "\r\n", "\n"), true
}

// invalidByte is the place of the first byte that is not UTF-8.
func invalidByte(text string) place {
	offset := 0
	for {
		r, size := utf8.DecodeRuneInString(text[offset:])
		if r == utf8.RuneError && size <= 1 {
			return placeOf(text, offset)
		}
		offset += size
	}
}

// placeOf is where the byte at offset stands in text.
func placeOf(text string, offset int) place {
	before := text[:offset]
	return place{strings.Count(before, "\n") + 1, offset - strings.LastIndexByte(before, '\n')}
}

// split takes a rule file apart at its two delimiters: lines that are exactly
// "---", but for blanks after it. The first must be the file's first line.
func split(text string, l *log) (parts, bool) {
	lines := strings.Split(text, "\n")
	if !isDelimiter(lines[0]) {
		l.add(top, codeNoFrontmatter, `the file begins with %q; want a line "---", the frontmatter and another "---"`, start(lines[0]))
		return parts{}, false
	}
	for i, line := range lines[1:] {
		if isDelimiter(line) {
			return parts{
				yaml:    strings.Join(lines[1:1+i], "\n"),
				body:    strings.Join(lines[i+2:], "\n"),
				closing: i + yamlLine,
			}, true
		}
	}
	l.add(top, codeUnclosedFrontmatter, `the frontmatter is not closed; want a line "---" below its last key`)
	return parts{}, false
}

func isDelimiter(line string) bool { return strings.TrimRight(line, " \t") == delimiter }

// start is as much of a line as a message can bear.
func start(line string) string {
	const enough = 40
	if runes := []rune(line); len(runes) > enough {
		return string(runes[:enough]) + "…"
	}
	return line
}
