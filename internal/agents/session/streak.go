package session

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/fact"
)

// streakAction returns what a call does to a streak: it adds to it, ends it, or either if
// its outcome is not in the log. ok is false if it does neither.
func (m Measure) streakAction(c *ToolCall) (a action, ok bool) {
	a = action{ToolCall: c, tool: c.Name, done: true}
	unknown := c.Status == fact.Running || c.Status == fact.Unknown
	switch {
	case m.Of == Denials:
		a.adds, a.ends, a.done = unknown || c.Status == fact.Rejected, c.Status != fact.Rejected, !unknown
		if c.Kind == fact.Command {
			a.text, a.tool = strings.TrimSpace(c.Command), ""
			return a, a.text != "" && m.matches(c.Command)
		}
		return a, c.Kind == fact.FileEdit || c.Kind == fact.Read
	case c.Status == fact.Rejected:
		return a, false
	case m.Of == Failures && c.Kind == fact.Command:
		a.text, a.tool = strings.TrimSpace(c.Command), ""
		a.adds, a.ends, a.done = unknown || c.Status == fact.Error, unknown || c.Status == fact.OK, !unknown
		return a, a.text != "" && m.matches(c.Command)
	case m.Of == Reads && c.Kind == fact.FileEdit, m.Of == Untested && c.Kind == fact.Command && m.Until != nil && m.Until.MatchString(c.Command):
		a.ends, a.done = true, c.Done()
		if c.Kind == fact.FileEdit {
			return a, c.Status != fact.Error
		}
		return a, true
	case m.Of == Reads && c.Kind == fact.Read, m.Of == Untested && c.Kind == fact.FileEdit:
		a.adds, a.done = true, !unknown
		return a, c.Status != fact.Error
	}
	return a, false
}

// streakActions returns the actions of calls that add to streaks or end them, in time order.
func (m Measure) streakActions(calls []ToolCall, root string) []action {
	var actions []action
	for i := range calls {
		a, ok := m.streakAction(&calls[i])
		switch {
		case !ok:
		case a.text != "" || !a.adds && m.Of != Denials:
			actions = append(actions, a)
		default:
			for _, path := range calls[i].Paths {
				a.text = RelativeTo(root, path)
				matches := m.matches(a.text)
				if m.Of == Denials { // another tool makes another call
					a.text, a.tool = calls[i].Name+" "+a.text, ""
				}
				if matches {
					actions = append(actions, a)
				}
			}
		}
	}
	return actions
}

// addsTo reports whether an action adds to its streak. If certain, one without an outcome
// does not, and else it does.
func (a action) addsTo(certain bool) bool { return a.adds && (a.done || !certain) }

// endsStreak reports whether an action ends streaks. If certain, one without an outcome
// does, and else it does not.
func (a action) endsStreak(certain bool) bool { return a.ends && (a.done || certain) }

// endsOf reports whether an action that ends streaks ends that of a group.
func (m Measure) endsOf(a action, group string) bool {
	return m.Of != Failures && m.Of != Denials || m.group(a) == group
}

// standing returns the actions of the streaks that no later action of the window ended.
func (m Measure) standing(window []action, certain bool) []action {
	var kept []action
	for _, a := range window {
		if a.endsStreak(certain) {
			kept = slices.DeleteFunc(kept, func(k action) bool { return m.endsOf(a, m.group(k)) })
		} else if a.addsTo(certain) {
			kept = append(kept, a)
		}
	}
	return kept
}

// longest returns the length of the longest streak at the end of a window.
func (m Measure) longest(window []action, certain bool) int64 {
	sizes := map[string]int64{}
	longest := int64(0)
	for _, a := range m.standing(window, certain) {
		sizes[m.group(a)]++
		longest = max(longest, sizes[m.group(a)])
	}
	return longest
}

// streakHighs returns the record lengths of streaks after each instant with actions, at
// those that are fresh. Actions without a time follow each other.
func (m Measure) streakHighs(actions []action, certain bool) []high {
	streaks := map[string][]action{}
	var highs []high
	for i := 0; i < len(actions); {
		from := i
		for ; i == from || i < len(actions) && !actions[i].At.IsZero() && actions[i].At.Equal(actions[from].At); i++ {
			m.extend(streaks, actions[i], certain)
		}
		for j := i - 1; j >= from; j-- {
			a := actions[j]
			if !a.addsTo(certain) || !m.isFresh(a.Old) {
				continue
			}
			group := m.group(a)
			if n := int64(len(streaks[group])); n > last(highs).count {
				highs = append(highs, high{n, a.At, group, a.Place, i})
			}
		}
	}
	return highs
}

// extend adds an action to its streak, or ends those that it ends. What is older than the
// window is dropped.
func (m Measure) extend(streaks map[string][]action, a action, certain bool) {
	group := m.group(a)
	switch {
	case a.endsStreak(certain) && (m.Of == Failures || m.Of == Denials):
		delete(streaks, group)
	case a.endsStreak(certain):
		clear(streaks)
	case a.addsTo(certain):
		streaks[group] = append(streaks[group], a)
		if m.Within > 0 {
			oldest := a.At.Add(-m.Within)
			first := slices.IndexFunc(streaks[group], func(s action) bool { return !s.At.Before(oldest) })
			streaks[group] = streaks[group][first:]
		}
	}
}
