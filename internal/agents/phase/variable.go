package phase

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/workflow"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/variables"
	"github.com/rulecheck/rulecheck/internal/condition"
)

// knownVars holds the values of variables.
type knownVars struct {
	vars map[string]any
	set  map[string]any // those that have more than their initial values
	// endsOnly is true if mcp_results holds only whether calls succeeded.
	endsOnly bool
	// contradicted describes the given facts that hooks or the log contradict.
	contradicted []string
}

// variablesOf returns the values of all variables in a session: those that hooks of agents
// set, then of the log what it records, then the given facts, else the workflow's initial
// ones.
func (n *Runner) variablesOf(d *workflow.Definition, s *store.Run, l *visitLog) (knownVars, error) {
	state, err := variables.New(n.options.GitDir).Load(s.ID)
	if err != nil {
		return knownVars{}, err
	}
	initial := maps.Clone(d.Vars)
	tracked := state.Set(variables.Visit(s.Phase, s.EnteredAt))
	maps.DeleteFunc(tracked, func(name string, _ any) bool { _, declared := d.Vars[name]; return !declared })
	_, calls := tracked[condition.VarMCPCalls]
	_, results := tracked[condition.VarMCPResults]
	if !calls && !results && !n.hooked(s.EnteredAt) { // no hook would have seen a call
		delete(initial, condition.VarMCPCalls)
		delete(initial, condition.VarMCPResults)
	}
	k := knownVars{set: maps.Clone(tracked)}
	if calls || results {
		k.vars, k.endsOnly = merged(initial, tracked, n.options.Facts, l)
	} else {
		k.vars, k.endsOnly, k.contradicted = n.variables(initial, l)
	}
	for _, name := range slices.Sorted(maps.Keys(tracked)) {
		if given, ok := n.options.Facts[name]; ok && jsonOf(given) != jsonOf(tracked[name]) {
			k.contradicted = append(k.contradicted, fmt.Sprintf("--facts: vars.%s is %s, but the hooks of this session recorded %s, which counts", name, jsonOf(given), jsonOf(tracked[name])))
		}
		if name != condition.VarMCPCalls && name != condition.VarMCPResults {
			k.vars[name] = tracked[name]
		}
	}
	for name, value := range n.options.Facts {
		if k.set[name] == nil {
			k.set[name] = value
		}
	}
	return k, nil
}

// hooked reports whether a hook of an agent ran since an instant.
func (n *Runner) hooked(since time.Time) bool {
	entries, _ := os.ReadDir(hook.JournalDir(n.options.GitDir)) // none if it cannot be read
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		info, err := e.Info()
		return err == nil && strings.HasSuffix(e.Name(), ".ndjson") && !info.ModTime().Before(since.Truncate(time.Second))
	})
}

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
