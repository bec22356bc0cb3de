package agentlog

import (
	"bytes"
	"iter"
	"slices"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// scanner reads the rows of a file.
type scanner struct {
	*jsonscan.Lines

	part    *part
	growing func() bool // whether the file may still be written
	// text is the part read of a file that only began like a document. Its lines come first;
	// number is that of the next one.
	text   []byte
	number int
}

// line returns the next line that is not lost.
func (s *scanner) line() (row []byte, number int, ok bool) {
	if len(s.text) > 0 {
		row, s.text, _ = bytes.Cut(s.text, []byte("\n"))
		s.number++
		return row, s.number - 1, true
	}
	for {
		row, kept, ok := s.Next()
		if ok && kept == jsonscan.Lost {
			s.part.Note(fact.TooLong, s.Number, "a line was too long to read", s.part.counts(record.ReadFirst(row).Kind))
			continue
		}
		if ok && kept == jsonscan.Cut {
			s.part.Note(fact.Elided, s.Number, "the long texts of a very long line were cut", false)
		}
		return row, s.Number, ok
	}
}

// unended returns the number of the last line if it has no end, and 0 if it has one, or if it is not
// read yet.
func (s *scanner) unended() int {
	if s.Unended && len(s.text) == 0 {
		return s.Number
	}
	return 0
}

// next returns the next line that is not empty. It is valid until the next call.
func (s *scanner) next() (row []byte, number int, ok bool) {
	for {
		row, number, ok = s.line()
		if !ok {
			return nil, 0, false
		}
		if row = s.part.trim(row, number); len(row) > 0 {
			return row, number, true
		}
		s.part.Note(fact.Blank, number, "empty lines", false)
	}
}

// maxUnclaimed is how many bytes of rows are kept until one shows the format of a file.
const maxUnclaimed = 1 << 20

// claim finds the reader of the file. It returns nil, and notes why, if no reader claims it.
func (s *scanner) claim() *record.File {
	row, number, ok := s.next()
	if message := unreadableText(row); message != "" {
		s.part.Note(fact.Unrecognised, number, message, true)
		return nil
	}
	if ok && s.isForeign(row, number) {
		return nil
	}
	if ok && readerOf(record.ReadFirst(row)) == nil {
		if f, isDocument := s.claimDocument(row, number); isDocument {
			return f
		}
		if s.text != nil {
			row, number, ok = s.next()
		}
	}
	return s.claimRows(row, number, ok)
}

// unreadableText returns why the first row of a file shows that its text cannot be read; empty: it does not.
func unreadableText(row []byte) string {
	var zeros [2]int // at even and at odd places
	head := row[:min(len(row), 64)]
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	wide := min(zeros[0], zeros[1]) == 0 && zeros[0]+zeros[1] > max(2, len(head)/4)
	switch {
	case bytes.HasPrefix(row, []byte("\xff\xfe")), bytes.HasPrefix(row, []byte("\xfe\xff")), wide:
		return "the text is in UTF-16; want UTF-8"
	case bytes.Contains(row, []byte("}\r{")):
		return "the lines end with carriage returns; want line feeds"
	}
	return ""
}

// isForeign notes that a row belongs to a format without a reader that resembles one with a reader.
func (s *scanner) isForeign(row []byte, number int) bool {
	name := record.Foreign(record.ReadFirst(row))
	if name != "" {
		s.part.Note(fact.Unrecognised, number, "this is "+name+", which no reader reads", true)
	}
	return name != ""
}

// claimDocument finds the reader of a file that begins with a row. If the file is not a
// document, its lines are rows.
func (s *scanner) claimDocument(row []byte, number int) (f *record.File, isDocument bool) {
	p := s.part
	first := record.ReadFirst(row)
	first.Document = true
	p.reader = readerOf(first)
	if p.reader == nil && listReaderOf(first) == nil && string(row) != "{" && string(row) != "[" {
		return nil, false
	}
	text := s.document(row, first.JSON)
	if p.reader == nil {
		first = record.ReadFirst(text)
		first.Document = true
		p.reader = readerOf(first)
	}
	listed := listReaderOf(first)
	switch {
	case p.reader != nil:
		text = bytes.TrimRight(text, "\x00 \t\r\n")
		return &record.File{Log: p.Log, Document: true, Rows: func(yield func(int, []byte) bool) { yield(1, text) }}, true
	case listed != nil:
		p.reader = listed
		return &record.File{Log: p.Log, Rows: elements(text, number)}, true
	case first.JSON:
		p.unrecognised(first)
		return nil, true
	}
	s.text, s.number = text, number
	return nil, false
}

// elements yields the elements of a list that begins in a line, each with the line that it begins in.
func elements(text []byte, line int) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		s, more := jsonscan.New(text), true
		s.Array(func() {
			row := s.Skip()
			before, _, _ := bytes.Cut(text, row) // nothing but a bracket or a comma
			line += bytes.Count(before, []byte("\n"))
			more = more && yield(line, row)
			line += bytes.Count(row, []byte("\n"))
			text = text[len(before)+len(row):]
		})
	}
}

// claimRows finds the reader of a file of rows, and returns all of them, also those before
// the row that shows the format.
func (s *scanner) claimRows(row []byte, number int, ok bool) *record.File {
	p := s.part
	var before [][]byte
	var numbers []int
	size := 0
	for ; ok; row, number, ok = s.next() {
		if s.isForeign(row, number) {
			return nil
		}
		if p.reader = readerOf(record.ReadFirst(row)); p.reader != nil {
			return &record.File{Log: p.Log, Unended: s.unended, Growing: s.growing, Rows: func(yield func(int, []byte) bool) {
				for i, row := range before {
					if !yield(numbers[i], row) {
						return
					}
				}
				for ; ok; row, number, ok = s.next() {
					if !yield(number, row) {
						return
					}
				}
			}}
		}
		if size += len(row); size > maxUnclaimed {
			p.UnknownRow(time.Time{}, number, "rows before the first of a known format")
			continue
		}
		before, numbers = append(before, slices.Clone(row)), append(numbers, number)
	}
	if s.Number > 0 {
		first := record.First{}
		if len(before) > 0 {
			first = record.ReadFirst(before[0])
		}
		p.unrecognised(first)
	}
	return nil
}

// document returns the rest of a file that begins with a row; whole is true if the row is
// the document.
func (s *scanner) document(row []byte, whole bool) []byte {
	text := slices.Clone(row)
	if whole {
		return text
	}
	text = append(text, '\n')
	for len(text) <= maxDocument {
		row, kept, ok := s.Next()
		if !ok {
			break
		}
		if kept != jsonscan.Whole {
			s.part.Note(fact.Elided, s.Number, "the long texts of a very long line were cut", false)
		}
		text = append(append(text, row...), '\n')
	}
	return text
}
