package html

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/session"
)

const pageIcon = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E" +
	"%3Crect width='16' height='16' rx='4' fill='%232563eb'/%3E" +
	"%3Cpath d='M4 8.5l2.5 2.5L12 5.5' fill='none' stroke='white' stroke-width='2'/%3E%3C/svg%3E"

func htmlPage(r *report.Report) g.Node {
	parts := partsOf(len(r.Sessions) > 0)
	title, summary := "rulecheck "+r.Command, r.SummaryLine()
	var scripts g.Group
	if len(r.Sessions) > 0 {
		scripts = g.Group{
			h.Script(h.Type("application/json"), h.ID("timelines"), shownData(timelinesOf(r))),
			h.Script(g.Raw(parts.script)),
		}
	}
	return h.Doctype(lined(h.HTML(h.Lang("en"), lined(
		htmlHead(parts, title+": "+summary),
		h.Body(lined(
			h.A(h.Class("skip"), h.Href("#main"), shown("Skip to the findings")),
			h.Header(lined(
				h.H1(shown(title)),
				h.P(h.Class("summary"), shown(summary)),
				h.Dl(h.Class("tiles"), lined(htmlTiles(r))),
			)),
			htmlMain(r),
			htmlFooter(r),
			scripts,
		)),
	))))
}

func htmlHead(parts htmlParts, title string) g.Node {
	named := func(name, content string) g.Node { return h.Meta(h.Name(name), h.Content(content)) }
	return h.Head(lined(
		h.Meta(h.Charset("utf-8")),
		h.Meta(g.Attr("http-equiv", "Content-Security-Policy"), h.Content(parts.policy)),
		named("viewport", "width=device-width, initial-scale=1"),
		named("color-scheme", "light dark"),
		named("referrer", "no-referrer"),
		h.TitleEl(shown(title)),
		h.Link(h.Rel("icon"), h.Href(pageIcon)),
		h.StyleEl(g.Raw(parts.style)),
	))
}

func htmlMain(r *report.Report) g.Node {
	groups, waivers := r.Groups()
	rows := rowsOf(r.Sessions)
	lost, odd := r.LogProblems()
	return h.Main(h.ID("main"), lined(
		htmlErrors(r.Errors),
		htmlFindings(groups, rows, len(r.Errors) > 0),
		htmlWaivers(waivers, rows),
		htmlSessions(r),
		htmlLogs("h-lost", "Logs", "trouble", lost.Line(), lost.List),
		htmlLogs("h-odd", "Oddities of logs", "", odd.Line(), odd.List),
		htmlNotices(r.Notices),
	))
}

// section has its heading name it to those who hear the page. An empty class is none.
func section(id, heading, class string, nodes ...g.Node) g.Node {
	return h.Section(h.Aria("labelledby", id), classed(class), lined(h.H2(h.ID(id), shown(heading)), g.Group(nodes)))
}

func htmlErrors(problems []finding.Problem) g.Node {
	if len(problems) == 0 {
		return nil
	}
	return section("h-errors", "Not judged", "trouble", h.Ul(h.Class("plain"), g.Map(problems, func(p finding.Problem) g.Node {
		message := p.Message
		if where := report.Position(p.File, p.Line, p.Column); where != "" {
			message = where + ": " + message
		}
		return h.Li(shown(message))
	})))
}

func htmlLogs(id, heading, class, told string, list []session.Diagnostic) g.Node {
	if len(list) == 0 {
		return nil
	}
	return section(id, heading, class, h.P(shown(told+".")), details(len(list), 10, "place",
		h.Ul(h.Class("plain"), g.Map(list, func(d session.Diagnostic) g.Node { return h.Li(shownCode(d.String())) }))))
}

func htmlNotices(notices []string) g.Node {
	if len(notices) == 0 {
		return nil
	}
	return section("h-notices", "Notices", "", h.Ul(h.Class("plain"), g.Map(notices, func(s string) g.Node { return h.Li(shown(s)) })))
}

func htmlFooter(r *report.Report) g.Node {
	maker := "rulecheck"
	if r.ToolVersion != "" {
		maker += " " + r.ToolVersion
	}
	return h.Footer(lined(
		g.Map(r.Baselines, func(b report.Baseline) g.Node { return h.P(shown(b.String())) }),
		h.P(shown("Made by "+maker+". Times are UTC. This page loads nothing and sends nothing.")),
	))
}
