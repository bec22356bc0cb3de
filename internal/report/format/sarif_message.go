package format

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// maxLinks limits the links in a message to related locations; more would bury it.
const maxLinks = 20

// link is a mention of a related file in a message.
type link struct{ start, end, id int }

// linked returns the finding's message with links to the first of its related files, and
// the locations of all: viewers show only locations that the message links to.
func linked(f finding.Finding) (sarifText, []sarifLocation) {
	message := string(plain.Line(report.Message(f)))
	var related []sarifLocation
	var links []link
	var further []sarifText // not mentioned
	left := 0
	for _, l := range f.Related {
		if l.Path == f.Path && l.Line == f.Line {
			continue
		}
		location := locationOf(l.Path, max(l.Line, 1))
		if len(related) >= maxLinks {
			related = append(related, location)
			left++
			continue
		}
		location.ID = len(related) + 1
		related = append(related, location)
		name := string(plain.Line(l.Path))
		if at := mention(message, name, links); at >= 0 {
			links = append(links, link{at, at + len(name), location.ID})
		} else {
			further = append(further, linkTo(name, location.ID))
		}
	}
	text := sentence(withLinks(message, links))
	if len(further) > 0 {
		text += " See "
		for i, link := range further {
			if i > 0 {
				text += ", "
			}
			text += link
		}
		text += sarifLine(report.AndMore(left)) + "."
	}
	return text, related
}

// mention finds the first place where the message names the file as a whole word
// outside existing links; -1 if there is none.
func mention(message, name string, links []link) int {
	for from := 0; ; {
		i := strings.Index(message[from:], name)
		if i < 0 || name == "" {
			return -1
		}
		start, end := from+i, from+i+len(name)
		taken := slices.ContainsFunc(links, func(l link) bool { return start < l.end && l.start < end })
		if !taken && !continues(lastRune(message[:start])) && !continues(nextInName(message[end:])) {
			return start
		}
		from = end
	}
}

// continues reports whether r belongs to the name next to it. A backslash would escape
// the bracket of a link after it.
func continues(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(`/_-.\`, r)
}

func lastRune(s string) rune {
	r, size := utf8.DecodeLastRuneInString(s)
	if size == 0 {
		return ' '
	}
	return r
}

// nextInName returns the rune after a name, ignoring a full stop that ends the
// sentence.
func nextInName(rest string) rune {
	rest = strings.TrimLeft(rest, ".")
	if rest == "" {
		return ' '
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return r
}

func withLinks(message string, links []link) sarifText {
	slices.SortFunc(links, func(a, b link) int { return a.start - b.start })
	var text sarifText
	from := 0
	for _, l := range links {
		text += sarifLine(message[from:l.start]) + linkTo(message[l.start:l.end], l.id)
		from = l.end
	}
	return text + sarifLine(message[from:])
}

// linkTo returns a link to a related location. In the text of a link, a backslash is
// escaped too.
func linkTo(name string, id int) sarifText {
	return "[" + sarifLine(strings.ReplaceAll(string(plain.Line(name)), `\`, `\\`)) + sarifText(fmt.Sprintf("](%d)", id))
}

// brackets begin and end a link in a message (3.11.6). Readers differ on whether two
// backslashes before one are a separate escape.
var brackets = strings.NewReplacer(`\[`, `\x5c\[`, `\]`, `\x5c\]`, "[", `\[`, "]", `\]`)

// sarifText is the text of a message. Constants are sarifText by themselves; any other
// text becomes it by the functions of this file only, which escape it.
type sarifText string

// sarifLine returns text from outside as a part of a message.
func sarifLine(s string) sarifText { return sarifText(brackets.Replace(string(plain.Line(s)))) }

// sarifPlain returns text as a description, in which there are no links.
func sarifPlain(t plain.Text) sarifText { return sarifText(t) }

func messageOf(s string) sarifMessage { return sarifMessage{Text: sarifLine(s)} }

// sentence adds a full stop if s ends without punctuation.
func sentence(s sarifText) sarifText {
	if s == "" || strings.ContainsRune(".!?…", lastRune(string(s))) {
		return s
	}
	return s + "."
}
