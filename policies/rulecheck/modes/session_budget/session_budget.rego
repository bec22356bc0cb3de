# METADATA
# title: Session Budget Exceeded
# description: >-
#   If one session uses more than `max_tokens` tokens, or costs more than `max_usd` US
#   dollars, in all its phases and subagents that its log has, its budget is exceeded.
#   Likewise if its subagents use a larger share of its tokens than `max_subagent_share`,
#   with `0.5` for half. Input and output count, unless `count` names other parts. Only
#   audits check it, after the sessions.
# custom:
#   params:
#     session_budget.count: {type: strings, one_of: [input, output, cache_read, cache_write], distinct: true, optional: true, with_any: [session_budget.max_tokens, session_budget.max_subagent_share]}
#     session_budget.max_subagent_share: {type: fraction, optional: true}
#     session_budget.max_tokens: {type: integer, at_least: 1, optional: true}
#     session_budget.max_usd: {type: amount, optional: true}
#   facts: [metrics]
#   counts:
#     - {of: tokens, over: session, parts: session_budget.count, limit: session_budget.max_tokens}
#     - {of: cost, over: session, limit: session_budget.max_usd}
#     - {of: subagent_share, over: session, parts: session_budget.count, limit: session_budget.max_subagent_share}
#   suggestion: Consider splitting work, or a smaller model
#   examples:
#     - |
#       ---
#       session_budget: {max_tokens: 2000000, max_usd: 5}
#       ---
#       Split the work.
package rulecheck.modes.session_budget

import data.rulecheck.lib.budgets

# METADATA
# description: The violation of the session's budget.
violations := budgets.exceeded(input.metrics)
