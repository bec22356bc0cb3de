package agentlog

import "github.com/rulecheck/rulecheck/internal/session"

// A PhaseSignal names a tool whose call moves to a phase, and the field of its
// input that holds the phase's name.
type PhaseSignal struct {
	Tool  string
	Field string
}

// A move is a call that may have begun a phase: it did unless it failed.
type move struct {
	session.Phase

	call string
}

func (p *part) phase(o Options, c *session.ToolCall, input []byte) {
	for _, signal := range o.PhaseSignals {
		if signal.Tool != c.Name || c.At.IsZero() {
			continue
		}
		s := scanner{b: input}
		if s.peek() != '{' {
			continue
		}
		s.object(func(key []byte) {
			if string(key) != signal.Field {
				return
			}
			if text, ok := s.text(); ok && len(text) > 0 {
				p.moves = append(p.moves, move{session.Phase{Name: p.word(text), Start: c.At, Source: c.Name, Place: c.Place}, c.ID})
			}
		})
	}
}
