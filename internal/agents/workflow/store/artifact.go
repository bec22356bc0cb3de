package store

import (
	"maps"
	"time"
)

// Artifact holds the results of a completed phase for later phases.
type Artifact struct {
	Phase    string         `json:"phase"`
	Evidence map[string]any `json:"evidence"` // all evidence given
	Outputs  map[string]any `json:"outputs"`  // the part that later phases receive
	Commands []string       `json:"commands"` // run during the visit
	Time     time.Time      `json:"time"`     // of the completion
}

// CommandsEvidence names the evidence that lists the commands of a visit. It
// counts only if no agent log shows them.
const CommandsEvidence = "commands"

// NewArtifact returns the artifact of a phase that was completed with evidence.
// Outputs names the evidence that later phases receive: all of it if empty; names
// without evidence are skipped. Commands are those seen during the visit, or those
// listed in the evidence if none were seen.
func NewArtifact(phase string, evidence map[string]any, outputs, commands []string, at time.Time) Artifact {
	a := Artifact{Phase: phase, Evidence: map[string]any{}, Outputs: map[string]any{}, Commands: append([]string{}, commands...), Time: at}
	maps.Copy(a.Evidence, evidence)
	if len(outputs) == 0 {
		maps.Copy(a.Outputs, evidence)
	}
	for _, name := range outputs {
		if value, ok := evidence[name]; ok {
			a.Outputs[name] = value
		}
	}
	if listed, ok := evidence[CommandsEvidence].([]any); ok && len(commands) == 0 {
		for _, item := range listed {
			if command, isText := item.(string); isText {
				a.Commands = append(a.Commands, command)
			}
		}
	}
	return a
}
