package gate

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// list reads a list under a gate heading: the items with a checkbox, checked or
// not, and the lines of prose of the others.
func (r *documentReader) list(list *ast.List) {
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		if r.item(item) {
			continue
		}
		before := len(r.Requirements) + len(r.Notices)
		required := r.prose(item)
		r.boxes(item)
		if block := item.FirstChild(); !required && block != nil && block.FirstChild() != nil && len(r.Requirements)+len(r.Notices) == before {
			first := r.lines(block)[0]
			r.notice(first.line, CodeUnread, "%q is under a gate heading and requires nothing; want it as \"- [ ] …\" if it is evidence", first.text())
		}
	}
}

// item reads an item with a checkbox, and those below it. Other text below it is an
// explanation.
func (r *documentReader) item(item ast.Node) bool {
	block := item.FirstChild()
	if block == nil || block.FirstChild() == nil || block.FirstChild().Kind() != east.KindTaskCheckBox {
		return false
	}
	lines := r.lines(block)
	r.checkbox(textLine{lines[0].line, joined(lines)})
	r.boxes(item)
	return true
}

// boxes reads the items with a checkbox in a block, such as a quotation, at every
// depth.
func (r *documentReader) boxes(block ast.Node) {
	for n := block.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Type() == ast.TypeBlock && (n.Kind() != ast.KindListItem || !r.item(n)) {
			r.boxes(n)
		}
	}
}

// joined returns the spans of all lines, separated by blanks.
func joined(lines []textLine) []span {
	var spans []span
	for i, l := range lines {
		if i > 0 {
			spans = append(spans, span{text: " "})
		}
		spans = append(spans, l.spans...)
	}
	return spans
}

// checkbox reads an item such as "`goals`: count, at least 3" or "Tests pass".
// The name is the first one in code, else it is built from all words; an item
// without a name in code is always a boolean.
func (r *documentReader) checkbox(item textLine) {
	prose := item.words()
	q := Requirement{
		Type: Boolean, Check: Check{Word: IsTrue}, Required: !isOptional(prose),
		Description: strings.TrimSpace(item.text()), File: r.File, Line: item.line,
	}
	if !q.Required {
		q.Check.Word = Any
	}
	name, inCode := codeName(item)
	if inCode {
		q.Name = name
		if t, ok := typeFromProse(prose, name); ok {
			q.Type = t
		}
		q.Check = checkFromProse(prose, q.Type)
		if q.Type == Integer {
			if least, ok := minimumFromProse(prose); ok {
				q.Check, _ = newCheck(Min, strconv.Itoa(least))
			}
		}
	} else if q.Name = slug(item.text()); q.Name == "" {
		r.notice(item.line, CodeUnread, "%q has no letters to build a name from; want a name in backquotes", q.Description)
		return
	}
	r.add(q)
}

// codeName returns the first valid name in code.
func codeName(l textLine) (string, bool) {
	for _, p := range l.spans {
		if p.code && CheckName(p.text) == nil {
			return p.text, true
		}
	}
	return "", false
}

// The columns of a table of evidence.
const (
	columnEvidence    = "evidence"
	columnType        = "type"
	columnValidator   = "validator"
	columnDescription = "description"
	columnRequired    = "required"
)

// table reads a table under a gate heading.
func (r *documentReader) table(table *east.Table) {
	columns := map[string]int{}
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		cells, line := r.cells(row)
		if row.Kind() == east.KindTableHeader {
			for i, c := range cells {
				columns[strings.ToLower(strings.TrimSpace(c.text()))] = i
			}
			_, named := columns[columnEvidence]
			_, typed := columns[columnType]
			if !named || !typed {
				r.notice(line, CodeUnread, "the table under a gate heading has no columns \"Evidence\" and \"Type\"; its rows are ignored")
				return
			}
			continue
		}
		r.row(func(column string) textLine {
			if i, ok := columns[column]; ok && i < len(cells) {
				return cells[i]
			}
			return textLine{}
		}, line)
	}
}

// cells returns the cells of a row and its line, from 1.
func (r *documentReader) cells(row ast.Node) ([]textLine, int) {
	var cells []textLine
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		cells = append(cells, r.lines(c)[0])
	}
	return cells, r.line(row.Pos())
}

// row reads a row of a table of evidence.
func (r *documentReader) row(cell func(column string) textLine, line int) {
	named := cell(columnEvidence)
	name, inCode := codeName(named)
	if !inCode {
		if name = strings.TrimSpace(named.text()); CheckName(name) != nil {
			name = slug(name)
		}
	}
	if name == "" {
		r.notice(line, CodeUnread, "the row has no name in the column \"Evidence\"; it is ignored")
		return
	}
	typeName := strings.ToLower(strings.TrimSpace(cell(columnType).text()))
	if means, ok := typeSpellings[typeName]; ok {
		typeName = string(means)
	}
	t, err := ParseType(typeName)
	if err != nil {
		r.problem(line, fmt.Errorf("%s: %w", name, err))
		return
	}
	check, err := ParseCheck(canonicalCheck(strings.TrimSpace(cell(columnValidator).text()), t))
	if err == nil {
		err = check.Suits(t)
	}
	if err != nil {
		r.problem(line, fmt.Errorf("%s: %w", name, err))
		return
	}
	description := strings.TrimSpace(cell(columnDescription).text())
	q := Requirement{
		Name: name, Type: t, Check: check, Description: description, File: r.File, Line: line,
		Required: !isOptional(description) && !notRequired().MatchString(strings.TrimSpace(cell(columnRequired).text())),
	}
	if check.Word == Condition {
		q.Condition = &rule.Condition{Text: check.Argument, File: r.File}
	}
	r.add(q)
}

// notRequired matches cells of the column "Required" that make evidence optional.
var notRequired = lazyregexp.New(`(?i)^(no|false|optional|n)$`)

// typeSpellings maps other names of types, as tables use them, to types.
var typeSpellings = map[string]Type{
	"int": Integer, "float": Number, "bool": Boolean, "str": String, "text": String,
	"array": List, "dict": Object, "map": Object,
}

// checkSpellings maps spellings of checks in tables to checks as [ParseCheck] reads
// them.
var checkSpellings = []struct {
	spelling func() *regexp.Regexp
	means    string
}{
	{lazyregexp.New(`^not_null$`), string(Present)},
	{lazyregexp.New(`^(non_empty|not_empty|non-empty)$`), string(Nonempty)},
	{lazyregexp.New(`^greater_than_0$`), string(Positive)},
	{lazyregexp.New(`^(?:min|min_length|at_least|greater_than_or_equal)_([0-9]+)$`), string(Min) + " $1"},
}

// noCheck matches cells of the column "Validator" that name no check.
var noCheck = lazyregexp.New(`^(|-|–|—|required)$`)

// canonicalCheck rewrites a check of a table for a type as [ParseCheck] reads it.
func canonicalCheck(cell string, t Type) string {
	if noCheck().MatchString(cell) {
		return string(defaultCheck(t))
	}
	for _, row := range checkSpellings {
		if row.spelling().MatchString(cell) {
			return row.spelling().ReplaceAllString(cell, row.means)
		}
	}
	return cell
}
