package rulecheck.behaviors.commits_test

import data.rulecheck.behaviors.commits as behavior

_edit(failed) := {"event": "after_tool", "tool_kind": "file_edit", "failed": failed, "succeeded": false, "command": {"commands": []}}

_run(name, subcommand, succeeded) := {
	"event": "after_tool", "tool_kind": "command", "failed": false, "succeeded": succeeded,
	"command": {"commands": [{"name": name, "subcommand": subcommand}]},
}

test_an_edit_is_not_committed if {
	updates := behavior.updates with input as _edit(false)
	updates == {"uncommitted": true}
	failed := behavior.updates with input as _edit(true)
	failed == {}
}

test_a_commit_ends_it if {
	updates := behavior.updates with input as _run("git", "commit", true)
	updates == {"uncommitted": false}
}

test_other_outcomes_and_commands_change_nothing if {
	unknown := behavior.updates with input as _run("git", "commit", false)
	unknown == {}
	other := behavior.updates with input as _run("git", "push", true)
	other == {}
}
