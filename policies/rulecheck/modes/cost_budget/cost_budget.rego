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

import data.rulecheck.lib.amounts

# METADATA
# description: One violation for the session, day, user or branch.
violations contains {"message": _message, "reached": _limit + 1} if input.metrics.count > _limit

# Costs are counted in millionths of a millionth of a dollar.
_dollar := 1000000000000

_limit := round(input.rule.params["cost_budget.max_usd"] * _dollar)

default _over := "the session"

_over := sprintf("%s exceeded by %s", [input.metrics.over, amounts.times(input.metrics.distinct, "session")]) if input.metrics.over

_message := sprintf("Cost budget of %s: %s / %s USD", [_over, _usd(input.metrics.count), _usd(_limit)])

# Cents, rounded up, so that what is above a limit never looks equal to it.
_usd(n) := sprintf("%d.%02d", [floor(cents / 100), cents % 100]) if cents := ceil(n / (_dollar / 100))
