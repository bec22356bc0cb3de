package replay

import (
	"bufio"
	"crypto/sha256"
	_ "embed" // for the page's style
	"encoding/base64"
	"fmt"
	"io"
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/rulecheck/rulecheck/internal/plain"
	"github.com/rulecheck/rulecheck/internal/report"
)

// parts are the constant parts of a page, which need no escaping.
var parts = struct{ style string }{pageStyle}

//go:embed page.css
var pageStyle string

// policy allows the page's style only, and no requests.
func policy() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}

// writeHTML writes one page without scripts or external resources.
func writeHTML(w io.Writer, r *Report) error {
	b := bufio.NewWriter(w)
	if err := pageOf(r).Render(b); err != nil {
		return err
	}
	return b.Flush()
}

func pageOf(r *Report) g.Node {
	class := "verdict"
	if r.Status() != 0 {
		class = "verdict failed"
	}
	return h.Doctype(h.HTML(h.Lang("en"),
		h.Head(
			h.Meta(h.Charset("utf-8")),
			h.Meta(g.Attr("http-equiv", "Content-Security-Policy"), h.Content(policy())),
			h.Meta(h.Name("viewport"), h.Content("width=device-width, initial-scale=1")),
			h.Meta(h.Name("color-scheme"), h.Content("light dark")),
			h.Meta(h.Name("referrer"), h.Content("no-referrer")),
			h.TitleEl(line(r.title()+": "+r.verdict())),
			h.StyleEl(g.Raw(parts.style)),
		),
		h.Body(
			h.Header(h.H1(line(r.title())), h.P(h.Class(class), line(r.verdict())), h.P(line(r.scope()))),
			h.Main(mainNode(r), notesNode(r)),
			h.Footer(h.P(line("Bars show, for each quarter, how often a rule held or was waived (blue), fired (red) and could not be checked (grey). Times are in UTC. This page makes no network requests."))),
		),
	))
}

// line renders a line of text. All text of the page goes through line.
func line(s string) g.Node { return g.Text(string(plain.Line(s))) }

// mainNode renders the rules, or every unit in which one fired.
func mainNode(r *Report) g.Node {
	if r.View.List || r.View.Cases {
		return h.Ul(g.Map(r.list(), func(f ruleFiring) g.Node { return firingNode(r, f.Firing, f.of.ID, f.other) }))
	}
	applied := r.applied()
	nodes := g.Group{g.If(len(applied) > 0, summaryNode(applied))}
	for i, of := range applied {
		nodes = append(nodes, ruleNode(r, of, i))
	}
	return nodes
}

// summaryNode renders the counts of all rules as a table.
func summaryNode(applied []*RuleHistory) g.Node {
	table := tableOf(applied)
	cells := func(row []string, cell func(...g.Node) g.Node) g.Node {
		return g.Map(row, func(text string) g.Node { return cell(line(text)) })
	}
	var rows g.Group
	for i, of := range applied {
		link := h.A(h.Href("#"+anchor(i)), line(of.ID))
		rows = append(rows, h.Tr(h.Td(link), h.Td(levelNode(of)), cells(table[i+1][1:], h.Td)))
	}
	return h.Table(h.THead(h.Tr(h.Th(line(table[0][0])), h.Th(line("level")), cells(table[0][1:], h.Th))), h.TBody(rows))
}

func levelNode(of *RuleHistory) g.Node {
	return h.Span(h.Class("level "+string(of.Level)), line(string(of.Level)))
}

func anchor(rule int) string { return "rule-" + strconv.Itoa(rule+1) }

func ruleNode(r *Report, of *RuleHistory, at int) g.Node {
	class := ""
	if r.Below(of) {
		class = "failed"
	}
	list, more := r.fired(of)
	return h.Section(h.Class(class), h.ID(anchor(at)),
		h.H2(levelNode(of), g.Text(" "), line(of.Name), g.Text(" "), g.If(of.Name != of.ID, h.Code(line(of.ID)))),
		h.P(line(of.sentence())),
		chart(of.Quarters),
		g.If(len(list) > 0, h.Ul(
			g.Map(list, func(f Firing) g.Node { return firingNode(r, f, "", "") }),
			g.If(more > 0, h.Li(line(fmt.Sprintf("and %d more; to see them, add --all", more)))),
		)),
		g.If(of.Problem != "", h.P(h.Class("failed"), line(fmt.Sprintf("could not be checked on %s: %s", report.Count(of.Unknown, "commit"), of.Problem)))),
	)
}

// firingNode renders a unit with what it lacks, and the rule unless that is clear.
func firingNode(r *Report, f Firing, rule string, other Outcome) g.Node {
	list, more := r.lacks(f)
	var lacks g.Group
	if other != "" {
		lacks = append(lacks, h.Li(line(rule+": "+string(other))))
	}
	for _, lack := range list {
		files, expected, message := lack.words()
		lacks = append(lacks, h.Li(
			g.If(rule != "", line(rule+": ")), h.Code(line(files)),
			g.If(expected != "", g.Group{g.Text(" → "), h.Code(line(expected))}),
			g.If(message != "", line(": "+message)),
		))
	}
	if more > 0 {
		lacks = append(lacks, h.Li(line(fmt.Sprintf("and %d more", more))))
	}
	id := h.Code(line(report.ShortCommit(f.ID)))
	if f.URL != "" {
		id = h.A(h.Href(f.URL), h.Rel("noopener"), id)
	}
	return h.Li(id, line(" "+day(f.Time)+" "+f.Subject), h.Ul(lacks))
}

// Measures of a chart, in pixels.
const (
	barWidth    = 14
	barGap      = 4
	chartHeight = 60
	labelHeight = 14
	labelSpace  = 12 // of a year that has one quarter
)

// chart draws a bar for each quarter: its height is how often the rule applied.
func chart(quarters []Quarter) g.Node {
	most := 1
	for _, q := range quarters {
		most = max(most, q.Triggered)
	}
	width := len(quarters)*(barWidth+barGap) + labelSpace
	var bars g.Group
	for i, q := range quarters {
		height := func(n int) int { return n * chartHeight / most }
		x, fired, unknown := i*(barWidth+barGap), height(q.Fired), height(q.Unclear())
		held := height(q.Held + q.Waived)
		bars = append(bars, g.El("g",
			g.El("title", line(fmt.Sprintf("%s: %s on %s", q.Name, q.words(), report.Count(q.Units, "commit")))),
			rect("unknown", x, chartHeight-unknown-held-fired, unknown),
			rect("held", x, chartHeight-held-fired, held), rect("fired", x, chartHeight-fired, fired),
		))
		year := func(i int) string { return quarters[i].Name[:4] }
		// One that begins with its last quarter has no room for a label.
		if i == 0 && (len(quarters) == 1 || year(1) == year(0)) || i > 0 && year(i-1) != year(i) {
			bars = append(bars, g.El("text", number("x", x), number("y", chartHeight+3), line(year(i))))
		}
	}
	return h.Div(h.Class("chart"), g.El("svg", h.Role("img"), h.Aria("label", "how often the rule applied in each quarter"),
		number("width", width), number("height", chartHeight+labelHeight), bars))
}

func rect(class string, x, y, height int) g.Node {
	return g.El("rect", h.Class(class), number("x", x), number("y", y), number("width", barWidth), number("height", height))
}

func number(name string, n int) g.Node { return g.Attr(name, strconv.Itoa(n)) }

func notesNode(r *Report) g.Node {
	var notes g.Group
	add := func(heading string, list []string) {
		if len(list) > 0 {
			notes = append(notes, h.H2(line(heading)), h.Ul(g.Map(list, func(s string) g.Node { return h.Li(line(s)) })))
		}
	}
	if r.Units > 0 {
		add("Never applied", r.silent())
	}
	add("Not replayed", r.Skipped)
	add("Notices", r.Notices)
	problems := r.unread()
	for _, p := range r.Errors {
		problems = append(problems, p.Error())
	}
	add("Errors", problems)
	return notes
}
