# METADATA
# title: User Budget Exceeded
# description: >-
#   If all sessions of an audit that one user ran together use more than `max_tokens`
#   tokens, the budget of the user is exceeded. The user is the owner of the home directory
#   that a session ran in. Input and output count, unless `count` names other parts. Only audits check it, after
#   the sessions.
# custom:
#   params:
#     user_budget.count: {type: strings, one_of: [input, output, cache_read, cache_write], distinct: true, optional: true}
#     user_budget.max_tokens: {type: integer, at_least: 1}
#   facts: [metrics]
#   counts: {of: tokens, over: user, parts: user_budget.count, limit: user_budget.max_tokens}
#   suggestion: Consider splitting work, or a smaller model
#   examples:
#     - |
#       ---
#       user_budget: {max_tokens: 2000000}
#       ---
#       Split the work.
package rulecheck.modes.user_budget

import data.rulecheck.lib.amounts

# METADATA
# description: One violation for the user.
violations contains {"message": _message, "reached": _budget + 1} if input.metrics.count > _budget

_budget := input.rule.params["user_budget.max_tokens"]

_message := sprintf("Budget of %s exceeded by %s: %s / %s", [
	input.metrics.over,
	amounts.times(input.metrics.distinct, "session"),
	amounts.number(input.metrics.count),
	amounts.number(_budget),
])
