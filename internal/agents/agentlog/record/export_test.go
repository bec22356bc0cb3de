package record

import "github.com/rulecheck/rulecheck/internal/fact"

// EachTool calls f with every row of the table of tools.
func EachTool(f func(agent string, kind fact.Kind, names string)) {
	for _, row := range toolNames {
		f(row.agent, row.kind, row.names)
	}
}
