package session

import (
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/mask"
)

// action is a command that ran or a file that was edited.
type action struct {
	*ToolCall

	text string // the command without surrounding space, or the path in the project
	tool string
	done bool // false: the log has no outcome
	adds bool // to a streak
	ends bool // streaks
}

// actions returns the actions of calls that the measure counts, in time order.
func (m Measure) actions(calls []ToolCall, root string) []action {
	if m.Of.isStreak() {
		return m.streakActions(calls, root)
	}
	actions := make([]action, 0, len(calls))
	for i := range calls {
		c := &calls[i]
		switch {
		case c.Status == fact.Rejected:
		case (m.Of == Commands || m.Of == Rate) && c.Kind == fact.Command && m.matches(c.Command):
			if text := strings.TrimSpace(c.Command); text != "" {
				actions = append(actions, action{ToolCall: c, text: text, done: c.Done()})
			}
		case m.Of == Edits && c.Kind == fact.FileEdit && c.Status != fact.Error:
			for _, path := range c.Paths {
				if path = RelativeTo(root, path); m.matches(path) {
					actions = append(actions, action{ToolCall: c, text: path, tool: c.Name, done: c.Done()})
				}
			}
		}
	}
	return actions
}

// Counts reports whether a call may change the count, as a command that ran, an edit or a
// read.
func (m Measure) Counts(c *ToolCall, root string) bool {
	return len(m.actions([]ToolCall{*c}, root)) > 0
}

func (m Measure) matches(text string) bool { return m.Matching == nil || m.Matching.MatchString(text) }

// RelativeTo returns a path relative to root if it is below it, with slashes.
func RelativeTo(root, path string) string {
	if strings.Contains(root, `\`) {
		root, path = strings.ReplaceAll(root, `\`, "/"), strings.ReplaceAll(path, `\`, "/")
	}
	if root == "" {
		return path
	}
	return strings.TrimPrefix(path, strings.TrimSuffix(root, "/")+"/")
}

// window returns the actions in [now−Within, now].
func (m Measure) window(actions []action, now time.Time) []action {
	to := sort.Search(len(actions), func(i int) bool { return actions[i].At.After(now) })
	from := 0
	if m.Within > 0 {
		oldest := now.Add(-m.Within)
		from = sort.Search(to, func(i int) bool { return !actions[i].At.Before(oldest) })
	}
	return actions[from:to]
}

// highs returns the record counts of the window as it moves over the actions, at those
// that are fresh; doneOnly leaves out those without an outcome.
func (m Measure) highs(actions []action, doneOnly bool) []high {
	if m.Of.isStreak() {
		return m.streakHighs(actions, doneOnly)
	}
	counts := map[string]int64{}
	var highs []high
	oldest := 0
	for i, a := range actions {
		if doneOnly && !a.done {
			continue
		}
		if m.Within > 0 {
			for start := a.At.Add(-m.Within); actions[oldest].At.Before(start); oldest++ {
				if gone := actions[oldest]; gone.done || !doneOnly {
					counts[m.group(gone)]--
				}
			}
		}
		group := m.group(a)
		counts[group]++
		if n := counts[group]; n > last(highs).count && m.isFresh(a.Old) {
			highs = append(highs, high{n, a.At, group, a.Place, i + 1})
		}
	}
	return highs
}

func (m Measure) group(a action) string {
	if m.Matching != nil || m.Of == Untested {
		return ""
	}
	return a.text
}

func last(highs []high) high {
	if len(highs) == 0 {
		return high{}
	}
	return highs[len(highs)-1]
}

// describe returns the metrics of the largest group of a window, the first of several
// equally large.
func (m Measure) describe(window []action) fact.Metrics {
	if m.Of.isStreak() {
		window = m.standing(window, true)
	}
	sizes := map[string]int64{}
	for _, a := range window {
		if a.done {
			sizes[m.group(a)]++
		}
	}
	x := fact.Metrics{Of: string(m.Of), Subjects: []string{}, Events: []fact.Event{}}
	largest := ""
	for _, a := range window {
		if n := sizes[m.group(a)]; a.done && n > x.Count {
			x.Count, largest = n, m.group(a)
		}
	}
	window = slices.DeleteFunc(slices.Clone(window), func(a action) bool { return !a.done || m.group(a) != largest })

	const subjects, events = 10, 5
	shown := map[string]string{}
	for _, a := range window {
		if _, ok := shown[a.text]; ok {
			continue
		}
		shown[a.text] = ""
		if len(x.Subjects) < subjects {
			shown[a.text] = mask.Excerpt(a.text)
			x.Subjects = append(x.Subjects, shown[a.text])
		}
	}
	x.Distinct = int64(len(shown))
	for _, a := range window[max(0, len(window)-events):] {
		text := shown[a.text]
		if text == "" {
			text = mask.Excerpt(a.text)
		}
		x.Events = append(x.Events, fact.Event{At: a.At, Tool: a.tool, Text: text})
	}
	return x
}
