package toolcall

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/profile"
	"github.com/rulecheck/rulecheck/internal/fact"
	"github.com/rulecheck/rulecheck/internal/rule"
)

// Reaches reports whether a rule is about a call that an agent can make, by the names of its tools.
// Those of MCP servers are not known.
func Reaches(r *rule.Rule, p profile.Profile) (bool, error) {
	c, err := compile(r)
	if err != nil {
		return false, err
	}
	if len(c.mcpTools) > 0 || slices.Contains(c.kinds, fact.MCP) {
		return true, nil
	}
	return slices.ContainsFunc(p.ToolNames(), func(name string) bool {
		call := Call{Agent: p.Name, Tool: name}
		f := read(call)
		switch _, paths := c.Params[param("paths")]; {
		case !c.names(call, f):
			return false
		case (c.command != nil || c.not != nil) && f.kind != fact.Command:
			return false
		default:
			return !paths || f.kind == fact.Command || f.kind == fact.FileEdit
		}
	}), nil
}
