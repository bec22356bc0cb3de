package agentlog

import (
	"github.com/rulecheck/rulecheck/internal/session"

	"github.com/rulecheck/rulecheck/internal/jsonscan"
)

// stateReader reads the current state of a workflow: its session and its node.
var stateReader = reader{
	name: "state", document: true, grouping: byDirectory,
	claims: func(first firstRow) bool {
		return first.has("session_metadata") || first.has("workflow_state") || first.has("cumulative_totals") || first.has("git_info") ||
			first.has("workflow") && !first.has("type") && !first.has("index")
	},
	open: openState,
}

func openState(p *part, _ Options) func([]byte, int) bool {
	return func(document []byte, line int) bool {
		s := jsonscan.New(document)
		var node session.Phase
		s.Object(func(key []byte) {
			section := string(key)
			if s.Peek() != '{' {
				return
			}
			s.Object(func(key []byte) {
				switch section + " " + string(key) {
				case "session_metadata session_id":
					p.ID = valid(s.TextOrNil())
				case "workflow current_node", "workflow_state current_node":
					node.Name = valid(s.TextOrNil())
				case "workflow mode", "workflow_state mode":
					node.Workflow = valid(s.TextOrNil())
				case "workflow workflow_id", "workflow_state workflow_id":
					node.WorkflowID = valid(s.TextOrNil())
				case "workflow phase_start_time":
					node.Start = instant(s.TextOrNil())
				case "git_info current_branch":
					p.GitBranch = valid(s.TextOrNil())
				}
			})
		})
		if !s.AtEnd() {
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
