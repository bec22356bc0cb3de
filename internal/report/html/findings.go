package html

import (
	"fmt"
	"slices"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
)

// sessionRows maps sessions to their row in the table of sessions, from 1.
type sessionRows map[report.SessionKey]int

func rowsOf(sessions []report.Session) sessionRows {
	rows := sessionRows{}
	for i, s := range sessions {
		rows[s.Key()] = i + 1
	}
	return rows
}

func rowID(number int) string { return fmt.Sprint("session-", number) }

// listed returns the groups and waivers of a page. Those of many units are bounded, and more
// is the number of waivers that are not listed.
func listed(r *report.Report) (groups []report.Group, waivers []report.Entry, more int) {
	if len(r.Units) == 0 {
		groups, waivers = r.Groups()
		return groups, waivers, 0
	}
	groups, honoured, refused := r.ShortGroups()
	return groups, slices.Concat(refused.Entries, honoured.Entries), refused.More + honoured.More
}

func findingsNode(groups []report.Group, rows sessionRows, incomplete bool) g.Node {
	if len(groups) > 0 {
		return section("h-findings", "Findings", "", g.Map(groups, func(one report.Group) g.Node { return groupNode(one, rows) }))
	}
	none := "No rule requires attention."
	if incomplete {
		none = "No rule requires attention, but not everything could be evaluated."
	}
	return section("h-findings", "Findings", "", h.P(h.Class("none"), text(none)))
}

func groupNode(one report.Group, rows sessionRows) g.Node {
	info := one.Rule
	return h.Article(h.Class("rule "+string(info.Level)), lined(
		h.H3(
			h.Span(h.Class("level"), text(string(info.Level))), text(" "+info.Name),
			g.If(info.Name != info.ID, g.Group{text(" "), h.Span(h.Class("id"), text(info.ID))}),
		),
		partsNode(one, rows),
		restNode(one.More, "more finding", "in the formats json and sarif"),
	))
}

// partsNode renders the findings of a rule with their instructions. A long list is folded, but
// not the instructions that all its findings share.
func partsNode(one report.Group, rows sessionRows) g.Node {
	const few = 20
	if len(one.Parts) == 1 {
		part := one.Parts[0]
		return g.Group{details(one.Findings, few, "finding", entriesNode(part, rows)), bodyNode(part)}
	}
	return details(one.Findings, few, "finding", g.Map(one.Parts, func(p report.Part) g.Node {
		return g.Group{entriesNode(p, rows), bodyNode(p)}
	}))
}

func entriesNode(p report.Part, rows sessionRows) g.Node {
	return h.Ul(h.Class("entries"), lined(g.Map(p.Entries, func(e report.Entry) g.Node {
		return late(func() g.Node { return h.Li(entryNodes(e, rows)) })
	})))
}

func bodyNode(p report.Part) g.Node {
	return g.If(p.Body != "", h.Details(h.Class("body"), g.Attr("open"), h.Summary(text("Instructions")), h.Pre(multiline(p.Body))))
}

func waiversNode(waivers []report.Entry, more int, rows sessionRows) g.Node {
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
				h.Span(h.Class("level"), text(state)), text(" "), h.B(text(e.Rule)), text(" "), entryNodes(e, rows),
				h.P(h.Class("message"), text(report.WaiverText(e.Waiver))),
			)
		}))),
		restNode(more, "more waiver", "in the formats json and sarif"),
	)))
}

// entryNodes renders an entry. Its session links to the row in the table.
func entryNodes(e report.Entry, rows sessionRows) g.Group {
	var nodes g.Group
	if e.Session != nil {
		owner := text(report.SessionName(e.Session))
		if row := rows[report.SessionKey{Agent: e.Session.Agent, ID: e.Session.ID}]; row > 0 {
			owner = h.A(h.Href("#"+rowID(row)+momentOf(e.Session)), owner)
		}
		nodes = append(nodes, owner, text(" "))
	}
	nodes = append(nodes, commas(g.Map(e.Files, fileNodes)), text(report.AndMore(e.More)))
	if len(e.Expected) > 0 {
		nodes = append(nodes, text(" "), h.Span(h.Class("arrow"), text("→")), text(" "), joined(g.Map(e.Expected, code), e.BetweenExpected()))
	}
	if e.Message != "" {
		nodes = append(nodes, h.P(h.Class("message"), text(e.Message)))
	}
	if e.Session != nil && len(e.Session.Recent) > 0 {
		nodes = append(nodes, recentNode(e.Session.Recent))
	}
	return nodes
}

// momentOf returns what follows a session in a link to the time at which a rule fired.
func momentOf(s *finding.SessionDetails) string {
	if s.FirstAt.IsZero() {
		return ""
	}
	return fmt.Sprint("@", s.FirstAt.UnixMilli())
}

func fileNodes(p report.File) g.Node {
	return g.Group{code(report.Position(p.Path, p.Line)), g.If(p.Gone != "", text(" ("+p.Gone+")"))}
}

func recentNode(events []fact.Event) g.Node {
	return h.Details(h.Class("recent"), h.Summary(text(report.Count(len(events), "recent event"))),
		h.Ol(g.Map(events, func(e fact.Event) g.Node { return h.Li(code(report.EventLine(e))) })))
}
