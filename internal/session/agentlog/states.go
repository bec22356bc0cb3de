package agentlog

import (
	"github.com/rulecheck/rulecheck/internal/session"

	"github.com/rulecheck/rulecheck/internal/jsonscan"
)

// statesReader reads the journal of transitions of a state directory. Each row enters a
// node.
var statesReader = reader{
	name: "states", grouping: byDirectory, replaces: stateReader.name,
	claims: func(first firstRow) bool { return first.has("from_node", "to_node") },
	open:   openStates,
}

// terminal holds the nodes that end a workflow.
var terminal = map[string]bool{"done": true, "aborted": true}

func openStates(p *part, _ Options) func([]byte, int) bool {
	return func(row []byte, line int) bool {
		s := jsonscan.New(row)
		phase := session.Phase{Source: "states", Place: p.place(line)}
		s.Object(func(key []byte) {
			switch string(key) {
			case "to_node":
				phase.Name = valid(s.TextOrNil())
			case "mode":
				phase.Workflow = valid(s.TextOrNil())
			case "workflow_id":
				phase.WorkflowID = valid(s.TextOrNil())
			case "timestamp":
				phase.Start = instant(s.TextOrNil())
			}
		})
		if !s.AtEnd() {
			return false
		}
		if p.isPhase(phase) {
			phase.Terminal = terminal[phase.Name]
			p.Phases = append(p.Phases, phase)
		}
		return true
	}
}

// isPhase reports whether a phase has a name and a start, and notes what is missing.
func (p *part) isPhase(phase session.Phase) bool {
	switch {
	case phase.Name == "":
		p.note(session.WrongType, phase.Line, "a phase without a name", true)
	case phase.Start.IsZero():
		p.note(session.NoTime, phase.Line, "a phase without a readable start is ignored", true)
	default:
		p.extendSpan(phase.Start)
		return true
	}
	return false
}
