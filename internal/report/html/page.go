package html

import (
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/report/forge"
)

const pageIcon = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E" +
	"%3Crect width='16' height='16' rx='4' fill='%232563eb'/%3E" +
	"%3Cpath d='M4 8.5l2.5 2.5L12 5.5' fill='none' stroke='white' stroke-width='2'/%3E%3C/svg%3E"

// pageNode renders the page; timelines waits for the data of its script.
func pageNode(r *report.Report, timelines func() (parts [][]byte, err error)) g.Node {
	parts := assetsOf(len(r.Sessions) > 0)
	title, verdict, of := titleOf(r), r.Verdict(), forge.Of(r.Remote)
	class := "verdict failed"
	if r.Passed() {
		class = "verdict passed"
	}
	var scripts g.Group
	if len(r.Sessions) > 0 {
		scripts = g.Group{
			h.Script(h.Type("application/json"), h.ID("timelines"), script(timelines)),
			h.Script(g.Raw(parts.script)),
		}
	}
	return h.Doctype(lined(h.HTML(h.Lang("en"), lined(
		headNode(parts, title+": "+verdict),
		h.Body(lined(
			h.A(h.Class("skip"), h.Href("#main"), text("Skip to the findings")),
			h.Header(lined(
				h.H1(text(title)),
				h.P(h.Class(class), text(verdict)),
				g.If(!r.Committed.IsZero(), h.P(h.Class("base"), text("last commit: "+r.Committed.UTC().Format("2006-01-02 15:04 UTC")))),
				g.Map(r.Baselines, func(b report.Baseline) g.Node {
					return h.P(h.Class("base"), linked(of.Commit(commitOf(b)), text(b.String())))
				}),
				behindNode(r),
				h.Dl(h.Class("tiles"), lined(tileNodes(r))),
			)),
			mainNode(r),
			footerNode(r),
			scripts,
		)),
	))))
}

// commitOf returns the commit with which a head was compared; "" for anything else, such as
// the tree of a snapshot.
func commitOf(b report.Baseline) string {
	if strings.HasPrefix(b.ID, diff.Prompt) || strings.HasPrefix(b.FoundBy, "the empty tree") {
		return ""
	}
	return b.Commit
}

// titleOf names the program, the repository and its branch, for those who have several pages
// open.
func titleOf(r *report.Report) string {
	title := "rulecheck"
	if r.Command == report.Audit || len(r.Units) > 0 {
		title += " " + r.Command
	}
	if r.Repository != "" {
		title += " · " + r.Repository
	}
	if r.Branch != "" {
		title += " (" + r.Branch + ")"
	}
	return title
}

func headNode(parts assets, title string) g.Node {
	named := func(name, content string) g.Node { return h.Meta(h.Name(name), h.Content(content)) }
	return h.Head(lined(
		h.Meta(h.Charset("utf-8")),
		h.Meta(g.Attr("http-equiv", "Content-Security-Policy"), h.Content(parts.policy)),
		named("viewport", "width=device-width, initial-scale=1"),
		named("color-scheme", "light dark"),
		named("referrer", "no-referrer"),
		h.TitleEl(text(title)),
		h.Link(h.Rel("icon"), h.Href(pageIcon)),
		h.StyleEl(g.Raw(parts.style)),
	))
}

func mainNode(r *report.Report) g.Node {
	groups, waivers, more := listed(r)
	to := targetsOf(r)
	lost, harmless := r.LogProblems()
	return h.Main(h.ID("main"), h.TabIndex("-1"), lined(
		errorsNode(r.Errors),
		overviewNode(r.Overview()),
		leadNodes(r),
		findingsNode(groups, to, len(r.Errors) > 0),
		stackNode(r, to),
		waiversNode(waivers, more, to),
		decisionsNode(r),
		coverageNode(r),
		activityNode(r),
		sessionsNode(r),
		logsNode("h-lost", "Logs", "trouble", lost.Line(), lost.List),
		logsNode("h-odd", "Unusual lines in logs", "", harmless.Line(), harmless.List),
		noticesNode(r.Notices),
	))
}

// section renders a section that is labelled by its heading, for screen readers.
func section(id, heading, class string, nodes ...g.Node) g.Node {
	return h.Section(h.Aria("labelledby", id), classed(class), lined(h.H2(h.ID(id), text(heading)), g.Group(nodes)))
}

func errorsNode(problems []finding.Problem) g.Node {
	if len(problems) == 0 {
		return nil
	}
	return section("h-errors", "Errors", "trouble", h.Ul(h.Class("plain"), g.Map(problems, func(p finding.Problem) g.Node {
		message := p.Message
		if where := report.Position(p.File, p.Line, p.Column); where != "" {
			message = where + ": " + message
		}
		return h.Li(text(message))
	})))
}

func logsNode(id, heading, class, summary string, list []fact.Diagnostic) g.Node {
	if len(list) == 0 {
		return nil
	}
	return section(id, heading, class, h.P(text(summary+".")), details(len(list), 10, "place",
		h.Ul(h.Class("plain"), g.Map(list, func(d fact.Diagnostic) g.Node { return h.Li(code(d.String())) }))))
}

func noticesNode(notices []string) g.Node {
	if len(notices) == 0 {
		return nil
	}
	return section("h-notices", "Notices", "", h.Ul(h.Class("plain"), g.Map(notices, func(s string) g.Node { return h.Li(text(s)) })))
}

func footerNode(r *report.Report) g.Node {
	generator := "rulecheck"
	if r.ToolVersion != "" {
		generator += " " + r.ToolVersion
	}
	return h.Footer(lined(
		h.P(text("Generated by " + generator + ". Times are in UTC. This page makes no network requests.")),
	))
}
