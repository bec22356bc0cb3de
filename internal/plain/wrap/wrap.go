// Package wrap lays out text for the width of a terminal: it breaks lines between words, and
// aligns the columns of tables.
package wrap

import (
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/plain"
)

// minColumns is the least width for which lines are wrapped.
const minColumns = 20

// Line breaks a line between words so that it has at most width columns, and indents
// the further lines by indent columns. It breaks no code span, quotation or command to run. A width of 0
// leaves the line as it is.
func Line(t plain.Text, width, indent int) plain.Text {
	if width < minColumns || Columns(t) <= width {
		return t
	}
	return Join(Words(t), width, indent)
}

// Join joins words by blanks like [Line]. It breaks no word.
func Join(words []plain.Text, width, indent int) plain.Text {
	if width < minColumns {
		return plain.Join(words, " ")
	}
	var b strings.Builder
	column, began := 0, false // began: the line has a word
	for i, word := range words {
		wide := Columns(word)
		switch {
		case i == 0:
		case began && column+1+wide > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(string(word))
		column += wide
		began = began || word != ""
	}
	return plain.Text(b.String())
}

// Block wraps lines of markdown at width columns, and indents each by indent columns. Lines
// of one paragraph are filled if one of them is too long. Code, tables and headings stay as they
// are.
func Block(lines []plain.Text, width, indent int) []plain.Text {
	var all, paragraph []plain.Text
	before := blanks(indent)
	hanging := indent // of the paragraph's further lines
	flush := func() {
		if len(paragraph) == 0 {
			return
		}
		long := false
		for i, line := range paragraph {
			paragraph[i] = (before + line).TrimRight(" \t")
			long = long || Columns(paragraph[i]) > width
		}
		if width >= minColumns && long {
			first := paragraph[0]
			for _, line := range paragraph[1:] {
				first += " " + plain.Text(strings.TrimLeft(string(line), " "))
			}
			paragraph = Line(first, width, hanging).Split("\n")
		}
		all, paragraph = append(all, paragraph...), nil
	}
	fence, last := "", plain.Text("")
	for _, line := range lines {
		text := strings.TrimLeft(string(line), " ")
		depth := len(line) - len(text)
		switch {
		case fence != "":
			if strings.HasPrefix(text, fence) {
				fence = ""
			}
			all = append(all, (before + line).TrimRight(" \t"))
		case strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~"):
			flush()
			fence = text[:3]
			all = append(all, (before + line).TrimRight(" \t"))
		case text == "" || strings.ContainsAny(text[:1], "#|>\t") || len(paragraph) == 0 && depth >= 4 && strings.TrimSpace(string(last)) == "":
			flush()
			all = append(all, (before + line).TrimRight(" \t"))
		default:
			if mark := itemMark(text); mark > 0 || len(paragraph) == 0 {
				flush()
				hanging = indent + depth + mark
			}
			paragraph = append(paragraph, line)
			if strings.HasSuffix(text, "  ") || strings.HasSuffix(text, `\`) { // a line break of markdown
				flush()
			}
		}
		last = line
	}
	flush()
	return all
}

func blanks(n int) plain.Text { return plain.Text(strings.Repeat(" ", n)) }

// itemMark returns the length of the mark with which an item of a list begins; 0: the line begins none.
func itemMark(line string) int {
	rest := strings.TrimLeft(line, "0123456789")
	number := len(line) - len(rest)
	if len(rest) > 1 && rest[1] == ' ' && (number == 0 && strings.ContainsAny(rest[:1], "-*+") || number > 0 && strings.ContainsAny(rest[:1], ".)")) {
		return number + 2
	}
	return 0
}

// Words splits a line at its blanks, but not within code spans, quotations, and commands that
// the reader is to run.
func Words(t plain.Text) []plain.Text {
	const command = 'c'
	var words []plain.Text
	var open byte // a mark that is not closed, or a command
	rest := string(t)
	for _, word := range t.Split(" ") {
		rest = strings.TrimPrefix(rest[len(word):], " ")
		if open != 0 {
			words[len(words)-1] += " " + word
		} else {
			words = append(words, word)
		}
		n := len(words)
		switch {
		case open == command:
			if strings.ContainsAny(string(word[max(len(word)-1, 0):]), ",;.)") {
				open = 0
			}
		case open == 0 && n > 1 && (word == "rulecheck" || word == "git") && asks(words[n-2]):
			open = command
		default:
			open = openAfter(word, open, rest)
		}
	}
	return words
}

// asks reports whether a word comes before a command to run.
func asks(word plain.Text) bool {
	word = plain.Text(strings.Trim(string(word), "(:"))
	return word == "run" || word == "next" || word == "see"
}

// openAfter returns which mark is open after a word, if one is open before it. A mark that
// nothing in the rest of the line closes opens nothing.
func openAfter(t plain.Text, open byte, rest string) byte {
	for i := range len(t) {
		switch c := t[i]; {
		case c == open:
			open = 0
		case open == 0 && (c == '`' || c == '"') && strings.IndexByte(string(t[i+1:])+rest, c) >= 0:
			open = c
		}
	}
	return open
}

// Table aligns the cells of rows, each of which becomes a line. The last column is wrapped if
// the line would have more than width columns and there is room for words; a width of 0 wraps
// nothing.
func Table(rows [][]plain.Text, width int) plain.Text {
	rows = wrapLast(rows, width)
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		_, _ = io.WriteString(w, string(plain.Join(row, "\t"))+"\n")
	}
	_ = w.Flush() // a strings.Builder has no errors
	return plain.Text(b.String())
}

// minLast is the least width of a column that is wrapped.
const minLast = 16

// wrapLast returns the rows with further rows for the lines of the last column that are too
// long for a table of width columns.
func wrapLast(rows [][]plain.Text, width int) [][]plain.Text {
	last := 0 // column
	for _, row := range rows {
		last = max(last, len(row)-1)
	}
	widths := make([]int, last)
	for _, row := range rows {
		for i, cell := range row[:min(len(row), last)] {
			widths[i] = max(widths[i], Columns(cell))
		}
	}
	room := width - 2*last
	for _, w := range widths {
		room -= w
	}
	if last == 0 || room < minLast {
		return rows
	}
	var wrapped [][]plain.Text
	for _, row := range rows {
		if len(row) <= last {
			wrapped = append(wrapped, row)
			continue
		}
		for i, line := range Line(row[last], room, 0).Split("\n") {
			cells := make([]plain.Text, last+1)
			if i == 0 {
				copy(cells, row[:last])
			}
			cells[last] = line
			wrapped = append(wrapped, cells)
		}
	}
	return wrapped
}

// Fit returns the rows of a table without some columns, by the first row, where a line would have
// more than width columns: as few as are needed, the first named first. A width of 0 fits all.
func Fit(rows [][]plain.Text, width int, least ...plain.Text) [][]plain.Text {
	for _, name := range least {
		wide := slices.ContainsFunc(Table(rows, 0).Split("\n"), func(line plain.Text) bool { return Columns(line) > width })
		column := slices.Index(rows[0], name)
		if width == 0 || !wide || column < 0 {
			continue
		}
		for i, row := range rows {
			rows[i] = slices.Delete(slices.Clone(row), column, column+1)
		}
	}
	return rows
}

// Columns returns how many columns of a terminal a line takes. Colours take none.
func Columns(t plain.Text) int {
	columns := 0
	for s := string(t); s != ""; {
		if strings.HasPrefix(s, "\x1b[") {
			if end := strings.IndexByte(s, 'm'); end > 0 {
				s = s[end+1:]
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(s)
		columns += columnsOf(r)
		s = s[size:]
	}
	return columns
}

// wide are the scripts whose characters take two columns.
var wide = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Yi}

func columnsOf(r rune) int {
	const firstEmoji, lastEmoji, firstFull, lastFull = 0x1f300, 0x1faff, 0xff01, 0xff60
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.In(r, wide...), r >= firstEmoji && r <= lastEmoji, r >= firstFull && r <= lastFull, r >= 0x3000 && r <= 0x303e:
		return 2
	}
	return 1
}
