package agentlog

import (
	"cmp"
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// distinctMoves returns the moves without answers that name the phase a session is in
// already. If one is not known, none is: its phase would count for the one before.
func (p *part) distinctMoves() []record.Move {
	moves := p.Moves
	for _, m := range moves {
		if m.Answer != nil && m.Answer.Unknown {
			p.Diagnostics = append(p.Diagnostics, fact.Diagnostic{
				Place: m.Place, Code: fact.UnknownPhases, Count: 1,
				Message: "an answer of rulecheck workflow without --format json does not name its phase",
			})
			return slices.DeleteFunc(moves, func(m record.Move) bool { return m.Answer != nil })
		}
	}
	slices.SortStableFunc(moves, func(a, b record.Move) int { return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.Line, b.Line)) })
	var last record.Position
	return slices.DeleteFunc(moves, func(m record.Move) bool {
		if m.Answer == nil {
			return false
		}
		now := *m.Answer
		same := now.Run == last.Run && now.Phase == last.Phase && now.Status == last.Status && !now.Moved
		now.Moved = false
		last = now
		return same || m.Start.IsZero()
	})
}
