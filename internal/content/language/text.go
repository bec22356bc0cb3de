package language

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// quote returns the string that the rest of a line begins with, and the length of its beginning.
func (l *lexer) quote(line string) (q *quote, length int) {
	forms := l.grammar.strings
	if forms == nil {
		forms = l.Syntax.strings
	}
	for i := range forms {
		q := &forms[i]
		if !strings.HasPrefix(line, q.open) {
			continue
		}
		if l.quotesAfter != "" && !l.quoteMayBegin() {
			return nil, 0
		}
		if q.pattern == nil {
			return q, len(q.open)
		}
		if m := q.pattern().FindStringSubmatchIndex(line); m != nil {
			chosen := *q
			chosen.end = string(q.pattern().ExpandString(nil, q.end, line, m))
			return &chosen, m[1]
		}
	}
	return nil, 0
}

// quoteMayBegin reports whether what stands before on the line is nothing, or ends with a
// character after which a string may begin.
func (l *lexer) quoteMayBegin() bool {
	before := strings.TrimRight(l.text[strings.LastIndexByte(l.text[:l.at], '\n')+1:l.at], " \t")
	return before == "" || strings.IndexByte(l.quotesAfter, before[len(before)-1]) >= 0
}

// string reads a string that begins at from and whose text begins at body.
func (l *lexer) string(q *quote, from, body int) bool {
	l.at = body
next:
	for l.at < len(l.text) {
		rest := l.text[l.at:]
		for _, n := range q.nests {
			if strings.HasPrefix(rest, n[0]) {
				if !l.codeInString(len(n[0]), n[1]) {
					return false
				}
				continue next
			}
		}
		switch {
		case q.escapes && rest[0] == '\\':
			l.at++
			if strings.HasPrefix(l.text[l.at:], "\r\n") {
				l.at++
			}
			l.at++
		case strings.HasPrefix(rest, q.end):
			l.at += len(q.end)
			if q.goesOn != "" && l.at < len(l.text) && strings.IndexByte(q.goesOn, l.text[l.at]) >= 0 {
				l.at++
				continue
			}
			l.add(quoted, from)
			return true
		case rest[0] == '\n' && !q.lines:
			return false
		default:
			l.at++
		}
	}
	return false
}

// codeInString reads the code in a string, up to the bracket that closes it.
func (l *lexer) codeInString(length int, closing string) bool {
	count, fresh := len(l.tokens), l.fresh
	l.at += length
	ok := l.run(closing)
	l.tokens, l.fresh = l.tokens[:count], fresh
	return ok
}

// hereDocument returns the word that ends the here-document which begins here, and the length
// of its beginning.
func (l *lexer) hereDocument(rest string) (word string, length int) {
	if !l.heredoc || !strings.HasPrefix(rest, "<<") {
		return "", 0
	}
	if strings.HasPrefix(rest, "<<<") {
		rest = rest[1:] // of PHP; of a shell, a text that is no document
		length = 1
	}
	m := heredoc().FindStringSubmatch(rest)
	if m == nil || length == 1 && l.grammar != &phpGrammar {
		return "", 0
	}
	if !wordAlone(l.text[l.at:], m[1]) {
		return "", 0 // an operator
	}
	return m[1], length + len(m[0])
}

// wordAlone reports whether a line below the first has a word alone.
func wordAlone(text, word string) bool {
	first := true
	for line := range strings.Lines(text) {
		if !first && alone(line) == word {
			return true
		}
		first = false
	}
	return false
}

// hereDocuments reads the here-documents that begin with this line.
func (l *lexer) hereDocuments() bool {
	for len(l.words) > 0 {
		from := l.at
		for {
			if l.at >= len(l.text) {
				return false
			}
			end := l.lineEnd(l.at)
			line := l.text[l.at:end]
			l.at = end
			if alone(line) == l.words[0] {
				break
			}
			l.at = min(end+1, len(l.text))
		}
		l.words = l.words[1:]
		l.add(quoted, from)
		if l.at < len(l.text) && len(l.words) > 0 {
			l.at++
		}
	}
	return true
}

// scalarHeader matches the sign of a block of YAML to the end of its line.
var scalarHeader = lazyregexp.New(`^[|>][-+0-9]*[ \t]*(#.*)?\r?$`)

// scalarIndent matches what stands before the first key of a line of YAML.
var scalarIndent = lazyregexp.New(`^[ ]*(- +)*`)

// scalar reads a block of YAML: the lines below that are indented more than its key.
func (l *lexer) scalar(line string) bool {
	if !scalarHeader().MatchString(line) {
		return false
	}
	start := strings.LastIndexByte(l.text[:l.at], '\n') + 1
	before := l.text[start:l.at]
	indent := len(scalarIndent().FindString(before))
	if strings.TrimSpace(before[indent:]) == "" { // an entry of a list, without a key
		indent = strings.LastIndexByte(before, '-')
	}
	from := l.at
	end := l.lineEnd(l.at)
	for end < len(l.text) {
		next := l.lineEnd(end + 1)
		body := l.text[end+1 : next]
		if text := strings.TrimLeft(body, " "); strings.TrimSpace(text) != "" && len(body)-len(text) <= indent {
			break
		}
		end = next
	}
	l.at = end
	l.add(quoted, from)
	return true
}
