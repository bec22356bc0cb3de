package session

import "slices"

// Merge joins sessions of agents that worked together into one, without their phases. It
// has the id, agent and directory of the first.
func Merge(sessions []Session) Session {
	var merged Session
	for i := range sessions {
		s := &sessions[i]
		if i == 0 {
			merged = *s
			merged.Phases = nil // each session has its own
			merged.Prompts, merged.Calls, merged.Tokens = slices.Clone(s.Prompts), slices.Clone(s.Calls), slices.Clone(s.Tokens)
			merged.Sources, merged.Diagnostics = slices.Clone(s.Sources), slices.Clone(s.Diagnostics)
			continue
		}
		merged.Prompts = append(merged.Prompts, s.Prompts...)
		merged.Calls = append(merged.Calls, s.Calls...)
		merged.Tokens = append(merged.Tokens, s.Tokens...)
		merged.Sources = append(merged.Sources, s.Sources...)
		merged.Diagnostics = append(merged.Diagnostics, s.Diagnostics...)
		merged.TokensKnown = merged.TokensKnown && s.TokensKnown
		if merged.Start.IsZero() || !s.Start.IsZero() && s.Start.Before(merged.Start) {
			merged.Start = s.Start
		}
		if s.End.After(merged.End) {
			merged.End = s.End
		}
	}
	slices.SortStableFunc(merged.Prompts, func(a, b Prompt) int { return a.At.Compare(b.At) })
	slices.SortStableFunc(merged.Calls, func(a, b ToolCall) int { return a.At.Compare(b.At) })
	slices.SortStableFunc(merged.Tokens, func(a, b Tokens) int { return a.At.Compare(b.At) })
	return merged
}
