# METADATA
# title: Edits Without a Test
# description: >-
#   If files are edited at least `threshold` times in one visit of a phase without
#   a command that `test_pattern` matches, the agent works without tests. With a
#   `path_pattern`, only edits of files whose path in the project matches it count.
#   Failed tests are tests, and failed edits do not count. What commands write is
#   not known.
# custom:
#   params:
#     untested_edits.path_pattern: {type: regex, optional: true}
#     untested_edits.test_pattern: regex
#     untested_edits.threshold: {type: integer, at_least: 1}
#   facts: [metrics]
#   counts: {of: untested_edits, matching: untested_edits.path_pattern, until: untested_edits.test_pattern, limit: untested_edits.threshold}
#   suggestion: |-
#     Run the tests now, before the next edit.
#   examples:
#     - |
#       ---
#       untested_edits: {threshold: 15, test_pattern: "^(make|npm) test"}
#       ---
#       Run the tests.
package rulecheck.modes.untested_edits

import data.rulecheck.lib.amounts

# METADATA
# description: One violation for the most edits between two runs of the tests.
violations contains {"message": _message, "reached": _threshold} if input.metrics.count >= _threshold

_threshold := input.rule.params["untested_edits.threshold"]

_message := sprintf("%s of %s without a command matching \"%s\"", [
	amounts.times(input.metrics.count, "edit"),
	_files,
	input.rule.params["untested_edits.test_pattern"],
])

_files := input.metrics.subjects[0] if input.metrics.distinct == 1

_files := amounts.times(input.metrics.distinct, "file") if input.metrics.distinct > 1
