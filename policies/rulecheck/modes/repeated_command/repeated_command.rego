# METADATA
# title: Repeated Command Detected
# description: >-
#   If a command runs at least `threshold` times within `window` seconds of one
#   visit of a phase, the agent is stuck. With a `pattern`, all commands that
#   match it are counted together; without one, only equal commands are. Failed
#   commands count.
# custom:
#   params:
#     repeated_command.pattern: {type: regex, optional: true}
#     repeated_command.threshold: {type: integer, at_least: 1}
#     repeated_command.window: {type: integer, at_least: 1}
#   facts: [metrics]
#   counts: {of: commands, matching: repeated_command.pattern, within: repeated_command.window, limit: repeated_command.threshold}
#   suggestion: |-
#     You're stuck in a build loop. Review the error message carefully.
#     Consider using TDD: write a failing test first, then fix the specific issue.
#   examples:
#     - |
#       ---
#       repeated_command: {pattern: "^(make|npm) test", threshold: 5, window: 600}
#       ---
#       Read the error before running the tests again.
package rulecheck.modes.repeated_command

import data.rulecheck.lib.amounts

# METADATA
# description: One violation for the window with the most commands.
violations contains {"message": _message, "reached": _threshold} if input.metrics.count >= _threshold

_threshold := input.rule.params["repeated_command.threshold"]

_window := amounts.window(input.rule.params["repeated_command.window"])

_message := sprintf("%s executed %s in %s", [input.metrics.subjects[0], amounts.times(input.metrics.count, "time"), _window]) if {
	input.metrics.distinct == 1
}

_message := sprintf("%s matching \"%s\" executed in %s", [
	amounts.times(input.metrics.count, "command"),
	input.rule.params["repeated_command.pattern"],
	_window,
]) if {
	input.metrics.distinct > 1
}
