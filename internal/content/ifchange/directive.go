package ifchange

import (
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/content/language"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// The words of directives.
const (
	ifWord       = "LINT.IfChange"
	thenWord     = "LINT.ThenChange"
	labelWord    = "LINT.Label"
	endLabelWord = "LINT.EndLabel"
	prefix       = "LINT."
)

var words = []string{ifWord, thenWord, labelWord, endLabelWord}

// directive is a directive as its comment has it.
type directive struct {
	word    string
	line    int // its first
	last    int
	entries []entry // what is in the parentheses
	parens  bool
	wrong   string // what is malformed; empty: nothing
}

// entry is one entry of the list of a directive.
type entry struct {
	line int
	text string
}

// directivesOf returns the directives in comments.
func directivesOf(comments []language.Comment) []directive {
	var found []directive
	for i := 0; i < len(comments); i++ {
		d, used := directiveAt(comments[i:])
		if d.word != "" {
			found = append(found, d)
		}
		i += used
	}
	return found
}

// directiveAt reads the directive that the first of the comments begins with, and how many
// of the next ones belong to it. Sentences about directives do not count.
func directiveAt(comments []language.Comment) (d directive, used int) {
	c := comments[0]
	word, rest := wordOf(c.Texts[0])
	if word == "" {
		return d, 0
	}
	d = directive{line: c.Line, last: c.Last()}
	known := knownWord(word)
	arguments, parens := strings.CutPrefix(rest, "(")
	loose := strings.TrimSpace(rest)
	switch {
	case known == "" && directiveForm().MatchString(word) && (parens || loose == "") && len(c.Texts) == 1:
		d.word, d.wrong = word, fmt.Sprintf("%q; want %q or %q", finish(word), ifWord, thenWord)
		return d, 0
	case known == "" || !parens && loose != "" && !looseArguments(known, rest):
		return d, 0
	case len(c.Texts) > 1 && (known != thenWord || !parens):
		return d, 0 // text that shows how directives look
	}
	d.word, d.parens = known, parens
	switch {
	case word != known:
		d.wrong = fmt.Sprintf("%q; want %q", word, known)
	case !c.Alone:
		d.wrong = fmt.Sprintf("%q shares a line with code; want the comment on a separate line", word)
	case !parens && loose != "":
		d.wrong = fmt.Sprintf("%q; want %q followed by a parenthesis", finish(word+rest), word)
	case !parens && (known == thenWord || known == labelWord):
		d.wrong = fmt.Sprintf("%q without targets; want \"%s(//path)\"", word, word)
		if known == labelWord {
			d.wrong = fmt.Sprintf("%q without a name; want \"%s(name)\"", word, word)
		}
	}
	if !parens {
		return d, 0
	}
	after, used := d.readArguments(arguments, comments)
	if d.wrong == "" && after != "" {
		d.wrong = fmt.Sprintf("%q after %q; want nothing after the parenthesis", finish(after), word)
	}
	return d, used
}

// directiveForm matches the words that are meant as directives: names of files like lint.yml are not.
var directiveForm = lazyregexp.New(`^LINT\.[A-Z][a-z]\w*$`)

// wordOf splits a comment after the word that looks like that of a directive.
func wordOf(text string) (word, rest string) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return "", ""
	}
	end := len(prefix)
	for end < len(text) && (text[end]|0x20 >= 'a' && text[end]|0x20 <= 'z' || text[end] == '_') {
		end++
	}
	return text[:end], text[end:]
}

// knownWord returns the word of a directive that differs from word at most in letter case.
func knownWord(word string) string {
	for _, known := range words {
		if strings.EqualFold(word, known) {
			return known
		}
	}
	return ""
}

// looseArguments reports whether the text after a word is meant as its arguments, although
// the parenthesis is missing or comes after a blank.
func looseArguments(word, rest string) bool {
	rest = strings.TrimSpace(rest)
	return strings.HasPrefix(rest, "(") || word == thenWord && (strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "./") || strings.HasPrefix(rest, "../"))
}

// readArguments reads the list up to the closing parenthesis, in the comment and in those on
// the lines below it, and returns the text after it.
func (d *directive) readArguments(text string, comments []language.Comment) (after string, used int) {
	line, texts := d.line, comments[0].Texts[1:]
	var lines []entry
	for {
		if end := closingParen(text); end >= 0 {
			lines = append(lines, entry{line, text[:end]})
			d.split(lines)
			d.last = max(line, comments[used].Last())
			return strings.TrimSpace(text[end+1:] + strings.Join(texts, "")), used
		}
		lines = append(lines, entry{line, text})
		line++
		switch {
		case len(texts) > 0:
			text, texts = texts[0], texts[1:]
		case used+1 < len(comments) && continues(comments[used+1], line):
			used++
			text, texts = comments[used].Texts[0], comments[used].Texts[1:]
		default:
			if d.wrong == "" {
				d.wrong = fmt.Sprintf("%q has no closing parenthesis; want \")\" in this comment or in one on the next line", d.word)
			}
			return "", 0
		}
	}
}

// continues reports whether a comment on a line may continue a list.
func continues(c language.Comment, line int) bool {
	word, _ := wordOf(c.Texts[0])
	return c.Line == line && c.Alone && word == ""
}

// closingParen returns the place of the parenthesis that closes a list, or -1. Names of
// files may have pairs of them.
func closingParen(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

// split splits the text of a list at its commas.
func (d *directive) split(lines []entry) {
	var list []entry
	joined := false // the last entry may go on
	for _, l := range lines {
		for part := range strings.SplitSeq(l.text, ",") {
			part = strings.TrimSpace(part)
			switch {
			case joined && part != "" && list[len(list)-1].text != "":
				d.complain(fmt.Sprintf("%q and %q without a comma; want one between targets", finish(list[len(list)-1].text), finish(part)))
				list = append(list, entry{l.line, part})
			case joined && part != "":
				list[len(list)-1] = entry{l.line, part}
			case !joined:
				list = append(list, entry{l.line, part})
			}
			joined = false
		}
		joined = true
	}
	if n := len(list); n > 0 && list[n-1].text == "" {
		list = list[:n-1] // a list may end with a comma, or be empty
	}
	for _, e := range list {
		if e.text == "" {
			d.complain(fmt.Sprintf("an entry of %q is empty; want a target between commas", d.word))
			return
		}
	}
	d.entries = list
}

func (d *directive) complain(wrong string) {
	if d.wrong == "" {
		d.wrong = wrong
	}
}

// labelForm matches labels.
var labelForm = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// quotation returns a text without the quotes around it.
func quotation(text string) string {
	if n := len(text); n >= 2 && strings.IndexByte("'\"`", text[0]) >= 0 && text[n-1] == text[0] {
		return text[1 : n-1]
	}
	return text
}

// finish limits text for messages.
func finish(text string) string {
	const most = 80
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
