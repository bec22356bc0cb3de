package replay

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/report"
)

// Limits of what formats for people show.
const (
	shownFirings  = 3
	shownQuarters = 12
)

// scope describes what was replayed.
func (r *Report) scope() string {
	unit := "commit"
	if r.Unit == FirstParents {
		unit = "first-parent commit"
	}
	text := fmt.Sprintf("replayed %s (from %s) on %s", report.Count(len(r.Rules), "rule"), report.ShortCommit(r.RulesFrom), report.Count(r.Units, unit))
	if r.Oldest != nil {
		text += fmt.Sprintf(", %s to %s", day(r.Oldest.Time), day(r.Newest.Time))
	}
	return text
}

// title returns what a page is about.
func (r *Report) title() string {
	if r.Repository == "" {
		return "rulecheck replay"
	}
	return "rulecheck replay of " + r.Repository
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// verdict returns the last line: whether the rules held often enough, and how many
// units the counts are about.
func (r *Report) verdict() string {
	var below, unknown, notRun []string
	for i := range r.Rules {
		of := &r.Rules[i]
		if r.Below(of) {
			below = append(below, of.ID)
		}
		if of.Unknown > 0 {
			unknown = append(unknown, of.ID)
		}
		if of.NotRun > 0 && r.FailUnder > 0 {
			notRun = append(notRun, of.ID)
		}
	}
	var parts []string
	if n := len(r.Unread); n > 0 {
		parts = append(parts, report.Count(n, "commit")+" could not be checked")
	}
	add := func(ids []string, what string) {
		if len(ids) > 0 {
			parts = append(parts, strings.Join(ids, ", ")+what)
		}
	}
	add(unknown, " could not be checked on some commits")
	add(notRun, " could not be checked without the command")
	add(below, " held in less than "+percent(r.FailUnder))
	switch {
	case len(r.Rules) == 0:
		parts = append(parts, "no rule was replayed")
	case r.Units == 0:
		parts = append(parts, "no commits in this range")
	}
	if n := len(r.Errors); n > 0 {
		parts = append(parts, report.Count(n, "problem")+" in rules or configuration")
	}
	word := "done"
	switch {
	case r.Status() != 0:
		word = "failed"
	case r.FailUnder > 0:
		word = "passed"
		if len(parts) == 0 {
			parts = append(parts, "every rule that applied held in "+percent(r.FailUnder)+" or more")
		}
	}
	if len(parts) == 0 {
		return word
	}
	return word + ": " + strings.Join(parts, "; ")
}

// percent writes a share without losing that it is below 100 %.
func percent(share float64) string {
	tenths := int(share * 1000)
	if tenths%10 == 0 {
		return strconv.Itoa(tenths/10) + "%"
	}
	return fmt.Sprintf("%d.%d%%", tenths/10, tenths%10)
}

// share returns how often a rule held, or "-".
func (of *RuleHistory) share() string {
	if of.Share == nil {
		return "-"
	}
	return percent(*of.Share)
}

func (of *RuleHistory) per100() string { return strconv.FormatFloat(of.Per100, 'f', 1, 64) }

// lastTen returns how often a rule held of the last times it applied: "8/10".
func (of *RuleHistory) lastTen() string {
	if n := of.Last.Held + of.Last.Fired; n > 0 && of.Share != nil {
		return fmt.Sprintf("%d/%d", of.Last.Held, n)
	}
	return "-"
}

// bars are the heights of a chart in text, for shares of 0 to 1.
var bars = []rune("▁▂▃▄▅▆▇█")

// trend draws the share of the newest quarters, oldest first; "·" where it is unknown.
func (of *RuleHistory) trend() string {
	var b strings.Builder
	for _, q := range newest(of.Quarters) {
		rate, ok := q.Rate()
		if !ok || of.Share == nil {
			b.WriteRune('·')
			continue
		}
		b.WriteRune(bars[int(rate*float64(len(bars)-1))])
	}
	return b.String()
}

func newest(quarters []Quarter) []Quarter {
	return quarters[max(0, len(quarters)-shownQuarters):]
}

// fired returns the newest units in which a rule fired that are shown, and how many more there
// are.
func (r *Report) fired(of *RuleHistory) (list []Firing, more int) {
	for _, f := range of.Firings {
		if !f.Waived && (r.View.All || len(list) < shownFirings) {
			list = append(list, f)
		}
	}
	return list, of.Fired - len(list)
}

// lacks returns the findings of a unit that are shown, each line once, and how many more there
// are.
func (r *Report) lacks(f Firing) (list []Lack, more int) {
	list = slices.CompactFunc(slices.Clone(f.Findings), func(a, b Lack) bool { return a.Text() == b.Text() })
	if r.View.All || len(list) <= shownFirings {
		return list, 0
	}
	return list[:shownFirings], len(list) - shownFirings
}

// ruleFiring is a unit in which a rule fired, or one of its other cases.
type ruleFiring struct {
	Firing

	of    *RuleHistory
	other Outcome // empty: it fired
}

// list returns every unit in which a rule fired, newest first, each with one rule; with
// [View.Cases], also those with other outcomes.
func (r *Report) list() []ruleFiring {
	var all []ruleFiring
	for i := range r.Rules {
		of := &r.Rules[i]
		for _, f := range of.Firings {
			if !f.Waived {
				all = append(all, ruleFiring{f, of, ""})
			}
		}
		for _, c := range of.Cases {
			if c.Outcome != Fired {
				commit := Commit{ID: c.ID, URL: r.forge.Commit(c.ID), Time: c.Time, Subject: c.Subject}
				all = append(all, ruleFiring{Firing{Commit: commit, unit: c.unit}, of, c.Outcome})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b ruleFiring) int { return a.unit - b.unit })
	return all
}

// silent describes the rules that never applied.
func (r *Report) silent() []string {
	var ids []string
	for i := range r.Rules {
		of := &r.Rules[i]
		switch {
		case of.Triggered > 0:
		case of.NotApplied > 0:
			ids = append(ids, fmt.Sprintf("%s (nothing that it expects existed in %s)", of.ID, report.Count(of.NotApplied, "commit")))
		default:
			ids = append(ids, of.ID)
		}
	}
	return ids
}

// unread describes the units that could not be checked.
func (r *Report) unread() []string {
	var texts []string
	for _, u := range r.Unread {
		if len(texts) == shownFirings && !r.View.All {
			return append(texts, fmt.Sprintf("%d more commits could not be checked; to see them, add --all", len(r.Unread)-len(texts)))
		}
		texts = append(texts, fmt.Sprintf("%s of %s could not be checked: %s", report.ShortCommit(u.ID), day(u.Time), u.Reason))
	}
	return texts
}

// applied returns the rules that applied, those that held least often first.
func (r *Report) applied() []*RuleHistory {
	var list []*RuleHistory
	for i := range r.Rules {
		if r.Rules[i].Triggered > 0 {
			list = append(list, &r.Rules[i])
		}
	}
	rank := func(of *RuleHistory) float64 {
		if of.Share == nil {
			return 2
		}
		return *of.Share
	}
	slices.SortStableFunc(list, func(a, b *RuleHistory) int {
		switch x, y := rank(a), rank(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return list
}

// words describes the counts.
func (c Counts) words() string {
	text := fmt.Sprintf("applied %d, held %d, fired %d, waived %d", c.Triggered, c.Held, c.Fired, c.Waived)
	if n := c.Unclear(); n > 0 {
		text += fmt.Sprintf(", unknown %d", n)
	}
	if c.NotApplied > 0 {
		text += fmt.Sprintf(", not applied %d", c.NotApplied)
	}
	return text
}

// sentence describes the counts and shares of a rule.
func (of *RuleHistory) sentence() string {
	text := of.words()
	if of.Share != nil {
		text += fmt.Sprintf("; held in %s, of the last ten in %s", of.share(), of.lastTen())
	}
	return text + fmt.Sprintf("; fires on %s of 100 commits", of.per100())
}

// tableOf returns the cells of the table of rules, its headings first. Only a table with
// units that could not be checked, or in which nothing was expected, has a column for them.
func tableOf(rules []*RuleHistory) [][]string {
	unclear := slices.ContainsFunc(rules, func(of *RuleHistory) bool { return of.Unclear() > 0 })
	vacuous := slices.ContainsFunc(rules, func(of *RuleHistory) bool { return of.NotApplied > 0 })
	heading := []string{"rule", "applied", "held", "fired", "waived"}
	if unclear {
		heading = append(heading, "unknown")
	}
	if vacuous {
		heading = append(heading, "not applied")
	}
	table := [][]string{append(heading, "rate", "last", "per 100")}
	for _, of := range rules {
		row := []string{of.ID, strconv.Itoa(of.Triggered), strconv.Itoa(of.Held), strconv.Itoa(of.Fired), strconv.Itoa(of.Waived)}
		if unclear {
			row = append(row, strconv.Itoa(of.Unclear()))
		}
		if vacuous {
			row = append(row, strconv.Itoa(of.NotApplied))
		}
		table = append(table, append(row, of.share(), of.lastTen(), of.per100()))
	}
	return table
}
