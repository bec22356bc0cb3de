package agentlog

import "github.com/rulecheck/rulecheck/internal/session"

// The journal of transitions of a state directory: each row enters a node.
func claimsStates(g glance) bool { return g.has("from_node", "to_node") }

// terminal are the nodes that end a workflow.
var terminal = map[string]bool{"done": true, "aborted": true}

func openStates(p *part, _ Options) func([]byte, int) bool {
	return func(row []byte, line int) bool {
		s := scanner{b: row}
		phase := session.Phase{Source: "states", Place: p.place(line)}
		s.object(func(key []byte) {
			switch string(key) {
			case "to_node":
				phase.Name = p.plain(s.string())
			case "mode":
				phase.Workflow = p.plain(s.string())
			case "workflow_id":
				phase.WorkflowID = p.plain(s.string())
			case "timestamp":
				phase.Start = instant(s.string())
			}
		})
		if !s.ends() {
			return false
		}
		if p.isPhase(phase) {
			phase.Terminal = terminal[phase.Name]
			p.Phases = append(p.Phases, phase)
		}
		return true
	}
}

// isPhase notes what a phase must have and has not.
func (p *part) isPhase(phase session.Phase) bool {
	switch {
	case phase.Name == "":
		p.note(session.WrongType, phase.Line, "a phase without a name", true)
	case phase.Start.IsZero():
		p.note(session.NoTime, phase.Line, "a phase without a readable start cannot be placed", true)
	default:
		p.saw(phase.Start)
		return true
	}
	return false
}

// The state of a workflow now: which session runs, and in which node.
func claimsState(g glance) bool {
	return g.has("session_metadata") || g.has("workflow_state") || g.has("cumulative_totals") || g.has("git_info") ||
		g.has("workflow") && !g.has("type") && !g.has("index")
}

func openState(p *part, _ Options) func([]byte, int) bool {
	return func(document []byte, line int) bool {
		s := scanner{b: document}
		var node session.Phase
		s.object(func(key []byte) {
			section := string(key)
			if s.peek() != '{' {
				return
			}
			s.object(func(key []byte) {
				switch section + " " + string(key) {
				case "session_metadata session_id":
					p.ID = p.plain(s.string())
				case "workflow current_node", "workflow_state current_node":
					node.Name = p.plain(s.string())
				case "workflow mode", "workflow_state mode":
					node.Workflow = p.plain(s.string())
				case "workflow workflow_id", "workflow_state workflow_id":
					node.WorkflowID = p.plain(s.string())
				case "workflow phase_start_time":
					node.Start = instant(s.string())
				case "git_info current_branch":
					p.GitBranch = p.plain(s.string())
				}
			})
		})
		if !s.ends() {
			return false
		}
		if p.ID != "" {
			p.ids[p.ID] = true
		}
		if node.Name != "" && !node.Start.IsZero() {
			node.Source, node.Terminal, node.Place = "state", terminal[node.Name], p.place(line)
			p.Phases = append(p.Phases, node)
		}
		return true
	}
}

// The journal of the commands that ran under guard. Each is a tool call of the
// agent's, too, of which the hook journal tells.
func claimsCommandLog(g glance) bool { return g.has("timestamp", "command", "args", "success") }

func openCommandLog(*part, Options) func([]byte, int) bool {
	return func(row []byte, _ int) bool { return glanceAt(row).whole }
}
