# METADATA
# title: User Budget Exceeded
# description: >-
#   If all sessions of an audit that one user ran together use more than `max_tokens`
#   tokens, or cost more than `max_usd` US dollars, the budget of the user is exceeded. The
#   user is the owner of the home directory that a session ran in.
#   Input and output count, unless `count` names other parts. Only audits check it, after
#   the sessions.
# custom:
#   params:
#     user_budget.count: {type: strings, one_of: [input, output, cache_read, cache_write], distinct: true, optional: true, with_any: [user_budget.max_tokens]}
#     user_budget.max_tokens: {type: integer, at_least: 1, optional: true}
#     user_budget.max_usd: {type: amount, optional: true}
#   facts: [metrics]
#   counts:
#     - {of: tokens, over: user, parts: user_budget.count, limit: user_budget.max_tokens}
#     - {of: cost, over: user, limit: user_budget.max_usd}
#   suggestion: Consider splitting work, or a smaller model
#   examples:
#     - |
#       ---
#       user_budget: {max_tokens: 2000000}
#       ---
#       Split the work.
package rulecheck.modes.user_budget

import data.rulecheck.lib.budgets

# METADATA
# description: The violation of the user's budget.
violations := budgets.exceeded(input.metrics)
