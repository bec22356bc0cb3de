package rulecheck.behaviors.test_runs_test

import data.rulecheck.behaviors.test_runs as behavior

_edit(failed) := {"event": "after_tool", "tool_kind": "file_edit", "failed": failed, "succeeded": false, "command": {"commands": []}}

_run(text, succeeded) := {
	"event": "after_tool", "tool_kind": "command", "failed": false, "succeeded": succeeded,
	"command": {"commands": [{"text": text}]}, "with": {"pattern": "^make test"},
}

test_an_edit_is_untested if {
	updates := behavior.updates with input as _edit(false)
	updates == {"untested": true}
	failed := behavior.updates with input as _edit(true)
	failed == {}
}

test_tests_that_succeed_end_it if {
	updates := behavior.updates with input as _run("make test", true)
	updates == {"untested": false}
}

test_other_outcomes_and_commands_change_nothing if {
	unknown := behavior.updates with input as _run("make test", false)
	unknown == {}
	other := behavior.updates with input as _run("make lint", true)
	other == {}
}
