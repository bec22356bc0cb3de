package html

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/forge"
)

// targets maps what a report names to addresses.
type targets struct {
	rows  map[report.SessionKey]int // in the table of sessions, from 1
	forge forge.Repo
}

func targetsOf(r *report.Report) targets {
	rows := map[report.SessionKey]int{}
	for i, s := range r.Sessions {
		rows[s.Key()] = i + 1
	}
	of := forge.Of(r.Remote)
	of.FilesAt = r.FilesAt
	return targets{rows, of}
}

// linked puts a node into a link, if there is an address.
func linked(address string, node g.Node) g.Node {
	if address == "" {
		return node
	}
	return h.A(h.Href(address), h.Rel("noopener"), node)
}

// address returns the address of a link in the instructions of a rule; "" if it is neither a
// page nor a file of the repository. A file is named relative to the rule, as on a forge.
func (t targets) address(of report.Rule, target string) string {
	u, err := url.Parse(target)
	switch {
	case err != nil:
	case (u.Scheme == "https" || u.Scheme == "http") && u.Host != "":
		return u.String()
	case u.Scheme == "" && u.Host == "" && u.Path != "" && !strings.HasPrefix(u.Path, "/") && !strings.HasPrefix(of.File, "bundled/"):
		return t.forge.File(path.Join(path.Dir(of.File), u.Path), 0)
	}
	return ""
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

func findingsNode(groups []report.Group, to targets, incomplete bool) g.Node {
	if len(groups) > 0 {
		return section("h-findings", "Findings", "", g.Map(groups, func(one report.Group) g.Node { return groupNode(one, to) }))
	}
	none := "No rule requires attention."
	if incomplete {
		none = "No rule requires attention, but not everything could be evaluated."
	}
	return section("h-findings", "Findings", "", h.P(h.Class("none"), text(none)))
}

func groupNode(one report.Group, to targets) g.Node {
	info := one.Rule
	return h.Article(h.Class("rule "+string(info.Level)), lined(
		h.H3(
			h.Span(h.Class("level"), text(string(info.Level))), text(" "+info.Name),
			g.If(info.Name != info.ID, g.Group{text(" "), h.Span(h.Class("id"), text(info.ID))}),
			g.If(info.URL != "", g.Group{text(" "), linked(to.address(info, info.URL), text("about this rule"))}),
		),
		partsNode(one, to),
		restNode(one.More, "more finding", "in the formats json and sarif"),
	))
}

// partsNode renders the findings of a rule with their instructions. A long list is folded, but
// not the instructions that all its findings share.
func partsNode(one report.Group, to targets) g.Node {
	const few = 20
	if len(one.Parts) == 1 {
		part := one.Parts[0]
		return g.Group{details(one.Findings, few, "finding", entriesNode(part, to)), bodyNode(part, one.Rule, to)}
	}
	return details(one.Findings, few, "finding", g.Map(one.Parts, func(p report.Part) g.Node {
		return g.Group{entriesNode(p, to), bodyNode(p, one.Rule, to)}
	}))
}

func entriesNode(p report.Part, to targets) g.Node {
	return h.Ul(h.Class("entries"), lined(g.Map(p.Entries, func(e report.Entry) g.Node {
		return late(func() g.Node { return h.Li(entryNodes(e, to)) })
	})))
}

func bodyNode(p report.Part, of report.Rule, to targets) g.Node {
	if p.Body == "" {
		return nil
	}
	body := rendered(p.Body, func(target string) string { return to.address(of, target) })
	return h.Details(h.Class("body"), g.Attr("open"), h.Summary(text("Instructions")), h.Div(body))
}

func waiversNode(waivers []report.Entry, more int, to targets) g.Node {
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
				h.Span(h.Class("level"), text(state)), text(" "), h.B(text(e.Rule)), text(" "), entryNodes(e, to),
				h.P(h.Class("message"), linked(to.forge.Commit(e.Waiver.Commit), text(report.WaiverText(e.Waiver)))),
			)
		}))),
		restNode(more, "more waiver", "in the formats json and sarif"),
	)))
}

// entryNodes renders an entry. Its session links to the row in the table.
func entryNodes(e report.Entry, to targets) g.Group {
	var nodes g.Group
	if e.Session != nil {
		owner := text(report.SessionName(e.Session))
		if row := to.rows[report.SessionKey{Agent: e.Session.Agent, ID: e.Session.ID}]; row > 0 {
			owner = h.A(h.Href("#"+rowID(row)+momentOf(e.Session)), owner)
		}
		nodes = append(nodes, owner, text(" "))
		to.forge = forge.Repo{} // logs are no files of the repository
	}
	nodes = append(nodes, commas(g.Map(e.Files, to.fileNodes)), text(report.AndMore(e.More)))
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

func (t targets) fileNodes(p report.File) g.Node {
	name := code(report.Position(p.Path, p.Line))
	if p.Gone != "" {
		return g.Group{name, text(" (" + p.Gone + ")")}
	}
	return linked(t.forge.File(p.Path, p.Line), name)
}

func recentNode(events []fact.Event) g.Node {
	return h.Details(h.Class("recent"), h.Summary(text(report.Count(len(events), "recent event"))),
		h.Ol(g.Map(events, func(e fact.Event) g.Node { return h.Li(code(report.EventLine(e))) })))
}
