package rule

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/yaml"
)

const delimiter = "---"

// parts is a rule file, split at its delimiters.
type parts struct {
	yaml    string // between the delimiters
	body    string // not trimmed
	closing int    // line of the second delimiter
}

// yamlLine is the line of a rule file on which its YAML starts.
const yamlLine = 2

// split splits a rule file at its two delimiters: lines of "---" and trailing
// blanks. The first must be the file's first line.
func split(text string, l *yaml.Log) (parts, bool) {
	lines := strings.Split(text, "\n")
	if !isDelimiter(lines[0]) {
		l.Add(yaml.Top, codeNoFrontmatter, `the file begins with %q; want a line "---", the frontmatter and another "---"`, yaml.Shorten(lines[0]))
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
	l.Add(yaml.Top, codeUnclosedFrontmatter, `the frontmatter is not closed; want a line "---" below its last key`)
	return parts{}, false
}

// Frontmatter returns the YAML of a rule file without its delimiters; nothing if it has none.
func Frontmatter(text string) string {
	p, _ := split(text, &yaml.Log{})
	return p.yaml
}

func isDelimiter(line string) bool { return strings.TrimRight(line, " \t") == delimiter }
