# METADATA
# title: Repeated File Read Detected
# description: >-
#   If a file is read at least `threshold` times in one visit of a phase, and no
#   file is edited in between, the agent makes no progress. With a `path_pattern`,
#   the reads of all files whose path in the project matches it are counted
#   together; without one, each file is counted separately. With a `window`, only
#   reads of the last `window` seconds count. Failed reads do not count. Files that
#   commands read or write are not known.
# custom:
#   params:
#     repeated_file_read.path_pattern: {type: regex, optional: true}
#     repeated_file_read.threshold: {type: integer, at_least: 1}
#     repeated_file_read.window: {type: integer, at_least: 1, optional: true}
#   facts: [metrics]
#   counts: {of: reads, matching: repeated_file_read.path_pattern, within: repeated_file_read.window, limit: repeated_file_read.threshold}
#   suggestion: |-
#     You read the same file again and change nothing. Write down what you are
#     looking for, then make the smallest edit that tests it.
#   examples:
#     - |
#       ---
#       repeated_file_read: {threshold: 10, window: 900}
#       ---
#       Search for what you need.
package rulecheck.modes.repeated_file_read

import data.rulecheck.lib.amounts

# METADATA
# description: One violation for the most reads without an edit.
violations contains {"message": _message, "reached": _threshold} if input.metrics.count >= _threshold

_threshold := input.rule.params["repeated_file_read.threshold"]

_within := sprintf(" within %s", [amounts.window(input.rule.params["repeated_file_read.window"])])

default _ending := " without an edit"

_ending := concat("", [" without an edit", _within])

_message := sprintf("%s read %s%s", [input.metrics.subjects[0], amounts.times(input.metrics.count, "time"), _ending]) if {
	input.metrics.distinct == 1
}

_message := sprintf("%s of %s matching \"%s\"%s", [
	amounts.times(input.metrics.count, "read"),
	amounts.times(input.metrics.distinct, "file"),
	input.rule.params["repeated_file_read.path_pattern"],
	_ending,
]) if {
	input.metrics.distinct > 1
}
