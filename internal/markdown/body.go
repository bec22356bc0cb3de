package markdown

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/plain"
)

// A body beyond one of these limits is shown as code. The time to parse links and nested
// blocks is quadratic.
const (
	maxBody    = 1 << 15 // bytes
	maxLinks   = 1000
	maxOpeners = 5000 // brackets that may begin a link
	maxMarks   = 100  // of nested quotes and lists in a line
	maxPasses  = 8    // until it is safe
)

// Complex reports whether a text would take long to parse for its length, because of links or
// nested blocks.
func Complex(body string) bool {
	if strings.Count(body, "](") > maxLinks {
		return true
	}
	openers := 0 // in the paragraph, which ends before a blank line and an item of a list
	for line := range strings.SplitSeq(body, "\n") {
		if text := strings.TrimLeft(line, " "); strings.TrimSpace(text) == "" || len(line)-len(text) < 4 && isItem(text) {
			openers = 0
		}
		if openers += strings.Count(line, "["); openers > maxOpeners {
			return true
		}
		marks := 0
		for i := 0; i < len(line) && strings.IndexByte(" \t>*+-.)0123456789", line[i]) >= 0; i++ {
			blank := i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t'
			if line[i] == '>' || blank && strings.IndexByte("*+-.)", line[i]) >= 0 {
				marks++
			}
		}
		if marks >= maxMarks {
			return true
		}
	}
	return false
}

// isItem reports whether a line begins an item of a list, even within a paragraph.
func isItem(line string) bool {
	return len(line) > 2 && strings.IndexByte("-*+", line[0]) >= 0 && line[1] == ' ' && strings.TrimSpace(line[2:]) != ""
}

// minLevel is the level of the first headings below those of a report.
const minLevel = 3

// Body returns markdown that others wrote as a part of a document. What follows it is
// not affected: blocks left open are closed, HTML and images are escaped, and its headings
// are below those of the document. It defines no targets of links and no footnotes, which would
// count for the whole document.
func Body(s string) Text {
	body := strings.TrimRight(strings.TrimLeft(string(plain.Block(s)), " \t\n"), "\n")
	if len(body) > maxBody || Complex(body) {
		return Fenced(body)
	}
	safe := body
	for range maxPasses {
		d := parse(safe)
		edits := d.edits()
		switch {
		case len(edits) > 0:
		case d.links > 0:
			return Fenced(body)
		default:
			return closed(safe, body)
		}
		safe = apply(safe, edits)
	}
	return Fenced(body)
}

// Fenced returns a text as a code block.
func Fenced(s string) Text {
	fence := strings.Repeat("`", max(longestRun(s)+1, 3))
	return Text(fence + "\n" + s + "\n" + fence)
}

// closed closes a code block that is left open.
func closed(safe, body string) Text {
	if ends(safe) {
		return Text(safe)
	}
	if again := safe + "\n" + openFence(strings.Split(safe, "\n")); ends(again) {
		return Text(again)
	}
	return Fenced(body)
}

// ends reports whether a heading and a paragraph after the text are parsed as such.
func ends(s string) bool {
	d := parse(s + "\n\n## x\n\ny\n")
	last := d.root.LastChild()
	if last == nil || last.Kind() != ast.KindParagraph || last.Lines().Len() != 1 || last.PreviousSibling() == nil {
		return false
	}
	heading, ok := last.PreviousSibling().(*ast.Heading)
	return ok && heading.Pos() == len(s)+2
}

// fence matches a line that opens or closes a code block.
var fence = lazyregexp.New("^ {0,3}(`{3,}|~{3,})(.*)$")

// openFence returns the fence that closes the code block at the end of the lines;
// empty if no block is open.
func openFence(lines []string) string {
	open := ""
	for _, line := range lines {
		m := fence().FindStringSubmatch(line)
		switch {
		case m == nil:
		case open == "":
			if m[1][0] == '~' || !strings.Contains(m[2], "`") {
				open = m[1]
			}
		case strings.HasPrefix(m[1], open) && strings.TrimSpace(m[2]) == "":
			open = ""
		}
	}
	return open
}

// sectionMark begins a section of a document: bodies have no headings of its level.
const sectionMark = "\n\n## "

// Cut returns at most the first n bytes of a document of sections, up to the end of a line.
func Cut(t Text, n int) Text {
	if len(t) <= n {
		return t
	}
	const spare = 64 // for the end of a code block
	head := string(t[:max(n-spare, 0)])
	head = head[:max(strings.LastIndexByte(head, '\n'), 0)]
	section := max(strings.LastIndex(head, sectionMark), 0)
	last := strings.TrimLeft(head[section:], "\n")
	if ends(last) {
		return Text(head)
	}
	if open := "\n" + openFence(strings.Split(last, "\n")); len(open) <= spare && ends(last+open) {
		return Text(head + open)
	}
	return Text(head[:section])
}

// edit inserts a text.
type edit struct {
	at   int
	text string
}

func apply(s string, edits []edit) string {
	slices.SortFunc(edits, func(a, b edit) int { return a.at - b.at })
	edits = slices.CompactFunc(edits, func(a, b edit) bool { return a.at == b.at })
	var b strings.Builder
	from := 0
	for _, e := range edits {
		b.WriteString(s[from:e.at] + e.text)
		from = e.at
	}
	return b.String() + s[from:]
}

// markup matches what begins HTML or an image.
var markup = lazyregexp.New(`<[A-Za-z/!?]|!\[`)

// definition matches what may define the target of links, or a footnote.
var definition = lazyregexp.New(`\[(?:[^\[\]\\]|\\[\s\S])+\]:`)

// edits returns what makes a document safe.
func (d document) edits() []edit {
	var edits []edit
	allowed, code := d.allowed(), d.code()
	for _, at := range markup().FindAllStringIndex(d.source, -1) {
		if from := at[0]; !code.has(from) && !allowed[from] && !escaped(d.source, from) {
			edits = append(edits, edit{from, `\`})
		}
	}
	for _, at := range definition().FindAllStringIndex(d.source, -1) {
		if from := at[0]; !code.has(from) && !escaped(d.source, from) {
			edits = append(edits, edit{from, `\`})
		}
	}
	d.each(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level < minLevel {
				edits = append(edits, d.lowered(n))
			}
		case *ast.Image: // of a reference, or in a place that the pattern does not see
			edits = append(edits, edit{n.Pos(), `\`})
		}
	})
	return edits
}

// lowered returns the edit that makes a heading one of minLevel, or text if it is marked
// by a line below it.
func (d document) lowered(h *ast.Heading) edit {
	mark := strings.Repeat("#", h.Level)
	more := strings.Repeat("#", minLevel-h.Level)
	if h.Lines().Len() == 0 { // nothing but marks in its line
		from := strings.LastIndexByte(d.source[:h.Pos()], '\n') + 1
		return edit{from + max(strings.Index(d.source[from:], mark), 0), more}
	}
	before := strings.TrimRight(d.source[:h.Lines().At(0).Start], " \t")
	if strings.HasSuffix(before, mark) {
		return edit{len(before) - len(mark), more}
	}
	last := h.Lines().At(h.Lines().Len() - 1).Stop
	return edit{last + max(strings.IndexAny(d.source[last:], "=-"), 0), `\`}
}

// escaped reports whether an odd number of backslashes precedes a position.
func escaped(s string, at int) bool {
	return (at-len(strings.TrimRight(s[:at], `\`)))%2 == 1
}
