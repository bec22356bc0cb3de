package language

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// Comment is a comment of a file.
type Comment struct {
	Line  int      // from 1, of its first line
	Texts []string // of its lines, without the signs of the comment
	Alone bool     // its lines have nothing else
}

// Last returns the last line of a comment.
func (c Comment) Last() int { return c.Line + len(c.Texts) - 1 }

// scanner finds the comments of a text.
type scanner struct {
	*Syntax

	text     string
	ends     map[string]int // last line with a word alone, from 1; nil: not looked for
	comments []Comment
	open     *Comment // a comment that continues on the next line
	end      string   // what ends it, or the string that continues on the next line
	quoted   *quote   // that string
	word     string   // what ends the here-document; empty: none is open
	fence    string   // what closes the fence; empty: none is open
}

// Comments returns the comments of a text, in order. It is lenient: text that it cannot read as
// the language has it, such as a string without an end, is code.
func (s *Syntax) Comments(text string) []Comment {
	scan := scanner{Syntax: s, text: text}
	number := 0
	for line := range strings.Lines(text) {
		number++
		scan.readLine(number, strings.TrimRight(line, "\r\n"))
	}
	return scan.comments
}

func (s *scanner) readLine(number int, line string) {
	at := 0
	switch {
	case s.open != nil:
		var done bool
		if at, done = s.continueComment(line); !done {
			return
		}
	case s.quoted != nil:
		if at = s.quoted.after(line, 0); at < 0 {
			return
		}
		s.quoted = nil
	case s.word != "":
		if alone(line) == s.word {
			s.word = ""
		}
		return
	case s.fences && s.inFence(line):
		return
	}
	s.readCode(number, line, at)
}

// readCode reads a line from a place outside of comments and strings.
func (s *scanner) readCode(number int, line string, from int) {
	for at := from; at < len(line); {
		rest := line[at:]
		alone := strings.TrimSpace(line[:at]) == ""
		if q, length := s.quoteAt(rest); q != nil {
			next := q.after(line, at+length)
			switch {
			case next >= 0:
				at = next
			case q.lines:
				s.quoted = q
				return
			default:
				at += length // an apostrophe
			}
			continue
		}
		if opener, end, ok := s.blockAt(rest); ok {
			body := rest[len(opener):]
			i := strings.Index(body, end)
			if i < 0 {
				s.open, s.end = &Comment{Line: number, Texts: []string{afterSign(body, opener)}, Alone: alone}, end
				return
			}
			at += len(opener) + i + len(end)
			s.comments = append(s.comments, Comment{number, []string{afterSign(body[:i], opener)}, alone && strings.TrimSpace(line[at:]) == ""})
			continue
		}
		if opener := s.lineAt(rest, alone); opener != "" {
			s.comments = append(s.comments, Comment{number, []string{afterSign(rest[len(opener):], opener)}, alone})
			return
		}
		if word, length := s.hereDocumentAt(rest, number); word != "" {
			s.word = word
			at += length
			continue
		}
		at++
	}
}

// continueComment reads a line of an open comment, and returns where the line goes on after it.
func (s *scanner) continueComment(line string) (at int, done bool) {
	i := strings.Index(line, s.end)
	if i < 0 {
		s.open.Texts = append(s.open.Texts, strings.TrimPrefix(strings.TrimSpace(line), "* "))
		return 0, false
	}
	at = i + len(s.end)
	s.open.Texts = append(s.open.Texts, strings.TrimPrefix(strings.TrimSpace(line[:i]), "* "))
	s.open.Alone = s.open.Alone && strings.TrimSpace(line[at:]) == ""
	s.comments = append(s.comments, *s.open)
	s.open = nil
	return at, true
}

// inFence reports whether a line belongs to a fenced block of code.
func (s *scanner) inFence(line string) bool {
	text := strings.TrimLeft(line, " \t>")
	if s.fence != "" {
		if strings.HasPrefix(text, s.fence) && strings.Trim(text, s.fence[:1]+" \t") == "" {
			s.fence = ""
		}
		return true
	}
	text = listItem().ReplaceAllString(text, "")
	for _, sign := range []string{"`", "~"} {
		if n := len(text) - len(strings.TrimLeft(text, sign)); n >= 3 && (sign == "~" || !strings.Contains(text[n:], sign)) {
			s.fence = text[:n]
			return true
		}
	}
	return false
}

// listItem matches the sign of an item of a list.
var listItem = lazyregexp.New(`^([-*+]|[0-9]+[.)])\s+`)

func (s *scanner) blockAt(rest string) (opener, end string, ok bool) {
	for _, b := range s.block {
		if strings.HasPrefix(rest, b[0]) {
			return b[0], b[1], true
		}
	}
	return "", "", false
}

// lineAt returns the sign that begins a comment to the end of the line. Signs that are words
// or also operators begin one only at the beginning of a line.
func (s *scanner) lineAt(rest string, first bool) string {
	for _, sign := range s.line {
		switch {
		case strings.HasPrefix(rest, sign):
			if first || sign == "#" || sign == "//" || sign == "--" {
				return rest[:len(sign)]
			}
		case s.noCase && first && len(rest) >= len(sign) && strings.EqualFold(rest[:len(sign)], sign):
			return rest[:len(sign)]
		}
	}
	return ""
}

// afterSign returns the text of a comment without further signs, as in "/// text".
func afterSign(text, sign string) string {
	more := strings.TrimLeft(text, sign[len(sign)-1:]+"!*")
	if more == "" || more[0] == ' ' || more[0] == '\t' {
		text = more
	}
	return strings.TrimSpace(text)
}
