package rulecheck.behaviors.task_claim_tracking_test

import data.rulecheck.behaviors.task_claim_tracking as behavior

_with := {"server": "tasks", "claim": "claim_task", "update": ["update_task", "edit_task"], "create": "create_task", "close": "close_task"}

_call(tool, arguments, output, claimed) := {
	"mcp": {"server": "tasks", "tool": tool}, "tool_input": arguments, "tool_output": output, "succeeded": true, "failed": false,
	"with": _with,
	"vars": {"task_claimed": claimed != "", "claimed_task_id": claimed, "session_had_task": claimed != ""},
}

_claimed(id) := {"task_claimed": true, "claimed_task_id": id, "session_had_task": true}

_free := {"task_claimed": false, "claimed_task_id": ""}

test_claims_the_task_of_a_call if {
	updates := behavior.updates with input as _call("claim_task", {"task_id": "#1"}, {"result": {}}, "")
	updates == _claimed("#1")
}

test_prefers_the_id_of_the_result if {
	updates := behavior.updates with input as _call("claim_task", {"task_id": "#1"}, {"result": {"id": "u1"}}, "")
	updates == _claimed("u1")
}

test_claims_by_a_change_of_the_status if {
	updates := behavior.updates with input as _call("edit_task", {"task_id": "#1", "status": "in_progress"}, {"result": {}}, "")
	updates == _claimed("#1")
	other := behavior.updates with input as _call("update_task", {"task_id": "#1", "status": "closed"}, {"result": {}}, "")
	other == {}
}

test_claims_a_new_task_only_if_asked if {
	updates := behavior.updates with input as _call("create_task", {"claim": true}, {"result": {"id": "u2"}}, "")
	updates == _claimed("u2")
	other := behavior.updates with input as _call("create_task", {}, {"result": {"id": "u2"}}, "")
	other == {}
}

_unknown := {"tool_output": null, "succeeded": false}

test_claims_no_task_by_a_call_that_failed if {
	failed := {"succeeded": false, "failed": true}
	updates := behavior.updates with input as object.union(_call("claim_task", {"task_id": "#1"}, {"error": "busy"}, ""), failed)
	updates == {}
}

test_claims_without_a_result if {
	updates := behavior.updates with input as object.union(_call("claim_task", {"task_id": "#1"}, null, ""), _unknown)
	updates == _claimed("#1")
}

test_closes_only_with_a_result if {
	unknown := behavior.updates with input as object.union(_call("close_task", {"task_id": "#1"}, null, "#1"), _unknown)
	unknown == {}
	silent := behavior.updates with input as _call("close_task", {"task_id": "#1"}, null, "#1")
	silent == {}
}

test_ends_the_claim_of_a_closed_task if {
	updates := behavior.updates with input as _call("close_task", {"task_id": "#1"}, {"result": {"id": "u1"}}, "u1")
	updates == _free
	short := behavior.updates with input as _call("close_task", {"task_id": "#1"}, {"result": {}}, "u1")
	short == _free
}

test_keeps_the_claim_of_another_task if {
	updates := behavior.updates with input as _call("close_task", {"task_id": "#2"}, {"result": {"id": "u2"}}, "u1")
	updates == {}
}

test_ignores_other_servers if {
	updates := behavior.updates with input as object.union(
		_call("claim_task", {"task_id": "#1"}, {"result": {}}, ""),
		{"mcp": {"server": "other", "tool": "claim_task"}},
	)
	updates == {}
}
