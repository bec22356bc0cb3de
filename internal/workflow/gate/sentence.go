package gate

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// asks finds that a line of prose asks for evidence.
var asks = regexp.MustCompile(`(?i)\bmust provide\b|\b(required|evidence|checkpoint):`)

// asksAlone is what bold text says that asks, and names nothing.
var asksAlone = regexp.MustCompile(`(?i)^(.*\s)?(must provide|required|evidence|checkpoint)$`)

// snakeCase finds a word with "_" in it.
var snakeCase = regexp.MustCompile(`\b[A-Za-z0-9]*_[A-Za-z0-9_]*\b`)

// prose reads every line of the paragraphs in a block; what is in code fences,
// headings and tables is none. It reports whether any asks for evidence.
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
	if !asks.MatchString(prose) {
		return false
	}
	description := strings.Trim(l.text(), "*#-:`\" \t")
	name, ok := sentenceName(l)
	if !ok {
		if r.gate == 0 || !strings.HasSuffix(strings.TrimSpace(prose), ":") { // there it leads up to a list or a table
			r.notice(l.line, CodeUnread, "%q asks for evidence and names none; want a name in backquotes", description)
		}
		return true
	}
	t, told := toldType(prose, name)
	if _, bounded := toldBound(prose); !told && bounded {
		t = Integer
	} else if !told {
		t = String
	}
	r.ask(Requirement{
		Name: name, Type: t, Check: toldCheck(prose, t), Required: !isOptional(prose),
		Description: description, File: r.File, Line: l.line,
	})
	return true
}

// sentenceName is what a line of prose calls the evidence: the first name in
// code, else in bold, else the first word with "_".
func sentenceName(l textLine) (string, bool) {
	if name, ok := codeName(l); ok {
		return name, true
	}
	for i, p := range l.spans {
		if !p.bold {
			continue
		}
		said, label := strings.CutSuffix(p.text, ":")
		label = label || i+1 < len(l.spans) && strings.HasPrefix(l.spans[i+1].text, ":")
		if asksAlone.MatchString(said) || label && said != slug(said) {
			continue // "Purpose:" says what the line is about
		}
		if name := slug(said); name != "" {
			return name, true
		}
	}
	for _, name := range snakeCase.FindAllString(l.words(), -1) {
		if CheckName(name) == nil && strings.Trim(name, "_") != "" {
			return name, true
		}
	}
	return "", false
}
