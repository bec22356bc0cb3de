package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/session"
	"github.com/rulecheck/rulecheck/internal/session/agentlog"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// CheckToolRule returns what is wrong with a rule about tool calls that loads: it would
// refuse every call, or none. It is empty for a rule that is right.
func CheckToolRule(r *Rule) string {
	given := func(name string) bool {
		_, ok := r.Params["tool."+name]
		return ok
	}
	names := func(name string) []string {
		switch v := r.Params["tool."+name].(type) {
		case string:
			return []string{v}
		case []string:
			return v
		}
		return nil
	}
	named := given("tools") || given("mcp_tools")
	aboutCommands := given("command_pattern") || given("command_not_pattern")
	if !named && !aboutCommands && !given("paths") && r.When == nil && len(r.Phases)+len(r.Agents) == 0 {
		return `blocks every tool; want "tools", "mcp_tools", "command_pattern", "paths" or "when"`
	}
	tools := names("tools")
	runs := func(tool string) bool {
		kind, known := agentlog.KindOf(tool)
		return !known || kind == session.Command || kind == session.MCP
	}
	if aboutCommands && len(tools) > 0 && !given("mcp_tools") && !slices.ContainsFunc(tools, runs) {
		return fmt.Sprintf(`"command_pattern" is for tools that run commands, and %s run none; want a tool such as "Bash", or "paths"`, suggest.Quoted(tools))
	}
	return ""
}

// gobbyKeys are the keys of rules that block tools in other programs' files, with the
// rewrite.
var gobbyKeys = map[string]string{
	"block_tools":       `want "tool: {tools: [Edit, Write], effect: deny}", with the reason below the frontmatter`,
	"blocked_tools":     `want "tool_rules: [{tools: [Edit, Write], reason: …}]"`,
	"blocked_mcp_tools": `want "tool_rules: [{mcp_tools: [\"server:tool\"], reason: …}]"`,
	"blocked_commands":  `want "tool_rules: [{command_pattern: …, reason: …}]"`,
}

// rewriteOf returns the rewrite of a key that other programs have; empty for any other.
func rewriteOf(key string) string {
	if rewrite := gobbyKeys[strings.ToLower(key)]; rewrite != "" {
		return "; " + rewrite
	}
	return ""
}
