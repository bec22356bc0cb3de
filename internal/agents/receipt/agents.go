package receipt

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/session"
)

// agentFacts decide how the calls of an agent are found in its journal.
type agentFacts struct {
	// sequential is true if hooks run one after the other, in the order of the calls.
	sequential bool
	// trusted is true if the agent skips hooks that its user does not trust.
	trusted bool
	// opaque are the tools that fire no hook.
	opaque []string
}

// agents is the table of agents that differ from the others.
var agents = map[string]agentFacts{
	"codex":  {trusted: true, opaque: []string{"write_stdin", "exec"}},
	"gemini": {sequential: true},
}

// isOpaque reports whether no hook shows what a call does.
func isOpaque(agent string, c *session.ToolCall) bool {
	return slices.Contains(agents[agent].opaque, c.Name)
}
