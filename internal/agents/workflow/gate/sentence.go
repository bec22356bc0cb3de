package gate

import (
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// requirementPhrase matches a line of prose that requires evidence.
var requirementPhrase = lazyregexp.New(`(?i)\bmust provide\b|\b(required|evidence|checkpoint):`)

// phraseOnly matches bold text that requires evidence without naming it.
var phraseOnly = lazyregexp.New(`(?i)^(.*\s)?(must provide|required|evidence|checkpoint)$`)

// snakeCase matches a word that contains "_".
var snakeCase = lazyregexp.New(`[\p{L}\p{M}\p{N}]*_[\p{L}\p{M}\p{N}_]*`)

// prose reads every line of the paragraphs in a block, but not code fences,
// headings and tables. It reports whether any line requires evidence.
func (r *documentReader) prose(block ast.Node) bool {
	found := false
	if kind := block.Kind(); kind == ast.KindParagraph || kind == ast.KindTextBlock {
		for _, l := range r.lines(block) {
			found = r.sentence(l) || found
		}
		return found
	}
	if block.Type() == ast.TypeInline {
		return false
	}
	for n := block.FirstChild(); n != nil; n = n.NextSibling() {
		found = r.prose(n) || found
	}
	return found
}

// sentence reads a line such as "Required: `tests` number, at least one".
func (r *documentReader) sentence(l textLine) bool {
	prose := l.words()
	if !requirementPhrase().MatchString(prose) {
		return false
	}
	description := strings.Trim(l.text(), "*#-:`\" \t")
	name, ok := sentenceName(l)
	if !ok {
		if r.gate == 0 || !strings.HasSuffix(strings.TrimSpace(prose), ":") { // such a line introduces a list or a table
			r.notice(l.line, CodeUnread, "%q requires evidence without naming it; want a name in backquotes", description)
		}
		return true
	}
	t, typed := typeFromProse(prose, name)
	if _, bounded := minimumFromProse(prose); !typed && bounded {
		t = Integer
	} else if !typed {
		t = String
	}
	r.add(Requirement{
		Name: name, Type: t, Check: checkFromProse(prose, t), Required: !isOptional(prose),
		Description: description, File: r.File, Line: l.line,
	})
	return true
}

// sentenceName returns the name of the evidence in a line of prose: the first
// name in code, else in bold, else the first word that contains "_".
func sentenceName(l textLine) (string, bool) {
	if name, ok := codeName(l); ok {
		return name, true
	}
	for i, p := range l.spans {
		if !p.bold {
			continue
		}
		bold, label := strings.CutSuffix(p.text, ":")
		label = label || i+1 < len(l.spans) && strings.HasPrefix(l.spans[i+1].text, ":")
		if phraseOnly().MatchString(bold) || label && bold != slug(bold) {
			continue // "Purpose:" is a label of the line
		}
		if name := slug(bold); name != "" {
			return name, true
		}
	}
	for _, name := range snakeCase().FindAllString(l.words(), -1) {
		if CheckName(name) == nil && strings.Trim(name, "_") != "" {
			return name, true
		}
	}
	return "", false
}
