package rule

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// CheckToolRule returns what is wrong with a rule about tool calls that loads: it would
// refuse every call, or none. It is empty for a rule that is right.
func CheckToolRule(r *Rule) string {
	given := func(name string) bool {
		_, ok := r.Params[toolMode+"."+name]
		return ok
	}
	named := given("tools") || given("kind") || given("mcp_tools")
	if !named && !given("command_pattern") && !given("command_not_pattern") && !given("paths") && !r.Conditional() && len(r.Phases)+len(r.Agents) == 0 {
		return `blocks every tool; want "tools", "kind", "mcp_tools", "command_pattern", "paths" or "when"`
	}
	return ""
}

// reasonKey is the key of a tool rule in a workflow for the message to the agent.
const reasonKey = "reason"

// toolMode is the mode for tool calls. A definition in a workflow may have its keys without
// the mode, as in tool_rules.
const toolMode = "tool"

// nestToolRule returns a definition in the form of rule files: keys of a tool rule in
// the mapping of the mode, and the reason as the body. The effect is deny by default.
func (d definer) nestToolRule(n *yaml.Node) (nested *yaml.Node, short bool) {
	params := d.tables.modes.Of(toolMode).Params
	isKey := func(e yaml.Entry) bool {
		return slices.ContainsFunc(params, func(p policies.Param) bool { return p.Name == toolMode+"."+e.Name })
	}
	isShort := func(e yaml.Entry) bool { return e.Name == reasonKey || isKey(e) }
	hasMode := func(e yaml.Entry) bool { return d.tables.modes.Has(e.Name) }
	if !d.tables.modes.Of(toolMode).Tool() || slices.ContainsFunc(n.Entries, hasMode) || !slices.ContainsFunc(n.Entries, isShort) {
		return n, false
	}
	mode := &yaml.Node{Kind: yaml.Mapping, At: n.At}
	nested = &yaml.Node{Kind: yaml.Mapping, At: n.At, Entries: []yaml.Entry{{Name: toolMode, At: n.At, Value: mode}}}
	for _, e := range n.Entries {
		switch {
		case e.Name == reasonKey && n.Find(bodyKey) == nil:
			e.Name = bodyKey
			nested.Entries = append(nested.Entries, e)
		case isKey(e):
			mode.Entries = append(mode.Entries, e)
		default:
			nested.Entries = append(nested.Entries, e)
		}
	}
	if n.Find("effect") == nil {
		mode.Entries = append(mode.Entries, yaml.Entry{Name: "effect", At: n.At, Value: &yaml.Node{Kind: yaml.Text, Text: "deny", At: n.At}})
	}
	return nested, true
}

// gobbyKeys are the keys of rules that block tools in other programs' files, with the
// rewrite.
var gobbyKeys = map[string]string{
	"block_tools":       `want "tool: {tools: [Edit, Write], effect: deny}", with the reason below the frontmatter`,
	"blocked_tools":     `want "tool_rules: [{tools: [Edit, Write], reason: …}]"`,
	"blocked_mcp_tools": `want "tool_rules: [{mcp_tools: [\"server:tool\"], reason: …}]"`,
	"blocked_commands":  `want "tool_rules: [{command_pattern: …, reason: …}]"`,
	"allowed_tools":     `want "tool_rules: [{when: not tool_name in {\"Read\"}, reason: …}]"`,
	"allowed_mcp_tools": `want "tool_rules: [{when: mcp.server == \"server\" and not mcp.tool in {\"tool\"}, reason: …}]"`,
	"message":           `want "reason"`,
	"steps":             `want "phases"`,
	"variables":         `want "vars"`,
	"exit_condition":    `want "exit_when" in a phase`,
	"on_mcp_success":    `want an observer with "match: {mcp_server: …, mcp_tool: …}"`,
	"on_mcp_error":      `want an observer with the behavior mcp_call_tracking, and lib.mcp_failed in conditions`,
	"on_enter":          `want the text in "prompt"`,
	"triggers":          `want "tool_rules" and "observers"`,
	"on_before_tool":    `want "tool_rules"`,
	"on_after_tool":     `want "observers"`,
}

// rewriteOf returns the rewrite of a key that other programs have; empty for any other.
func rewriteOf(key string) string {
	if rewrite := gobbyKeys[strings.ToLower(key)]; rewrite != "" {
		return "; " + rewrite
	}
	return ""
}
