package html

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/rulecheck/rulecheck/internal/money"
	"github.com/rulecheck/rulecheck/internal/report"
)

// maxName limits the name of an agent, in characters.
const maxName = 40

// maxDays is the number of days up to which bars are days; more are months.
const maxDays = 62

// sums add up some sessions.
type sums struct {
	name                                      string
	sessions                                  []report.Session
	commands, failed, edits, findings, tokens int64
	cost                                      money.Cost
	tokensText                                string
}

// sumsBy adds up sessions by a name of each, in the order of the names. Sessions without one
// are left out.
func sumsBy(r *report.Report, nameOf func(report.Session) string) []*sums {
	counts := r.FindingsBySession()
	groups := map[string]*sums{}
	for _, s := range r.Sessions {
		name := nameOf(s)
		if name == "" {
			continue
		}
		if groups[name] == nil {
			groups[name] = &sums{name: name}
		}
		one := groups[name]
		one.sessions = append(one.sessions, s)
		one.commands += int64(s.Commands)
		one.failed += int64(s.Failed)
		one.edits += int64(s.Edits)
		one.findings += int64(counts[s.Key()])
		one.cost.Add(s.CostOrUnknown())
	}
	for _, one := range groups {
		sum, _ := report.SumTokens(one.sessions)
		one.tokens, one.tokensText = sum.Used(), report.InputAndOutput(sum)
	}
	return slices.SortedFunc(maps.Values(groups), func(a, b *sums) int { return cmp.Compare(a.name, b.name) })
}

// activityNode renders an overview over agents and days, if there are several sessions.
func activityNode(r *report.Report) g.Node {
	if len(r.Sessions) < 2 {
		return nil
	}
	agents := sumsBy(r, func(s report.Session) string { return cmp.Or(s.Agent, "unknown") })
	period, layout := "day", "2006-01-02"
	day := func(s report.Session) string {
		if s.Start.IsZero() {
			return ""
		}
		return s.Start.UTC().Format(layout)
	}
	days := sumsBy(r, day)
	if len(days) > maxDays {
		period, layout = "month", "2006-01"
		days = sumsBy(r, day)
	}
	var charts g.Node
	if len(days) > 1 {
		charts = g.Group{
			h.Div(h.Class("bars"), lined(
				barsNode("Tokens in + out", period, "spent", days, func(s *sums) (all, bad int64) { return s.tokens, 0 }),
				barsNode("Commands, failed ones below", period, "command", days, func(s *sums) (all, bad int64) { return s.commands, s.failed }),
				barsNode("Findings", period, "finding", days, func(s *sums) (all, bad int64) { return s.findings, 0 }),
			)),
			h.P(h.Class("hint"), text("By the start of sessions, in UTC. A "+period+" without sessions has no bar.")),
			details(len(days), 0, period, sumsNode("First event", days)),
		}
	}
	return section("h-activity", "Agents and "+period+"s", "", sumsNode("Agent", agents), charts)
}

// sumsNode renders sums as a table.
func sumsNode(first string, list []*sums) g.Node {
	head := g.Group{h.Th(h.Scope("col"), text(first))}
	for _, name := range []string{"Sessions", "Commands", "Failed", "Edits", "Tokens in + out", "Cost", "Findings"} {
		head = append(head, h.Th(h.Scope("col"), h.Class("number"), text(name)))
	}
	rows := make(g.Group, 0, len(list))
	for _, s := range list {
		found := "number"
		if s.findings > 0 {
			found += " found"
		}
		number := func(n int64) g.Node { return h.Td(h.Class("number"), text(report.Number(n))) }
		rows = append(rows, h.Tr(
			h.Th(h.Scope("row"), text(report.Truncate(s.name, maxName))), number(int64(len(s.sessions))), number(s.commands), number(s.failed), number(s.edits),
			h.Td(h.Class("number"), text(s.tokensText)), h.Td(h.Class("number"), text(report.ShortCost(&s.cost))), h.Td(h.Class(found), text(report.Number(s.findings))),
		))
	}
	return h.Div(h.Class("scroll"), h.Table(h.Class("overview sums"), lined(h.THead(h.Tr(head)), h.TBody(lined(rows)))))
}

// barsNode renders a bar for each day or month. Bad ones are a part of all.
func barsNode(name, period, class string, list []*sums, value func(*sums) (all, bad int64)) g.Node {
	const height = 100
	highest, when := int64(0), ""
	for _, s := range list {
		if all, _ := value(s); all > highest {
			highest, when = all, s.name
		}
	}
	label := name + " per " + period + ": none"
	if highest > 0 {
		label = fmt.Sprintf("%s per %s: at most %s, %s", name, period, report.Number(highest), when)
	}
	rect := func(i int, n int64, class string, children ...g.Node) g.Node {
		tall := float64(n) * height / float64(max(highest, 1))
		return g.El("rect", h.Class(class), g.Attr("x", fmt.Sprint(float64(i)+0.1)), g.Attr("y", fmt.Sprintf("%.2f", height-tall)),
			g.Attr("width", "0.8"), g.Attr("height", fmt.Sprintf("%.2f", tall)), g.Group(children))
	}
	var rects g.Group
	for i, s := range list {
		all, bad := value(s)
		title := s.name + ": " + report.Number(all)
		if bad > 0 {
			title += ", " + report.Number(bad) + " failed"
		}
		rects = append(rects, rect(i, all, class, g.El("title", text(title))), g.If(bad > 0, rect(i, bad, "failed")))
	}
	return g.El("figure",
		g.El("figcaption", text(label)),
		g.El("svg", h.Role("img"), h.Aria("label", label), g.Attr("viewBox", fmt.Sprintf("0 0 %d %d", len(list), height)),
			g.Attr("preserveAspectRatio", "none"), rects),
		h.Div(h.Class("ends"), h.Span(text(list[0].name)), h.Span(text(list[len(list)-1].name))),
	)
}
