package store

import (
	"maps"
	"time"
)

// Artifact is what a completed phase leaves to those after it.
type Artifact struct {
	Phase    string         `json:"phase"`
	Evidence map[string]any `json:"evidence"` // all that was shown
	Outputs  map[string]any `json:"outputs"`  // what later phases receive of it
	Commands []string       `json:"commands"` // that were run during the visit
	Time     time.Time      `json:"time"`     // of the completion
}

// evidenceCommands is the piece of evidence that tells the commands of a visit
// where nobody else has seen them.
const evidenceCommands = "commands"

// NewArtifact makes the artifact of a phase that was passed with evidence.
// Outputs are the names of the evidence that later phases receive: all of it if
// there are none; one that was optional and not shown is left out. Commands are
// those seen during the visit; if there are none, those that the evidence tells.
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
	if told, ok := evidence[evidenceCommands].([]any); ok && len(commands) == 0 {
		for _, item := range told {
			if command, isText := item.(string); isText {
				a.Commands = append(a.Commands, command)
			}
		}
	}
	return a
}
