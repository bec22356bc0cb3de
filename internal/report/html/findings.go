package html

import (
	"fmt"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/session"
)

// sessionRows are the numbers, from 1, of the rows of the table of sessions.
type sessionRows map[report.SessionKey]int

func rowsOf(sessions []report.Session) sessionRows {
	rows := sessionRows{}
	for i, s := range sessions {
		rows[s.Key()] = i + 1
	}
	return rows
}

func rowID(number int) string { return fmt.Sprint("session-", number) }

func htmlFindings(groups []report.Group, rows sessionRows, unjudged bool) g.Node {
	if len(groups) > 0 {
		return section("h-findings", "Findings", "", g.Map(groups, func(one report.Group) g.Node { return htmlGroup(one, rows) }))
	}
	none := "No rule requires attention."
	if unjudged {
		none = "No rule requires attention, but not all could be judged."
	}
	return section("h-findings", "Findings", "", h.P(h.Class("none"), shown(none)))
}

func htmlGroup(one report.Group, rows sessionRows) g.Node {
	info := one.Rule
	return h.Article(h.Class("rule "+string(info.Level)), lined(
		h.H3(
			h.Span(h.Class("level"), shown(string(info.Level))), shown(" "+info.Name),
			g.If(info.Name != info.ID, g.Group{shown(" "), h.Span(h.Class("id"), shown(info.ID))}),
		),
		details(one.Findings, 20, "finding", g.Map(one.Parts, func(p report.Part) g.Node { return htmlPart(p, rows) })),
	))
}

func htmlPart(p report.Part, rows sessionRows) g.Group {
	return g.Group{
		h.Ul(h.Class("entries"), lined(g.Map(p.Entries, func(e report.Entry) g.Node { return h.Li(htmlEntry(e, rows)) }))),
		g.If(p.Body != "", h.Details(h.Class("body"), h.Summary(shown("What the rule says")), h.Pre(shownLines(p.Body)))),
	}
}

func htmlWaivers(waivers []report.Entry, rows sessionRows) g.Node {
	if len(waivers) == 0 {
		return nil
	}
	return section("h-waivers", "Waivers", "", h.Article(lined(
		h.Ul(h.Class("entries"), lined(g.Map(waivers, func(e report.Entry) g.Node {
			state := "waived"
			if e.Waiver.NotHonoured != "" {
				state = "not waived"
			}
			return h.Li(
				h.Span(h.Class("level"), shown(state)), shown(" "), h.B(shown(e.Rule)), shown(" "), htmlEntry(e, rows),
				h.P(h.Class("message"), shown(report.WaiverText(e.Waiver))),
			)
		}))),
	)))
}

// htmlEntry is an entry with its session, which links to its row in the table.
func htmlEntry(e report.Entry, rows sessionRows) g.Group {
	var nodes g.Group
	if e.Session != nil {
		owner := shown(report.SessionName(e.Session))
		if row := rows[report.SessionKey{Agent: e.Session.Agent, ID: e.Session.ID}]; row > 0 {
			owner = h.A(h.Href("#"+rowID(row)), owner)
		}
		nodes = append(nodes, owner, shown(" "))
	}
	nodes = append(nodes, commas(g.Map(e.Files, htmlFile)), shown(report.AndMore(e.More)))
	if len(e.Expected) > 0 {
		nodes = append(nodes, shown(" "), h.Span(h.Class("arrow"), shown("→")), shown(" "), commas(g.Map(e.Expected, shownCode)))
	}
	if e.Message != "" {
		nodes = append(nodes, h.P(h.Class("message"), shown(e.Message)))
	}
	if e.Session != nil && len(e.Session.Recent) > 0 {
		nodes = append(nodes, htmlRecent(e.Session.Recent))
	}
	return nodes
}

func htmlFile(p report.File) g.Node {
	return g.Group{shownCode(report.Position(p.Path, p.Line)), g.If(p.Gone != "", shown(" ("+p.Gone+")"))}
}

func htmlRecent(events []session.Event) g.Node {
	return h.Details(h.Class("recent"), h.Summary(shown(report.Count(len(events), "recent event"))),
		h.Ol(g.Map(events, func(e session.Event) g.Node { return h.Li(shownCode(report.EventLine(e))) })))
}
