package record

import "github.com/rulecheck/rulecheck/internal/agents/session"

// EachTool calls f with every row of the table of tools.
func EachTool(f func(agent string, kind session.Kind, names string)) {
	for _, row := range toolNames {
		f(row.agent, row.kind, row.names)
	}
}
