package phase

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/condition"
)

// variables returns the values of all variables: of the log what it records, else those of
// the given facts, else the workflow's initial ones. If endsOnly is set, mcp_results holds
// only whether calls succeeded. Contradicted describes the given facts that the log
// contradicts: what was observed counts, and a caller must not replace it.
func (n *Runner) variables(begin map[string]any, l *visitLog) (vars map[string]any, endsOnly bool, contradicted []string) {
	vars = maps.Clone(begin)
	if vars == nil {
		vars = map[string]any{}
	}
	maps.Copy(vars, n.options.Facts)
	if l == nil || !l.found {
		return vars, false, nil
	}
	observed := l.mcp()
	maps.Copy(vars, observed)
	differs := func(what string, given, seen any) {
		contradicted = append(contradicted, fmt.Sprintf("--facts: %s is %s, but the log of this visit shows %s, which counts", what, jsonOf(given), jsonOf(seen)))
	}
	if given, ok := n.options.Facts[condition.VarMCPCalls]; ok {
		if seen := observed[condition.VarMCPCalls]; sortedCalls(given) != sortedCalls(seen) {
			differs(condition.VarMCPCalls, given, seen)
		}
	}
	given, ok := n.options.Facts[condition.VarMCPResults]
	if !ok {
		return vars, true, contradicted
	}
	results, _ := observed[condition.VarMCPResults].(map[string]any)
	servers, _ := given.(map[string]any)
	for _, server := range slices.Sorted(maps.Keys(servers)) {
		tools, _ := servers[server].(map[string]any)
		ended, _ := results[server].(map[string]any)
		for _, tool := range slices.Sorted(maps.Keys(tools)) {
			what := strings.Join([]string{condition.VarMCPResults, server, tool}, ".")
			seen, called := ended[tool].(map[string]any)
			if !called {
				differs(what, tools[tool], nil)
				continue
			}
			result, isObject := tools[tool].(map[string]any)
			if success, given := result["success"]; given && success != seen["success"] {
				differs(what+".success", success, seen["success"])
			}
			if isObject { // the log does not record what a call returned
				result = maps.Clone(result)
				result["success"] = seen["success"]
				ended[tool] = result
			} else if seen["success"] == true {
				ended[tool] = tools[tool]
			}
		}
	}
	return vars, false, contradicted
}

// sortedCalls returns the calls by server in a form that is the same in any order.
func sortedCalls(calls any) string {
	servers, ok := calls.(map[string]any)
	if !ok {
		return jsonOf(calls)
	}
	sorted := map[string][]string{}
	for server, tools := range servers {
		list, _ := tools.([]any)
		for _, tool := range list {
			sorted[server] = append(sorted[server], jsonOf(tool))
		}
		slices.Sort(sorted[server])
	}
	return jsonOf(sorted)
}
