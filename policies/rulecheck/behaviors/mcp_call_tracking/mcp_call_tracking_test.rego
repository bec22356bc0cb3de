package rulecheck.behaviors.mcp_call_tracking_test

import data.rulecheck.behaviors.mcp_call_tracking as behavior

_none := {"mcp_calls": {}, "mcp_results": {}}

_event(failed, output, vars) := {
	"mcp": {"server": "s", "tool": "t"}, "succeeded": failed == false, "failed": failed, "tool_output": output, "vars": vars,
}

test_keeps_a_call_and_its_result if {
	updates := behavior.updates with input as _event(false, {"result": {"id": 7}}, _none)
	updates == {"mcp_calls": {"s": ["t"]}, "mcp_results": {"s": {"t": {"id": 7}}}}
}

test_lists_a_call_once_with_the_last_result if {
	before := {"mcp_calls": {"s": ["t"]}, "mcp_results": {"s": {"t": {"old": 1}, "u": 1}, "x": {"y": 2}}}
	updates := behavior.updates with input as _event(false, {"result": {"new": 2}}, before)
	updates == {"mcp_results": {"s": {"t": {"new": 2}, "u": 1}, "x": {"y": 2}}}
}

test_keeps_that_a_call_failed if {
	updates := behavior.updates with input as _event(true, {"error": "x"}, _none)
	updates == {"mcp_results": {"s": {"t": {"success": false, "error": "x"}}}}
}

test_takes_text_for_no_result if {
	updates := behavior.updates with input as _event(false, "done", _none)
	updates == {"mcp_calls": {"s": ["t"]}, "mcp_results": {"s": {"t": null}}}
}

test_keeps_the_success_of_a_large_result if {
	large := concat("", [x | some _ in split(sprintf("%9000d", [1]), ""); x := "x"])
	updates := behavior.updates with input as _event(false, {"result": {"text": large}}, _none)
	updates.mcp_results == {"s": {"t": {"success": true}}}
}

test_leaves_out_other_tools if {
	updates := behavior.updates with input as {
		"mcp": {"server": "", "tool": ""}, "failed": false, "tool_output": {"result": 1}, "vars": _none,
	}
	updates == {}
}

test_keeps_no_call_whose_outcome_is_unknown if {
	event := object.union(_event(false, null, _none), {"succeeded": false})
	updates := behavior.updates with input as event
	updates == {"mcp_results": {"s": {}}}
}
