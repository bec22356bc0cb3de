package agentlog

import (
	"github.com/rulecheck/rulecheck/internal/session"

	"github.com/rulecheck/rulecheck/internal/jsonscan"
)

// PhaseSignal names a tool whose calls enter a phase, and the field of its input that
// holds the phase's name.
type PhaseSignal struct {
	Tool  string
	Field string
}

// move is a call that enters a phase unless it fails.
type move struct {
	session.Phase

	call fingerprint
}

// addMove adds the move that a call makes if its tool is a signal.
func (p *part) addMove(o Options, c *session.ToolCall, call fingerprint, input []byte) {
	for _, signal := range o.PhaseSignals {
		if signal.Tool != c.Name || c.At.IsZero() {
			continue
		}
		s := jsonscan.New(input)
		if s.Peek() != '{' {
			continue
		}
		s.Object(func(key []byte) {
			if string(key) != signal.Field {
				return
			}
			if text, ok := s.Text(); ok && len(text) > 0 {
				p.moves = append(p.moves, move{session.Phase{Name: p.intern(text), Start: c.At, Source: c.Name, Place: c.Place}, call})
			}
		})
	}
}
