package report

import (
	"fmt"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// sessionRows are the numbers, from 1, of the rows of the table of sessions.
type sessionRows map[sessionKey]int

func rowsOf(sessions []Session) sessionRows {
	rows := sessionRows{}
	for i, s := range sessions {
		rows[sessionKey{s.Agent, s.ID}] = i + 1
	}
	return rows
}

func rowID(number int) string { return fmt.Sprint("session-", number) }

func htmlFindings(groups []group, rows sessionRows, unjudged bool) g.Node {
	if len(groups) > 0 {
		return section("h-findings", "Findings", "", g.Map(groups, func(one group) g.Node { return htmlGroup(one, rows) }))
	}
	none := "No rule requires attention."
	if unjudged {
		none = "No rule requires attention, but not all could be judged."
	}
	return section("h-findings", "Findings", "", h.P(h.Class("none"), shown(none)))
}

func htmlGroup(one group, rows sessionRows) g.Node {
	info := one.rule
	return h.Article(h.Class("rule "+string(info.Level)), lined(
		h.H3(
			h.Span(h.Class("level"), shown(string(info.Level))), shown(" "+info.Name),
			g.If(info.Name != info.ID, g.Group{shown(" "), h.Span(h.Class("id"), shown(info.ID))}),
		),
		details(one.findings, 20, "finding", g.Map(one.parts, func(p part) g.Node { return htmlPart(p, rows) })),
	))
}

func htmlPart(p part, rows sessionRows) g.Group {
	return g.Group{
		h.Ul(h.Class("entries"), lined(g.Map(p.entries, func(e entry) g.Node { return h.Li(htmlEntry(e, rows)) }))),
		g.If(p.body != "", h.Details(h.Class("body"), h.Summary(shown("What the rule says")), h.Pre(shownLines(p.body)))),
	}
}

func htmlWaivers(waivers []entry, rows sessionRows) g.Node {
	if len(waivers) == 0 {
		return nil
	}
	return section("h-waivers", "Waivers", "", h.Article(lined(
		h.Ul(h.Class("entries"), lined(g.Map(waivers, func(e entry) g.Node {
			state := "waived"
			if e.waiver.NotHonoured != "" {
				state = "not waived"
			}
			return h.Li(
				h.Span(h.Class("level"), shown(state)), shown(" "), h.B(shown(e.rule)), shown(" "), htmlEntry(e, rows),
				h.P(h.Class("message"), shown(ink(false).excuse(e.waiver))),
			)
		}))),
	)))
}

// htmlEntry is an entry with its session, which links to its row in the table.
func htmlEntry(e entry, rows sessionRows) g.Group {
	var nodes g.Group
	if e.session != nil {
		owner := shown(whose(e.session))
		if row := rows[sessionKey{e.session.Agent, e.session.ID}]; row > 0 {
			owner = h.A(h.Href("#"+rowID(row)), owner)
		}
		nodes = append(nodes, owner, shown(" "))
	}
	nodes = append(nodes, commas(g.Map(e.files, htmlFile)), shown(andMore(e.more)))
	if len(e.expected) > 0 {
		nodes = append(nodes, shown(" "), h.Span(h.Class("arrow"), shown("→")), shown(" "), commas(g.Map(e.expected, shownCode)))
	}
	if e.message != "" {
		nodes = append(nodes, h.P(h.Class("message"), shown(e.message)))
	}
	if e.session != nil && len(e.session.Recent) > 0 {
		nodes = append(nodes, htmlRecent(e.session.Recent))
	}
	return nodes
}

func htmlFile(p place) g.Node {
	return g.Group{shownCode(filePlace(p.path, p.line)), g.If(p.fate != "", shown(" ("+p.fate+")"))}
}

func htmlRecent(events []finding.Event) g.Node {
	return h.Details(h.Class("recent"), h.Summary(shown(Count(len(events), "recent event"))),
		h.Ol(g.Map(events, func(e finding.Event) g.Node { return h.Li(shownCode(eventLine(e))) })))
}
