# METADATA
# title: Session Budget Exceeded
# description: >-
#   If one session uses more than `max_tokens` tokens, in all its phases and subagents that
#   its log has, its budget is exceeded. Input and output count, unless `count` names other parts. Only audits check it, after
#   the sessions.
# custom:
#   params:
#     session_budget.count: {type: strings, one_of: [input, output, cache_read, cache_write], distinct: true, optional: true}
#     session_budget.max_tokens: {type: integer, at_least: 1}
#   facts: [metrics]
#   counts: {of: tokens, over: session, parts: session_budget.count, limit: session_budget.max_tokens}
#   suggestion: Consider splitting work, or a smaller model
#   examples:
#     - |
#       ---
#       session_budget: {max_tokens: 2000000}
#       ---
#       Split the work.
package rulecheck.modes.session_budget

import data.rulecheck.lib.amounts

# METADATA
# description: One violation for the session.
violations contains {"message": _message, "reached": _budget + 1} if input.metrics.count > _budget

_budget := input.rule.params["session_budget.max_tokens"]

_message := sprintf("Budget of the session exceeded: %s / %s", [amounts.number(input.metrics.count), amounts.number(_budget)])
