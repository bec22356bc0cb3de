# METADATA
# title: Repeated Failure Detected
# description: >-
#   If a command fails `threshold` times in one visit of a phase and does not
#   succeed in between, the agent is stuck. Other commands in between do not
#   matter. With a `pattern`, all commands that match it are counted together, and
#   any of them that succeeds starts the count again. With a `window`, only
#   failures of the last `window` seconds count. With `denied`, the calls count that a
#   person or a hook denied, of commands and of tools that edit or read a file, and a call
#   that was made starts the count again.
# custom:
#   params:
#     repeated_failure.denied: {type: boolean, default: false}
#     repeated_failure.pattern: {type: regex, optional: true}
#     repeated_failure.threshold: {type: integer, at_least: 1}
#     repeated_failure.window: {type: integer, at_least: 1, optional: true}
#   facts: [metrics]
#   counts: {of: failures, denied: repeated_failure.denied, matching: repeated_failure.pattern, within: repeated_failure.window, limit: repeated_failure.threshold}
#   suggestion: |-
#     The same command keeps failing. Read its first error, change something that
#     explains it, and only then run the command again.
#   examples:
#     - |
#       ---
#       repeated_failure: {pattern: "^make test", threshold: 4}
#       ---
#       Read the error before running the tests again.
#     - |
#       ---
#       repeated_failure: {denied: true, threshold: 3}
#       ---
#       Ask what to do instead of trying the same call again.
package rulecheck.modes.repeated_failure

import data.rulecheck.lib.amounts

# METADATA
# description: One violation for the longest row of failures.
violations contains {"message": _message, "reached": _threshold} if input.metrics.count >= _threshold

_threshold := input.rule.params["repeated_failure.threshold"]

_within := sprintf(" within %s", [amounts.window(input.rule.params["repeated_failure.window"])])

default _time := ""

_time := _within

_denied if input.rule.params["repeated_failure.denied"]

_message := sprintf("%s failed %s without a success%s", [input.metrics.subjects[0], _times, _time]) if {
	not _denied
	input.metrics.distinct == 1
}

_message := sprintf("%s was denied %s%s", [input.metrics.subjects[0], _times, _time]) if {
	_denied
	input.metrics.distinct == 1
}

_message := sprintf("%s matching \"%s\" failed without a success%s", [_several("command"), _pattern, _time]) if {
	not _denied
	input.metrics.distinct > 1
}

_message := sprintf("%s matching \"%s\" were denied%s", [_several("call"), _pattern, _time]) if {
	_denied
	input.metrics.distinct > 1
}

_times := amounts.times(input.metrics.count, "time")

_several(what) := amounts.times(input.metrics.count, what)

_pattern := input.rule.params["repeated_failure.pattern"]
