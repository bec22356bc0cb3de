# METADATA
# title: Plan mode
# description: >-
#   Sets `plan_mode`. The permission mode that the agent states decides; without
#   one, the tools that enter and leave the mode, and reminders in prompts, of
#   which those in quoted conversations do not count.
# custom:
#   events: [session_start, before_agent, before_tool, after_tool]
#   vars: {plan_mode: false}
package rulecheck.behaviors.detect_plan_mode

# METADATA
# description: Whether the agent plans.
updates["plan_mode"] := input.permission_mode == "plan" if {
	input.permission_mode != ""
} else if {
	_marked(_active)
} else := false if {
	_marked(_left)
} else if {
	input.event == "after_tool"
	not input.failed
	input.tool_name in {"EnterPlanMode", "enter_plan_mode"}
} else := false if {
	input.event == "after_tool"
	not input.failed
	input.tool_name in {"ExitPlanMode", "exit_plan_mode"}
} else := false if {
	input.event == "session_start"
	input.source == "clear"
}

_active := {"Plan mode is active", "Plan mode still active", "You are in plan mode"}

_left := {"Exited Plan Mode", "Plan mode exited"}

_prompt := regex.replace(input.prompt, `(?s)<conversation-history>.*?(</conversation-history>|$)`, "")

_reminders := [text | some text in regex.find_n(`(?s)<system-reminder>.*?</system-reminder>`, _prompt, -1)]

_marked(phrases) if {
	input.event == "before_agent"
	some text in _reminders
	some phrase in phrases
	contains(text, phrase)
}
