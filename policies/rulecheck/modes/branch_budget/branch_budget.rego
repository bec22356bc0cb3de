# METADATA
# title: Branch Budget Exceeded
# description: >-
#   If all sessions of an audit on one git branch together use more than `max_tokens`
#   tokens, or cost more than `max_usd` US dollars, the budget of the branch is exceeded. A
#   session on several branches counts for its last.
#   Input and output count, unless `count` names other parts. Only audits check it, after
#   the sessions.
# custom:
#   params:
#     branch_budget.count: {type: strings, one_of: [input, output, cache_read, cache_write], distinct: true, optional: true, with_any: [branch_budget.max_tokens]}
#     branch_budget.max_tokens: {type: integer, at_least: 1, optional: true}
#     branch_budget.max_usd: {type: amount, optional: true}
#   facts: [metrics]
#   counts:
#     - {of: tokens, over: branch, parts: branch_budget.count, limit: branch_budget.max_tokens}
#     - {of: cost, over: branch, limit: branch_budget.max_usd}
#   suggestion: Consider splitting work, or a smaller model
#   examples:
#     - |
#       ---
#       branch_budget: {max_tokens: 20000000, max_usd: 50}
#       ---
#       Split the work.
package rulecheck.modes.branch_budget

import data.rulecheck.lib.budgets

# METADATA
# description: The violation of the branch's budget.
violations := budgets.exceeded(input.metrics)
