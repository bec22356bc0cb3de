package session

import (
	"cmp"
	"slices"
	"strings"
)

// doubts say why the count of a visit may be too low.
func (s *Session) doubts(m Measure, unsettled bool) string {
	if m.Of == "" {
		return ""
	}
	var why []string
	if m.Of == TokenSum && !s.TokensKnown {
		why = append(why, "the log does not say which tokens were used")
	}
	if unsettled {
		why = append(why, "the log does not say of some "+string(m.Of)+" whether they were made")
	}
	if s.untimed(m) {
		why = append(why, string(m.Of)+" without a readable time")
	}
	for _, d := range s.Diagnostics {
		if d.Loss && !m.unaffected(d.Code) {
			why = append(why, d.Message)
		}
	}
	return reasons(why...)
}

// unsettled says that more would have been counted, had all been done of which
// the log does not say whether it was.
func (m Measure) unsettled(deeds []deed, count int64) bool {
	return slices.ContainsFunc(deeds, func(d deed) bool { return !d.sure }) && last(m.highs(deeds, false)).count > count
}

// unaffected says that a diagnostic of this kind hides nothing that is counted.
// Events without a time are looked at themselves.
func (m Measure) unaffected(code Code) bool {
	return code == NoTime || code == Opaque && m.Of != Commands && m.Of != Edits
}

// untimed says that events without a time, which are in no visit, would count.
func (s *Session) untimed(m Measure) bool {
	if m.Of == TokenSum {
		return len(s.Tokens) > 0 && s.Tokens[0].At.IsZero()
	}
	for i := range s.Calls {
		if !s.Calls[i].At.IsZero() {
			break
		}
		if len(m.deeds(s.Calls[i:i+1], cmp.Or(m.Root, s.Cwd))) > 0 {
			return true
		}
	}
	return false
}

// reasons are put into one text, each once.
func reasons(why ...string) string {
	var said []string
	for _, w := range why {
		if w != "" && !slices.Contains(said, w) {
			said = append(said, w)
		}
	}
	return strings.Join(said, "; ")
}
