package check

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// Waivers are the places, beside the commits that are judged, in which findings
// may be excused, and whether any of it counts.
type Waivers struct {
	Off bool // none is honoured
	// Distrust says why those that the change itself brings are not honoured; empty:
	// they are.
	Distrust string

	Environment string // "<rule id> <reason>" in each line; counts at a commit
	PullRequest string // its title and text
	MessageFile string // the name of the file with the message being written; empty: there is none
	Message     string // what stands in it
	Hook        bool   // git runs this as a hook
}

// waiver is one of a rule, before it is known what it excuses.
type waiver struct {
	rule   string          // id
	covers map[string]bool // it excuses what these names made, and nothing else; nil: whatever the rule finds
	finding.Waiver
}

// maxReason is how much of a reason is kept, in characters.
const maxReason = 300

// oneLine makes text from outside a line to be shown: without control characters,
// and not too long.
func oneLine(text string) string {
	text = finding.Visible(strings.Join(strings.Fields(text), " "))
	if utf8.RuneCountInString(text) > maxReason {
		text = string([]rune(text)[:maxReason]) + "…"
	}
	return text
}

// found are all waivers that could be read of one changeset, the most particular
// first, and what is to be told of those that could not.
type found struct {
	waivers []waiver
	notices []string
}

// of is what excuses f; where nothing does, what would if it were honoured, or
// what was meant for other files.
func (l found) of(f finding.Finding) *finding.Waiver {
	missing := l.uncovered(f, nil)
	var refused, beside *finding.Waiver
	for _, w := range l.waivers {
		v := w.Waiver
		switch {
		case w.rule != f.Rule:
		case w.covers != nil && missing != "":
			if beside == nil {
				v.NotHonoured = "no commit with it changed " + finding.Visible(missing)
				beside = &v
			}
		case w.covers != nil && !slices.ContainsFunc(makers(f), func(name string) bool { return w.covers[name] }):
			// Others excuse f.
		case v.NotHonoured == "":
			return &v
		case refused == nil:
			refused = &v
		}
	}
	return cmp.Or(refused, beside)
}

// makers are the files that made f: its triggers, or where it has none its place.
func makers(f finding.Finding) []string {
	if len(f.TriggerFiles) == 0 {
		return []string{f.Path}
	}
	return f.TriggerFiles
}

// uncovered is the first of the files that made f which is neither among further
// nor was changed by a commit with a trailer for its rule; empty: there is none.
func (l found) uncovered(f finding.Finding, further map[string]bool) string {
	for _, name := range makers(f) {
		covered := further[name] || slices.ContainsFunc(l.waivers, func(w waiver) bool { return w.rule == f.Rule && w.covers[name] })
		if !covered {
			return name
		}
	}
	return ""
}
