package html

import (
	"strconv"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/rulecheck/rulecheck/internal/report"
)

// startColumn is the initial sort column.
const startColumn = "Start (UTC)"

// shownRows is the number of rows of a page of the table.
const shownRows = 200

// columns are the columns of the table of sessions. Narrow windows hide the extra
// ones, narrower windows also the minor ones.
var columns = []struct{ name, class string }{
	{"Session", ""},
	{"Agent", "minor"},
	{"Branch", "minor"},
	{startColumn, ""},
	{"Lasted", "minor extra number"},
	{"Commands", "number"},
	{"Failed", "minor extra number"},
	{"Edits", "minor extra number"},
	{"Tokens", "minor number"},
	{"Cost", "minor extra number"},
	{"Findings", "number"},
}

func sessionsNode(r *report.Report) g.Node {
	if len(r.Sessions) == 0 {
		return nil
	}
	counts := r.FindingsBySession()
	rows := make(g.Group, 0, len(r.Sessions))
	for i, s := range r.Sessions {
		rows = append(rows, late(func() g.Node { return rowNode(i+1, s, counts[s.Key()]) }))
	}
	return section("h-sessions", "Sessions", "",
		h.NoScript(h.P(h.Class("none"), text("Search, sorting and timelines need JavaScript, which is included in this page."))),
		searchNode(),
		keysNode(),
		h.Table(h.ID("sessions"), h.Aria("labelledby", "h-sessions"), h.Aria("describedby", "keys"), lined(
			columnsNode(),
			h.TBody(lined(rows[:min(len(rows), shownRows)])),
		)),
		furtherNode(rows),
	)
}

// furtherNode holds the rows after the first page, which a browser does not lay out until the
// script puts them into the table.
func furtherNode(rows g.Group) g.Node {
	if len(rows) <= shownRows {
		return nil
	}
	return g.Group{
		h.NoScript(h.P(h.Class("none"), text("The first "+strconv.Itoa(shownRows)+" of "+strconv.Itoa(len(rows))+" sessions are listed."))),
		h.Template(h.ID("further"), lined(rows[shownRows:])),
	}
}

func searchNode() g.Node {
	return h.Form(h.Class("tools"), h.ID("tools"), h.Role("search"), lined(
		h.Label(text("Search "), h.Input(h.Type("search"), h.ID("search"), h.AutoComplete("off"), g.Attr("spellcheck", "false"),
			h.Placeholder("id, agent, branch, phase"))),
		h.Label(h.Class("check"), h.Input(h.Type("checkbox"), h.ID("found")), text(" with findings only")),
		g.El("output", h.ID("matching"), h.For("search found")),
	))
}

func keysNode() g.Node {
	key := func(name string) g.Node { return h.Kbd(text(name)) }
	return h.P(h.Class("hint"), h.ID("keys"),
		key("↑"), text(" "), key("↓"), text(" move between sessions, "), key("Enter"), text(" opens one. In its timeline, "),
		key("←"), text(" "), key("→"), text(" move from event to event, "), key("N"), text(" to the next finding, "),
		key("Esc"), text(" back."))
}

func columnsNode() g.Node {
	heads := make(g.Group, 0, len(columns))
	for _, c := range columns {
		heads = append(heads, h.Th(h.Scope("col"), classed(c.class), g.If(c.name == startColumn, h.Aria("sort", "ascending")),
			h.Button(h.Type("button"), text(c.name))))
	}
	return h.THead(h.Tr(lined(heads)))
}

// rowNode renders a row of the table. Each cell has a sort value and a text.
func rowNode(number int, s report.Session, findings int) g.Node {
	var start, seconds int64
	lasted := ""
	if !s.Start.IsZero() {
		start = s.Start.UnixMilli()
		if d := s.End.Sub(s.Start); d >= 0 {
			seconds, lasted = int64(d/time.Second), report.Duration(d)
		}
	}
	used := int64(-1)
	if s.Tokens.Input != nil && s.Tokens.Output != nil {
		used = *s.Tokens.Input + *s.Tokens.Output
	}
	cost := int64(-1)
	if s.Cost != nil && (s.Cost.Unknown == 0 || s.Cost.USD > 0) {
		cost = int64(s.Cost.USD)
	}
	found := "number"
	if findings > 0 {
		found = "number found"
	}
	return h.Tr(h.ID(rowID(number)), lined(
		h.Td(sortedBy(s.ID), h.Button(h.Type("button"), h.Class("open"), h.Aria("expanded", "false"), text(report.ShortID(s.ID)))),
		textCell(s.Agent),
		textCell(s.Branch),
		sortedCell("time", start, report.Time(s.Start)),
		sortedCell("minor extra number", seconds, lasted),
		countCell("number", s.Commands),
		countCell("minor extra number", s.Failed),
		countCell("minor extra number", s.Edits),
		sortedCell("minor number", used, report.InputAndOutput(s.Tokens)),
		sortedCell("minor extra number", cost, report.ShortCost(s.Cost)),
		countCell(found, findings),
	))
}

func textCell(s string) g.Node { return h.Td(h.Class("minor clip"), sortedBy(s), text(s)) }

func countCell(class string, n int) g.Node { return sortedCell(class, int64(n), strconv.Itoa(n)) }

func sortedCell(class string, value int64, content string) g.Node {
	return h.Td(h.Class(class), sortedBy(strconv.FormatInt(value, 10)), text(content))
}
