package rulecheck.behaviors.detect_plan_mode_test

import data.rulecheck.behaviors.detect_plan_mode as behavior

_prompt(text) := {"event": "before_agent", "permission_mode": "", "source": "", "tool_name": "", "failed": false, "prompt": text}

_tool(name, failed) := {
	"event": "after_tool", "permission_mode": "", "source": "", "tool_name": name, "failed": failed, "prompt": "",
}

test_believes_the_permission_mode if {
	updates := behavior.updates with input as object.union(_prompt("<system-reminder>Exited Plan Mode</system-reminder>"), {"permission_mode": "plan"})
	updates == {"plan_mode": true}
	other := behavior.updates with input as object.union(_prompt(""), {"permission_mode": "default"})
	other == {"plan_mode": false}
}

test_reads_reminders_in_prompts if {
	updates := behavior.updates with input as _prompt("hi <system-reminder>Plan mode is active</system-reminder>")
	updates == {"plan_mode": true}
	left := behavior.updates with input as _prompt("<system-reminder>\nExited Plan Mode\n</system-reminder>")
	left == {"plan_mode": false}
}

test_takes_active_before_left if {
	updates := behavior.updates with input as _prompt("<system-reminder>Exited Plan Mode. You are in plan mode</system-reminder>")
	updates == {"plan_mode": true}
}

test_ignores_words_of_the_user if {
	updates := behavior.updates with input as _prompt("Plan mode is active, right?")
	updates == {}
}

test_ignores_quoted_conversations if {
	updates := behavior.updates with input as _prompt("<conversation-history><system-reminder>Plan mode is active</system-reminder></conversation-history>go on")
	updates == {}
}

test_follows_the_tools_of_the_mode if {
	entered := behavior.updates with input as _tool("EnterPlanMode", false)
	entered == {"plan_mode": true}
	left := behavior.updates with input as _tool("ExitPlanMode", false)
	left == {"plan_mode": false}
	denied := behavior.updates with input as _tool("EnterPlanMode", true)
	denied == {}
}

test_ends_the_mode_with_a_cleared_session if {
	updates := behavior.updates with input as object.union(_prompt(""), {"event": "session_start", "source": "clear"})
	updates == {"plan_mode": false}
}
