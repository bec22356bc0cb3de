# METADATA
# title: Calls of MCP tools
# description: >-
#   Keeps which tools of MCP servers were called in the phase and what they returned,
#   for `lib.mcp_called`, `lib.mcp_failed`, `lib.mcp_result_is_null` and
#   `lib.mcp_result_has`. A failed call is not among the calls; its result has
#   `success: false`. Of results with more than 8,000 characters only the success is kept.
# custom:
#   events: [after_tool]
#   vars: {mcp_calls: {}, mcp_results: {}}
#   visit: true
package rulecheck.behaviors.mcp_call_tracking

_server := input.mcp.server

_tool := input.mcp.tool

_called if {
	_server != ""
	_tool != ""
}

_calls := object.get(input.vars.mcp_calls, _server, [])

_results := object.get(input.vars.mcp_results, _server, {})

# METADATA
# description: The calls and results after one more call.
updates["mcp_calls"] := object.union(input.vars.mcp_calls, {_server: array.concat(_calls, [_tool])}) if {
	_called
	input.succeeded
	not _tool in _calls
}

updates["mcp_results"] := object.union(_others, {_server: object.union(_other_results, {_tool: _result})}) if {
	_called
} else := object.union(_others, {_server: _other_results}) if {
	_called
}

# A call whose outcome is unknown has no result, and neither has the tool any longer.
_other_results := object.remove(_results, [_tool])

# Unions merge objects, and the result before must not show in the new one.
_others := object.remove(input.vars.mcp_results, [_server])

_result := {"success": false, "error": _error} if input.failed

_result := {"success": true} if {
	input.succeeded
	not _kept
}

_result := _value if {
	input.succeeded
	_kept
}

_kept if count(json.marshal(_value)) <= 8000

default _value := null

_value := input.tool_output.result if {
	is_object(input.tool_output)
} else := input.tool_output if {
	not is_string(input.tool_output)
}

default _error := true

_error := substring(input.tool_output.error, 0, 500) if is_string(input.tool_output.error)
