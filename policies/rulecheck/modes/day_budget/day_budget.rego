# METADATA
# title: Day Budget Exceeded
# description: >-
#   If all sessions of an audit together use more than `max_tokens` tokens on one day, in
#   UTC, the budget of the day is exceeded. Input and output count, unless `count` names other parts. Only audits check it, after
#   the sessions.
# custom:
#   params:
#     day_budget.count: {type: strings, one_of: [input, output, cache_read, cache_write], distinct: true, optional: true}
#     day_budget.max_tokens: {type: integer, at_least: 1}
#   facts: [metrics]
#   counts: {of: tokens, over: day, parts: day_budget.count, limit: day_budget.max_tokens}
#   suggestion: Consider splitting work, or a smaller model
#   examples:
#     - |
#       ---
#       day_budget: {max_tokens: 2000000}
#       ---
#       Split the work.
package rulecheck.modes.day_budget

import data.rulecheck.lib.amounts

# METADATA
# description: One violation for the day.
violations contains {"message": _message, "reached": _budget + 1} if input.metrics.count > _budget

_budget := input.rule.params["day_budget.max_tokens"]

_message := sprintf("Budget of %s exceeded by %s: %s / %s", [
	input.metrics.over,
	amounts.times(input.metrics.distinct, "session"),
	amounts.number(input.metrics.count),
	amounts.number(_budget),
])
