package rule

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/suggest"
	"github.com/rulecheck/rulecheck/internal/yaml"
)

// The placeholders of bodies, which a report replaces by names of files.
const (
	TriggerFile   = "{trigger_file}"
	TriggerFiles  = "{trigger_files}"
	ExpectedFiles = "{expected_files}"
	CreatedFiles  = "{created_files}"
)

// Placeholders lists the placeholders of bodies.
func Placeholders() []string { return []string{TriggerFile, TriggerFiles, ExpectedFiles, CreatedFiles} }

// shortForms are words that people write in prose for placeholders. In code they may be anything.
var shortForms = suggest.Synonyms{
	"{expected}": ExpectedFiles, "{expects}": ExpectedFiles, "{trigger}": TriggerFiles, "{triggers}": TriggerFiles,
	"{triggered_files}": TriggerFiles, "{changed_files}": TriggerFiles, "{changed_file}": TriggerFile, "{created}": CreatedFiles,
}

// inBraces matches what may be meant as a placeholder. A body has braces for other reasons, too.
var inBraces = lazyregexp.New(`\{[A-Za-z]+(?:[_-][A-Za-z]+)*\}`)

// checkPlaceholders reports misspelt placeholders of a body. Captures of the rule's patterns are
// none: a body may explain the patterns. at returns the place of a byte of the body.
func checkPlaceholders(body string, patterns map[string][]*pattern.Pattern, at func(offset int) yaml.Place, l *yaml.Log) {
	for _, span := range inBraces().FindAllStringIndex(body, -1) {
		text := body[span[0]:span[1]]
		if slices.Contains(Placeholders(), text) || captures(patterns, text[1:len(text)-1]) {
			continue
		}
		plain := strings.ToLower(strings.ReplaceAll(text, "-", "_"))
		near := suggest.Nearest(plain, Placeholders())
		if meant := shortForms[plain]; meant != "" && !inCode(body[:span[0]]) {
			near = meant
		}
		if near != "" {
			l.Add(at(span[0]), codeBadPlaceholder, "unknown placeholder %q; did you mean %q?", text, near)
		}
	}
}

func captures(patterns map[string][]*pattern.Pattern, name string) bool {
	for _, list := range patterns {
		for _, p := range list {
			if slices.ContainsFunc(p.Variables(), func(v pattern.Variable) bool { return v.Name == name }) {
				return true
			}
		}
	}
	return false
}

// inCode reports whether markdown continues in a fenced block or a code span.
func inCode(before string) bool {
	lines := strings.Split(before, "\n")
	fence := ""
	for _, line := range lines[:len(lines)-1] {
		line = strings.TrimLeft(line, " \t>")
		switch mark := line[:min(3, len(line))]; {
		case fence == "" && (mark == "```" || mark == "~~~"):
			fence = mark
		case mark == fence:
			fence = ""
		}
	}
	return fence != "" || strings.Count(lines[len(lines)-1], "`")%2 == 1
}
