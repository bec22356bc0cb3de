// Package statedir reads the files of state directories: transitions, the current state,
// archives of workflows, and commands.
//
// Source: no page describes the files. They are those of archives from 2025 and 2026; the
// package testdata of agentlog has samples.
package statedir

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/agentlog/record"
	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
	"github.com/rulecheck/rulecheck/internal/agents/session"
)

// States reads the journal of transitions of a state directory. Each row enters a
// node.
var States = record.Rows{
	Format: "states",
	Begins: func(first record.First) bool { return first.Has("from_node", "to_node") },
	Open:   openStates,
}

func openStates(l *record.Log) func([]byte, int) bool {
	l.Grouping = record.ByDirectory
	return func(row []byte, line int) bool {
		s := jsonscan.New(row)
		phase := session.Phase{Source: "states", Place: l.Place(line)}
		s.Object(func(key []byte) {
			switch string(key) {
			case "to_node":
				phase.Name = record.Valid(s.TextOrNil())
			case "mode":
				phase.Workflow = record.Valid(s.TextOrNil())
			case "workflow_id":
				phase.WorkflowID = record.Valid(s.TextOrNil())
			case "timestamp":
				phase.Start = record.Instant(s.TextOrNil())
			}
		})
		if !s.AtEnd() {
			return false
		}
		if l.IsPhase(phase) {
			phase.Terminal = record.Terminal[phase.Name]
			l.Phases = append(l.Phases, phase)
		}
		return true
	}
}

// DropState drops the phases of the current state from those of a session that has the
// journal of transitions, which enters them, too.
func DropState(phases []session.Phase) []session.Phase {
	if !slices.ContainsFunc(phases, func(f session.Phase) bool { return f.Source == "states" }) {
		return phases
	}
	return slices.DeleteFunc(phases, func(f session.Phase) bool { return f.Source == "state" })
}
