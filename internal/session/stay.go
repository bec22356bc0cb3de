package session

import (
	"slices"
	"time"
)

// Joined are several sessions as one, for what agents did together. It has the
// id, the agent and the place of the first of them.
func Joined(sessions []Session) Session {
	var all Session
	for i := range sessions {
		s := &sessions[i]
		if i == 0 {
			all = *s
			all.Phases = nil // each has its own
			all.Prompts, all.Calls, all.Tokens = slices.Clone(s.Prompts), slices.Clone(s.Calls), slices.Clone(s.Tokens)
			all.Sources, all.Diagnostics = slices.Clone(s.Sources), slices.Clone(s.Diagnostics)
			continue
		}
		all.Prompts, all.Calls, all.Tokens = append(all.Prompts, s.Prompts...), append(all.Calls, s.Calls...), append(all.Tokens, s.Tokens...)
		all.Sources, all.Diagnostics = append(all.Sources, s.Sources...), append(all.Diagnostics, s.Diagnostics...)
		all.TokensKnown = all.TokensKnown && s.TokensKnown
		if all.Start.IsZero() || !s.Start.IsZero() && s.Start.Before(all.Start) {
			all.Start = s.Start
		}
		if s.End.After(all.End) {
			all.End = s.End
		}
	}
	slices.SortStableFunc(all.Prompts, func(a, b Prompt) int { return a.At.Compare(b.At) })
	slices.SortStableFunc(all.Calls, func(a, b ToolCall) int { return a.At.Compare(b.At) })
	slices.SortStableFunc(all.Tokens, func(a, b Tokens) int { return a.At.Compare(b.At) })
	return all
}

// Stay is the open visit that began when the phase did and lasts until now, for
// a phase that the log itself does not tell of.
func (s *Session) Stay(index int, p Phase, now time.Time) Visit {
	return s.visit(index, &p, p.Start, now, true)
}
