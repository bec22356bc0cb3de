package statedir

import (
	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
)

// State reads the current state of a workflow: its session and its node.
var State = record.Document{Rows: record.Rows{
	Format: "state",
	Begins: func(first record.First) bool {
		return first.Has("session_metadata") || first.Has("workflow_state") || first.Has("cumulative_totals") || first.Has("git_info") ||
			first.Has("workflow") && !first.Has("type") && !first.Has("index")
	},
	Open: openState,
}}

func openState(l *record.Log) func([]byte, int) bool {
	l.Grouping = record.ByDirectory
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
					l.ID = record.Valid(s.TextOrNil())
				case "workflow current_node", "workflow_state current_node":
					node.Name = record.Valid(s.TextOrNil())
				case "workflow mode", "workflow_state mode":
					node.Workflow = record.Valid(s.TextOrNil())
				case "workflow workflow_id", "workflow_state workflow_id":
					node.WorkflowID = record.Valid(s.TextOrNil())
				case "workflow phase_start_time":
					node.Start = record.Instant(s.TextOrNil())
				case "git_info current_branch":
					l.GitBranch = record.Valid(s.TextOrNil())
				}
			})
		})
		if !s.AtEnd() {
			return false
		}
		if l.ID != "" {
			l.IDs[l.ID] = true
		}
		if node.Name != "" && !node.Start.IsZero() {
			node.Source, node.Terminal, node.Place = "state", record.Terminal[node.Name], l.Place(line)
			l.Phases = append(l.Phases, node)
		}
		return true
	}
}
