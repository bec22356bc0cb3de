# METADATA
# title: Cost Budget Exceeded
# description: >-
#   If the calls of models cost more than `max_usd` US dollars, the budget is exceeded: those of
#   one session, or, with `per`, of all sessions of an audit on one `day` in UTC, of one `user`,
#   or on one git `branch`. A cost that a log states counts, else the price table.
#   Only audits check it, after the sessions.
# custom:
#   params:
#     cost_budget.max_usd: amount
#     cost_budget.per: {type: string, one_of: [session, day, user, branch], default: session}
#   facts: [metrics]
#   counts: {of: cost, over: cost_budget.per, limit: cost_budget.max_usd}
#   suggestion: Consider splitting work, or a smaller model
#   examples:
#     - |
#       ---
#       cost_budget: {max_usd: 12.50, per: day}
#       ---
#       Split the work.
package rulecheck.modes.cost_budget

import data.rulecheck.lib.budgets

# METADATA
# description: The violation of the budget of the session, day, user or branch.
violations := budgets.exceeded(input.metrics)
