package phase

import (
	"maps"
	"slices"

	"github.com/rulecheck/rulecheck/internal/condition"
)

// merged adds to the calls that hooks saw those that only the log records. endsOnly is
// true if the log has a call whose result is unknown.
func merged(initial, tracked, given map[string]any, l *visitLog) (vars map[string]any, endsOnly bool) {
	vars = map[string]any{}
	for _, values := range []map[string]any{initial, given, tracked} {
		maps.Copy(vars, values)
	}
	if l == nil || !l.found {
		return vars, false
	}
	observed := l.mcp()
	calls, results := map[string]any{}, map[string]any{}
	for _, of := range []map[string]any{observed, tracked} {
		servers, _ := of[condition.VarMCPCalls].(map[string]any)
		for server, list := range servers {
			all, _ := calls[server].([]any)
			more, _ := list.([]any)
			for _, tool := range more {
				if !slices.Contains(all, tool) {
					all = append(all, tool)
				}
			}
			calls[server] = all
		}
		servers, _ = of[condition.VarMCPResults].(map[string]any)
		for server, list := range servers {
			all, _ := results[server].(map[string]any)
			more, _ := list.(map[string]any)
			all = maps.Clone(all)
			if all == nil {
				all = map[string]any{}
			}
			maps.Copy(all, more)
			results[server] = all
		}
	}
	ended, _ := observed[condition.VarMCPResults].(map[string]any)
	whole, _ := tracked[condition.VarMCPResults].(map[string]any)
	for server, list := range ended {
		seen, _ := whole[server].(map[string]any)
		tools, _ := list.(map[string]any)
		for tool := range tools {
			_, ok := seen[tool]
			endsOnly = endsOnly || !ok
		}
	}
	vars[condition.VarMCPCalls], vars[condition.VarMCPResults] = calls, results
	return vars, endsOnly
}
