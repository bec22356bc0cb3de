package gate

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/rulecheck/rulecheck/internal/lazy"
)

// parseMarkdown gives the tree of a document: CommonMark with the tables and the
// checkboxes of GitHub's. Both are read here because goldmark keeps its own in
// one package with expressions for links, which every start of the program
// would compile: a tenth of its time.
func parseMarkdown(source []byte) ast.Node {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithInlineParsers(util.Prioritized(checkBoxes{}, 0)), // before links
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		parser.WithParagraphTransformers(util.Prioritized(tables{}, 200)), // after definitions of links
	).Parse(text.NewReader(source))
}

// checkBoxes reads "[ ]" and "[x]" where a list item begins.
type checkBoxes struct{}

var checkBox = lazy.Regexp(`^\[[\sxX]\]\s*`)

// Trigger is what a checkbox begins with.
func (checkBoxes) Trigger() []byte { return []byte{'['} }

// Parse reads the checkbox of an item, if it has one.
func (checkBoxes) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	item, ok := parent.Parent().(*ast.ListItem)
	if !ok || item.FirstChild() != parent || parent.HasChildren() {
		return nil
	}
	line, _ := block.PeekLine()
	box := checkBox().Find(line)
	if box == nil {
		return nil
	}
	block.Advance(len(box))
	return east.NewTaskCheckBox(box[1] == 'x' || box[1] == 'X')
}

// tables makes a table of the lines of a paragraph from the one above the first
// delimiter row, if that row has no fewer columns.
type tables struct{}

var delimiterRow = lazy.Regexp(`^ {0,3}(\|\s*)?:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$`)

// Transform puts the table behind what is left of the paragraph.
func (tables) Transform(paragraph *ast.Paragraph, reader text.Reader, _ parser.Context) {
	lines, source := paragraph.Lines(), reader.Source()
	for i := 1; i < lines.Len(); i++ {
		line := lines.At(i)
		delimiters := string(line.Value(source))
		if strings.Trim(delimiters, "-") == "" || !delimiterRow().MatchString(delimiters) {
			continue
		}
		columns := strings.Count(strings.Trim(strings.TrimSpace(delimiters), "|"), "|") + 1
		header := tableRow(lines.At(i-1), source, columns+1)
		if header.ChildCount() > columns {
			return
		}
		table := east.NewTable()
		table.AppendChild(table, east.NewTableHeader(header))
		for _, row := range lines.Sliced(i+1, lines.Len()) {
			table.AppendChild(table, tableRow(row, source, columns))
		}
		parent := paragraph.Parent()
		parent.InsertAfter(parent, paragraph, table)
		if i == 1 {
			parent.RemoveChild(parent, paragraph)
			return
		}
		last := lines.At(i - 2)
		lines.SetSliced(0, i-1)
		lines.Set(i-2, last.TrimRightSpace(source)) // a paragraph ends without a line break
		return
	}
}

// tableRow are the first cells of a line: what stands between "|" that no
// backslash escapes.
func tableRow(line text.Segment, source []byte, columns int) *east.TableRow {
	row := east.NewTableRow(nil)
	row.SetPos(line.Start)
	line = line.TrimLeftSpace(source)
	line = line.TrimRightSpace(source)
	begin, end := line.Start, line.Stop
	if begin < end && source[begin] == '|' {
		begin++
	}
	if begin < end && source[end-1] == '|' {
		end--
	}
	for at := begin; begin < end && row.ChildCount() < columns; at++ {
		if at < end && (source[at] != '|' || source[at-1] == '\\') {
			continue
		}
		words := text.NewSegment(begin, at)
		words = words.TrimLeftSpace(source)
		cell := east.NewTableCell()
		cell.Lines().Append(words.TrimRightSpace(source))
		row.AppendChild(row, cell)
		begin = at + 1
	}
	return row
}
