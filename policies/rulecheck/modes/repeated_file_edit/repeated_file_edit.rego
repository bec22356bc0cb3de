# METADATA
# title: Repeated File Edit Detected
# description: >-
#   If a file is edited at least `threshold` times within `window` seconds of one
#   visit of a phase, the agent is thrashing. With a `path_pattern`, the edits of
#   all files whose path in the project matches it are counted together; without
#   one, each file is counted separately. Failed edits do not count.
# custom:
#   params:
#     repeated_file_edit.path_pattern: {type: regex, optional: true}
#     repeated_file_edit.threshold: {type: integer, at_least: 1}
#     repeated_file_edit.window: {type: integer, at_least: 1}
#   facts: [metrics]
#   counts: {of: edits, matching: repeated_file_edit.path_pattern, within: repeated_file_edit.window, limit: repeated_file_edit.threshold}
#   suggestion: |-
#     You're thrashing the same file. Step back and write a failing test
#     that captures the desired behavior, then implement the fix.
#   examples:
#     - |
#       ---
#       repeated_file_edit: {threshold: 8, window: 900}
#       ---
#       Think before editing the file again.
package rulecheck.modes.repeated_file_edit

import data.rulecheck.lib.amounts

# METADATA
# description: One violation for the window with the most edits.
violations contains {"message": _message, "reached": _threshold} if input.metrics.count >= _threshold

_threshold := input.rule.params["repeated_file_edit.threshold"]

_window := amounts.window(input.rule.params["repeated_file_edit.window"])

_message := sprintf("%s edited %s in %s", [input.metrics.subjects[0], amounts.times(input.metrics.count, "time"), _window]) if {
	input.metrics.distinct == 1
}

_message := sprintf("%s to %s matching \"%s\" in %s", [
	amounts.times(input.metrics.count, "edit"),
	amounts.times(input.metrics.distinct, "file"),
	input.rule.params["repeated_file_edit.path_pattern"],
	_window,
]) if {
	input.metrics.distinct > 1
}
