package html

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/rulecheck/rulecheck/internal/report"
)

// Bounds of the overview for a lead.
const (
	mostWeeks  = 12
	mostListed = 5  // sessions of one list
	mostGroups = 12 // rows of one table
	fewest     = 10 // commands of a session that may be stuck

	lately = 14 * 24 * time.Hour // before the newest session
)

// leadNodes renders what someone who leads a team asks first of an audit: what got worse, who is stuck, and
// what it costs.
func leadNodes(r *report.Report) g.Node {
	if r.Command != report.Audit || len(r.Units) > 0 {
		return nil
	}
	return g.Group{comparedNode(r), weeksNode(r), stuckNode(r), groupsNode(r)}
}

// comparedNode renders the figures before and now.
func comparedNode(r *report.Report) g.Node {
	if r.Before == nil {
		return nil
	}
	rows := g.Group{}
	for _, c := range r.Compare(r.Before) {
		class := "number"
		if c.Worse {
			class += " found"
		}
		rows = append(rows, h.Tr(h.Th(h.Scope("row"), text(c.Name)), h.Td(h.Class("number"), text(c.Before)), h.Td(h.Class(class), text(c.Now))))
	}
	return section("h-compared", "Before and now", "compared", table("h-compared", []string{"", "Before", "Now"}, rows))
}

// table renders a table whose first column has names, and the others numbers.
func table(label string, heads []string, rows g.Group) g.Node {
	head := g.Group{h.Th(h.Scope("col"), text(heads[0]))}
	for _, name := range heads[1:] {
		head = append(head, h.Th(h.Scope("col"), h.Class("number"), text(name)))
	}
	return h.Div(h.Class("scroll"), h.Table(h.Class("overview"), h.Aria("labelledby", label), lined(h.THead(h.Tr(head)), h.TBody(lined(rows)))))
}

// week is the figures of the sessions that began in a week.
type week struct {
	name     string // its Monday
	sessions []report.Session
	report.Figures
}

// weeksOf returns the weeks with sessions, the oldest first.
func weeksOf(r *report.Report) []*week {
	byName := map[string]*week{}
	var weeks []*week
	for _, s := range r.Sessions {
		if s.Start.IsZero() {
			continue
		}
		day := s.Start.UTC()
		name := day.AddDate(0, 0, -(int(day.Weekday())+6)%7).Format(time.DateOnly)
		if byName[name] == nil {
			byName[name] = &week{name: name}
			weeks = append(weeks, byName[name])
		}
		byName[name].sessions = append(byName[name].sessions, s)
	}
	counts := r.FindingsBySession()
	for _, w := range weeks {
		w.Figures = report.FiguresOf(w.sessions, counts)
	}
	slices.SortFunc(weeks, func(a, b *week) int { return strings.Compare(a.name, b.name) })
	return weeks
}

// rate is a figure of a week that should not grow.
type rate struct {
	name string
	of   func(*week) (float64, bool)
	text func(float64) string
}

var rates = []rate{
	{"commands that failed", func(w *week) (float64, bool) {
		return 100 * float64(w.Failed) / float64(max(w.Commands, 1)), w.Commands > 0
	}, func(n float64) string { return fmt.Sprintf("%.0f %%", n) }},
	{"findings of a session", func(w *week) (float64, bool) { return float64(w.Findings) / float64(w.Sessions), true }, func(n float64) string { return fmt.Sprintf("%.1f", n) }},
	{"median tokens of a session", func(w *week) (float64, bool) {
		if w.MedianTokens == nil {
			return 0, false
		}
		return float64(*w.MedianTokens), true
	}, func(n float64) string { return report.ShortNumber(int64(n)) }},
}

// worse describes the figures of the last week that are at least a quarter above those of the median of the
// weeks before.
func worse(weeks []*week) []string {
	if len(weeks) < 3 {
		return nil
	}
	last, before := weeks[len(weeks)-1], weeks[:len(weeks)-1]
	var lines []string
	for _, r := range rates {
		now, ok := r.of(last)
		var values []float64
		for _, w := range before {
			if n, ok := r.of(w); ok {
				values = append(values, n)
			}
		}
		if !ok || len(values) == 0 {
			continue
		}
		slices.Sort(values)
		if usual := values[(len(values)-1)/2]; now > usual*1.25 {
			lines = append(lines, fmt.Sprintf("%s: %s in the week of %s, %s in the median week before", r.name, r.text(now), last.name, r.text(usual)))
		}
	}
	return lines
}

// weeksNode renders what got worse, and the weeks.
func weeksNode(r *report.Report) g.Node {
	weeks := weeksOf(r)
	if len(weeks) < 2 {
		return nil
	}
	intro := h.P(h.Class("none"), text("In the last week, no figure is a quarter above the median of the weeks before."))
	if len(weeks) < 3 {
		intro = nil
	}
	if lines := worse(weeks); len(lines) > 0 {
		intro = h.Ul(h.Class("plain worse"), g.Map(lines, func(line string) g.Node { return h.Li(text(line)) }))
	}
	rows := g.Group{}
	for _, w := range slices.Backward(weeks[max(0, len(weeks)-mostWeeks):]) {
		rows = append(rows, h.Tr(h.Th(h.Scope("row"), text(w.name)), figureCells(w.Figures)))
	}
	return section("h-weeks", "What got worse", "", intro,
		table("h-weeks", append([]string{"Week of"}, figureHeads...), rows),
		h.P(h.Class("hint"), text("Weeks begin on Monday, in UTC. A session counts in the week in which it began.")))
}

var figureHeads = []string{"Sessions", "Commands", "Failed", "Tokens in + out", "Of subagents", "Median tokens", "Cost", "Median cost", "Findings"}

// figureCells renders figures below figureHeads.
func figureCells(f report.Figures) g.Node {
	number := func(s string) g.Node { return h.Td(h.Class("number"), text(s)) }
	failed, tokens, cost, theirs := "", "unknown", "unknown", "unknown"
	if share, ok := f.FailedShare(); ok {
		failed = fmt.Sprintf("%d %%", share)
	}
	if share, ok := f.SubagentShare(); ok {
		theirs = fmt.Sprintf("%d %%", share)
	}
	if f.MedianTokens != nil {
		tokens = report.ShortNumber(*f.MedianTokens)
	}
	if f.MedianCost != nil {
		cost = f.MedianCost.String()
	}
	sum := "unknown"
	if f.Tokens.Input != nil && f.Tokens.Output != nil {
		sum = report.ShortNumber(*f.Tokens.Input + *f.Tokens.Output)
	}
	found := "number"
	if f.Findings > 0 {
		found += " found"
	}
	return g.Group{
		number(report.Number(int64(f.Sessions))), number(report.Number(int64(f.Commands))), number(failed), number(sum), number(theirs), number(tokens),
		number(report.ShortCost(&f.Cost)), number(cost), h.Td(h.Class(found), text(report.Number(int64(f.Findings)))),
	}
}

// stuckNode lists the sessions in which at least half of many commands failed, and the most expensive ones.
func stuckNode(r *report.Report) g.Node {
	if len(r.Sessions) < 2 {
		return nil
	}
	numbers := make([]int, len(r.Sessions))
	for i := range numbers {
		numbers[i] = i
	}
	list := func(keep func(*report.Session) bool, more func(a, b *report.Session) int, what func(*report.Session) string) []g.Node {
		kept := slices.DeleteFunc(slices.Clone(numbers), func(i int) bool { return !keep(&r.Sessions[i]) })
		slices.SortStableFunc(kept, func(a, b int) int { return more(&r.Sessions[b], &r.Sessions[a]) })
		var items []g.Node
		for _, i := range kept[:min(len(kept), mostListed)] {
			s := &r.Sessions[i]
			where := ""
			if s.Branch != "" {
				where = " on " + report.Truncate(s.Branch, maxName)
			}
			items = append(items, h.Li(h.A(h.Class("session"), h.Href("#"+rowID(i+1)), text(strings.TrimSpace(report.Truncate(s.Agent, maxName)+" "+report.ShortID(s.ID)))), text(where+": "+what(s))))
		}
		if n := len(kept) - mostListed; n > 0 {
			items = append(items, h.Li(h.Class("none"), text(fmt.Sprintf("and %d more", n))))
		}
		return items
	}
	var newest time.Time
	for i := range r.Sessions {
		if s := &r.Sessions[i]; s.Start.After(newest) {
			newest = s.Start
		}
	}
	recent := newest.Add(-lately)
	stuck := list(func(s *report.Session) bool {
		return !s.Start.Before(recent) && s.Commands >= fewest && 2*s.Failed >= s.Commands
	},
		func(a, b *report.Session) int { return cmp.Compare(a.Failed, b.Failed) },
		func(s *report.Session) string {
			return fmt.Sprintf("%d of %s failed, %s, %s", s.Failed, report.Count(s.Commands, "command"), report.CostInWords(s.Cost), report.Time(s.Start))
		})
	costly := list(func(s *report.Session) bool { return s.Cost != nil && s.Cost.USD > 0 },
		func(a, b *report.Session) int { return cmp.Compare(a.Cost.USD, b.Cost.USD) },
		func(s *report.Session) string {
			return report.ShortCost(s.Cost) + ", " + report.Count(s.Commands, "command") + ", " + report.Count(s.Edits, "edit")
		})
	none := func(items []g.Node, why string) g.Node {
		if len(items) == 0 {
			return h.P(h.Class("none"), text(why))
		}
		return h.Ul(h.Class("plain"), g.Group(items))
	}
	return g.Group{
		section("h-stuck", "Who is stuck", "", none(stuck, fmt.Sprintf("In the last 14 days, half of the commands failed in no session with %d commands or more.", fewest)),
			h.P(h.Class("hint"), text("Sessions of the last 14 days in which half of many commands failed."))),
		section("h-costly", "What it costs", "", none(costly, "No cost is known.")),
	}
}

// groupsNode renders the sessions by model, user, branch and project.
func groupsNode(r *report.Report) g.Node {
	if len(r.Sessions) < 2 {
		return nil
	}
	counts := r.FindingsBySession()
	var tables g.Group
	for _, by := range []struct {
		name string
		of   func(*report.Session) []string
	}{
		{"Model", modelsOf},
		{"User", func(s *report.Session) []string { return []string{report.UserOf(s.Cwd)} }},
		{"Branch", func(s *report.Session) []string { return []string{s.Branch} }},
		{"Project", func(s *report.Session) []string { return []string{projectOf(s.Cwd)} }},
	} {
		groups := map[string][]report.Session{}
		for i := range r.Sessions {
			for _, name := range by.of(&r.Sessions[i]) {
				if name != "" {
					groups[name] = append(groups[name], r.Sessions[i])
				}
			}
		}
		if len(groups) == 0 {
			continue
		}
		names := slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
			return cmp.Or(cmp.Compare(len(groups[b]), len(groups[a])), strings.Compare(a, b))
		})
		rows := g.Group{}
		for _, name := range names[:min(len(names), mostGroups)] {
			rows = append(rows, h.Tr(h.Th(h.Scope("row"), text(report.Truncate(name, maxName))), figureCells(report.FiguresOf(groups[name], counts))))
		}
		tables = append(tables, table("h-groups", append([]string{by.name}, figureHeads...), rows))
		if n := len(names) - mostGroups; n > 0 {
			tables = append(tables, h.P(h.Class("none"), text(fmt.Sprintf("and %d more", n))))
		}
	}
	if len(tables) == 0 {
		return nil
	}
	return section("h-groups", "By model, user, branch and project", "", tables,
		h.P(h.Class("hint"), text("A session with several models counts for each of them, as a whole. Users are those of home directories.")))
}

func modelsOf(s *report.Session) []string {
	if s.Activity == nil {
		return nil
	}
	var names []string
	for _, m := range s.Activity.Models {
		names = append(names, m.Name)
	}
	return names
}

// projectOf returns the name of a directory.
func projectOf(dir string) string {
	if dir == "" {
		return ""
	}
	return path.Base(strings.ReplaceAll(dir, `\`, "/"))
}
