package html

import (
	"fmt"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/rulecheck/rulecheck/internal/report"
)

// What follows in the table of units and rules is counted.
const (
	mostUnits = 500
	mostRules = 12
)

// overviewNode renders a table of units and rules with the number of findings and, compared
// with an earlier run, their change.
func overviewNode(o *report.Overview) g.Node {
	if o == nil {
		return nil
	}
	if len(o.Units) == 0 {
		return section("h-overview", "Overview", "", h.P(h.Class("none"), text(report.Count(o.Quiet, "unit")+" without findings.")))
	}
	units, rules := o.Units[:min(len(o.Units), mostUnits)], o.Rules[:min(len(o.Rules), mostRules)]
	head := g.Group{h.Th(text("Unit")), h.Th(h.Class("number"), text("All rules"))}
	for _, rule := range rules {
		head = append(head, h.Th(h.Class("number"), text(rule)))
	}
	o.Totals.ID = report.Count(len(o.Units)+o.Quiet, "unit")
	rows := g.Group{unitNode(o.Totals, rules, o.Compare, "total")}
	for _, u := range units {
		rows = append(rows, unitNode(u, rules, o.Compare, ""))
	}
	return section("h-overview", "Overview", "",
		h.Div(h.Class("scroll"), h.Table(h.Class("overview"), h.Aria("labelledby", "h-overview"), lined(
			h.THead(h.Tr(head)),
			h.TBody(lined(rows)),
		))),
		restNode(len(o.Units)-len(units), "more unit", "with findings"),
		restNode(len(o.Rules)-len(rules), "more rule", "with findings"),
		restNode(o.Quiet, "unit", "without findings"),
	)
}

func restNode(n int, one, what string) g.Node {
	return g.If(n > 0, h.P(h.Class("none"), text(report.Count(n, one)+" "+what+".")))
}

func unitNode(u report.Unit, rules []string, compare bool, class string) g.Node {
	name := g.Group{text(u.ID)}
	if trouble := map[int]string{2: "malformed rules", 3: "could not be checked"}[u.Exit]; trouble != "" {
		name = append(name, text(" "), h.Span(h.Class("level"), text(trouble)))
	}
	compare = compare && (u.Before != nil || class != "")
	cells := g.Group{h.Th(g.Attr("scope", "row"), name), changeCell(u.Sum(), u.SumBefore(), compare)}
	for _, rule := range rules {
		cells = append(cells, changeCell(u.Findings[rule], u.Before[rule], compare))
	}
	return h.Tr(classed(class), cells)
}

// changeCell renders a number and by how much it changed.
func changeCell(now, before int, compare bool) g.Node {
	number := ""
	if now > 0 || compare && before > 0 {
		number = report.Number(int64(now))
	}
	cell := g.Group{h.Class("number"), text(number)}
	switch {
	case !compare || now == before:
	case now > before:
		cell = append(cell, text(" "), h.Span(h.Class("more"), text(fmt.Sprintf("+%d", now-before))))
	default:
		cell = append(cell, text(" "), h.Span(h.Class("fewer"), text(fmt.Sprintf("−%d", before-now))))
	}
	return h.Td(cell)
}
