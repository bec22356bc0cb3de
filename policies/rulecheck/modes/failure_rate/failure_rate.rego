# METADATA
# title: Failure Rate Exceeded
# description: >-
#   If a larger share of the commands in one visit of a phase fails than `max`, with `0.2` for a
#   fifth, the agent tries instead of thinking. The share counts from `min_commands` commands
#   on; rejected commands do not count.
# custom:
#   params:
#     failure_rate.max: fraction
#     failure_rate.min_commands: {type: integer, at_least: 1}
#   facts: [metrics]
#   counts: {of: failure_rate, least: failure_rate.min_commands, limit: failure_rate.max}
#   suggestion: |-
#     Many commands fail. Read all errors so far, and write down their common cause
#     before the next command.
#   examples:
#     - |
#       ---
#       failure_rate: {max: 0.3, min_commands: 20}
#       ---
#       Read the errors before the next command.
package rulecheck.modes.failure_rate

import data.rulecheck.lib.amounts

# METADATA
# description: One violation for the visit.
violations contains {"message": _message, "reached": _limit + 1} if input.metrics.count > _limit

# Rates are counted in millionths.
_limit := round(input.rule.params["failure_rate.max"] * 1000000)

_failed := floor((input.metrics.count * input.metrics.total) / 1000000)

_message := sprintf("%d of %s failed: %v%% (limit: %v%%)", [
	_failed,
	amounts.times(input.metrics.total, "command"),
	floor(input.metrics.count / 100) / 100,
	_limit / 10000,
])
