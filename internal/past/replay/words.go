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

// ruleFiring is a unit in which a rule fired.
type ruleFiring struct {
	Firing

	of *RuleHistory
}

// list returns every unit in which a rule fired, newest first, each with one rule.
func (r *Report) list() []ruleFiring {
	var all []ruleFiring
	for i := range r.Rules {
		for _, f := range r.Rules[i].Firings {
			if !f.Waived {
				all = append(all, ruleFiring{f, &r.Rules[i]})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b ruleFiring) int { return a.unit - b.unit })
	return all
}

// silent returns the ids of rules that never applied.
func (r *Report) silent() []string {
	var ids []string
	for i := range r.Rules {
		if r.Rules[i].Triggered == 0 {
			ids = append(ids, r.Rules[i].ID)
		}
	}
	return ids
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
// units that could not be checked has a column for them.
func tableOf(rules []*RuleHistory) [][]string {
	unclear := slices.ContainsFunc(rules, func(of *RuleHistory) bool { return of.Unclear() > 0 })
	row := func(rule, applied, held, fired, waived, unknown, rate, last, per100 string) []string {
		if !unclear {
			return []string{rule, applied, held, fired, waived, rate, last, per100}
		}
		return []string{rule, applied, held, fired, waived, unknown, rate, last, per100}
	}
	table := [][]string{row("rule", "applied", "held", "fired", "waived", "unknown", "rate", "last", "per 100")}
	for _, of := range rules {
		table = append(table, row(of.ID, strconv.Itoa(of.Triggered), strconv.Itoa(of.Held), strconv.Itoa(of.Fired),
			strconv.Itoa(of.Waived), strconv.Itoa(of.Unclear()), of.share(), of.lastTen(), of.per100()))
	}
	return table
}
