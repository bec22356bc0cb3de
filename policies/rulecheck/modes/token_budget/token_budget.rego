# METADATA
# title: Token Budget Exceeded
# description: >-
#   If one visit of a phase uses more than `max_tokens` tokens, its budget is
#   exceeded. Input and output count, unless `count` names other parts. A session
#   without phases is one visit.
# custom:
#   params:
#     token_budget.count: {type: strings, one_of: [input, output, cache_read, cache_write], distinct: true, optional: true}
#     token_budget.max_tokens: {type: integer, at_least: 1}
#   facts: [metrics]
#   counts: {of: tokens, parts: token_budget.count, limit: token_budget.max_tokens}
#   suggestion: Consider simplifying scope or splitting work
#   examples:
#     - |
#       ---
#       token_budget: {max_tokens: 500000}
#       ---
#       Split the task.
package rulecheck.modes.token_budget

import data.rulecheck.lib.amounts

# METADATA
# description: One violation for the visit.
violations contains {"message": _message, "reached": _budget + 1} if input.metrics.count > _budget

_budget := input.rule.params["token_budget.max_tokens"]

_message := sprintf("Token budget exceeded: %s / %s", [amounts.number(input.metrics.count), amounts.number(_budget)])
