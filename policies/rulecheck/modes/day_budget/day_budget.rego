# METADATA
# title: Day Budget Exceeded
# description: >-
#   If all sessions of an audit together use more than `max_tokens` tokens on one day, in
#   UTC, or cost more than `max_usd` US dollars, the budget of the day is exceeded.
#   Input and output count, unless `count` names other parts. Only audits check it, after
#   the sessions.
# custom:
#   params:
#     day_budget.count: {type: strings, one_of: [input, output, cache_read, cache_write], distinct: true, optional: true, with_any: [day_budget.max_tokens]}
#     day_budget.max_tokens: {type: integer, at_least: 1, optional: true}
#     day_budget.max_usd: {type: amount, optional: true}
#   facts: [metrics]
#   counts:
#     - {of: tokens, over: day, parts: day_budget.count, limit: day_budget.max_tokens}
#     - {of: cost, over: day, limit: day_budget.max_usd}
#   suggestion: Consider splitting work, or a smaller model
#   examples:
#     - |
#       ---
#       day_budget: {max_tokens: 2000000}
#       ---
#       Split the work.
package rulecheck.modes.day_budget

import data.rulecheck.lib.budgets

# METADATA
# description: The violation of the day's budget.
violations := budgets.exceeded(input.metrics)
