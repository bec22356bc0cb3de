# METADATA
# title: Results of an agent's calls of MCP tools
# description: Reads the variables of call tracking, by server and tool.
package rulecheck.lib

# METADATA
# description: Whether the tool was called and not denied.
mcp_called(server, tool) if tool in input.vars.mcp_calls[server]

# METADATA
# description: Whether the tool's last result is a failure.
# scope: document
mcp_failed(server, tool) if input.vars.mcp_results[server][tool].success == false

mcp_failed(server, tool) if {
	error := input.vars.mcp_results[server][tool].error
	not error in {null, "", false}
}

mcp_failed(server, tool) if input.vars.mcp_results[server][tool].status in {"error", "failed"}

# METADATA
# description: Whether the tool has no result, or an empty one.
# scope: document
mcp_result_is_null(server, tool) if not input.vars.mcp_results[server][tool]

mcp_result_is_null(server, tool) if input.vars.mcp_results[server][tool] == null

# METADATA
# description: Whether the tool's last result has the field with the value.
mcp_result_has(server, tool, field, value) if input.vars.mcp_results[server][tool][field] == value
