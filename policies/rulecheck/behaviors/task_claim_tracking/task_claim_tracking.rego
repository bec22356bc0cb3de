# METADATA
# title: Claimed tasks
# description: >-
#   Sets `task_claimed`, `claimed_task_id` and `session_had_task` by calls of an MCP
#   server for tasks that did not fail: a tool in `claim`, one in `update` with the
#   status `in_progress`, or one in `create` with `claim: true`. A tool in `close` that
#   succeeded ends the claim of that task; if the agent passes no result, the claim
#   stays. The id is that of the result, else the one in the call.
# custom:
#   events: [after_tool]
#   params:
#     server: {type: string, default: gobby-tasks}
#     claim: {type: strings, default: claim_task}
#     update: {type: strings, default: update_task}
#     create: {type: strings, default: create_task}
#     close: {type: strings, default: close_task}
#   vars: {task_claimed: false, claimed_task_id: "", session_had_task: false}
package rulecheck.behaviors.task_claim_tracking

# METADATA
# description: The variables after a call that claims a task or ends a claim.
updates["task_claimed"] if {
	_claims
} else := false if {
	_ends
}

updates["claimed_task_id"] := _id if {
	_claims
} else := "" if {
	_ends
}

updates["session_had_task"] if _claims

_claims if {
	not input.failed
	_is(input.with.claim)
	_id != ""
}

_claims if {
	not input.failed
	_is(input.with.update)
	_arguments.status == "in_progress"
	_id != ""
}

_claims if {
	not input.failed
	_is(input.with.create)
	_arguments.claim == true
	_id != ""
}

# A short reference and a full id cannot be compared, so they may be the same task.
# Without a result, nothing shows that the task was closed.
_ends if {
	input.succeeded
	input.tool_output != null
	_is(input.with.close)
	not _other
}

_other if {
	not input.vars.claimed_task_id in _ids
	some id in _ids
	_short(id) == _short(input.vars.claimed_task_id)
}

_short(id) := startswith(id, "#")

_is(tools) if {
	input.mcp.server == input.with.server
	input.mcp.tool == tools
}

_is(tools) if {
	input.mcp.server == input.with.server
	input.mcp.tool in tools
}

_arguments := input.tool_input

default _id := ""

_id := input.tool_output.result.id if {
	is_string(input.tool_output.result.id)
} else := input.tool_output.id if {
	is_string(input.tool_output.id)
} else := _arguments.task_id if {
	is_string(_arguments.task_id)
}

_ids := {id | some id in [_id, _arguments.task_id]; is_string(id)}
