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
			h.Meta(h.Name("referrer"), h.Content("no-referrer")),
			h.TitleEl(line("rulecheck replay: "+r.verdict())),
			h.StyleEl(g.Raw(parts.style)),
		),
		h.Body(
			h.Header(h.H1(line("rulecheck replay")), h.P(h.Class(class), line(r.verdict())), h.P(line(r.scope()))),
			h.Main(g.Map(r.applied(), func(of *RuleHistory) g.Node { return ruleNode(r, of) }), notesNode(r)),
			h.Footer(h.P(line("Bars show, for each quarter, how often a rule held or was waived (blue), fired (red) and could not be checked (grey). Times are in UTC. This page makes no network requests."))),
		),
	))
}

// line renders a line of text. All text of the page goes through line.
func line(s string) g.Node { return g.Text(string(plain.Line(s))) }

func ruleNode(r *Report, of *RuleHistory) g.Node {
	class := ""
	if r.Below(of) {
		class = "failed"
	}
	list, more := of.fired()
	return h.Section(h.Class(class),
		h.H2(line(of.Name), g.If(of.Name != of.ID, g.Group{g.Text(" "), h.Code(line(of.ID))})),
		h.P(line(of.sentence())),
		chart(of.Quarters),
		g.If(len(list) > 0, h.Ul(
			g.Map(list, firingNode),
			g.If(more > 0, h.Li(line(fmt.Sprintf("and %d more", more)))),
		)),
		g.If(of.Problem != "", h.P(h.Class("failed"), line(fmt.Sprintf("could not be checked on %s: %s", report.Count(of.Unknown, "commit"), of.Problem)))),
	)
}

func firingNode(f Firing) g.Node {
	var lacks g.Group
	for i, lack := range f.Findings {
		if i == shownFirings {
			lacks = append(lacks, h.Li(line(fmt.Sprintf("and %d more", len(f.Findings)-i))))
			break
		}
		files, expected := lack.missing()
		lacks = append(lacks, h.Li(h.Code(line(files)), g.If(expected != "", g.Group{g.Text(" → "), h.Code(line(expected))})))
	}
	return h.Li(h.Code(line(report.ShortCommit(f.ID))), line(" "+day(f.Time)+" "+f.Subject), h.Ul(lacks))
}

// Measures of a chart, in pixels.
const (
	barWidth    = 14
	barGap      = 4
	chartHeight = 60
	labelHeight = 14
)

// chart draws a bar for each quarter: its height is how often the rule applied.
func chart(quarters []Quarter) g.Node {
	most := 1
	for _, q := range quarters {
		most = max(most, q.Triggered)
	}
	width := len(quarters) * (barWidth + barGap)
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
			bars = append(bars, g.El("text", number("x", x), number("y", chartHeight+labelHeight-2), line(year(i))))
		}
	}
	return g.El("svg", h.Role("img"), h.Aria("label", "how often the rule applied in each quarter"),
		number("width", width), number("height", chartHeight+labelHeight), bars)
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
	var problems []string
	for _, p := range r.Errors {
		problems = append(problems, p.Error())
	}
	add("Errors", problems)
	return notes
}
