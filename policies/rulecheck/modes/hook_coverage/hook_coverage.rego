# METADATA
# title: Tool Calls Without Hooks
# description: >-
#   If hooks checked less than `min` of the tool calls of a visit, with `1` for all
#   of them, rules about tool calls did not protect the session. If the rule depends
#   on calls that may have been checked or not, it cannot be checked.
# custom:
#   params:
#     hook_coverage.min: fraction
#   facts: [coverage]
#   suggestion: |-
#     Install the hooks in the repository, and look at "rulecheck doctor --probe".
#   examples:
#     - |
#       ---
#       hook_coverage: {min: 0.9}
#       ---
#       Install the hooks of the agent.
package rulecheck.modes.hook_coverage

import data.rulecheck.lib.amounts

# METADATA
# description: One violation for the visit.
violations contains {"message": _message} if {
	input.coverage.calls > 0
	(input.coverage.checked + input.coverage.unknown) / input.coverage.calls < input.rule.params["hook_coverage.min"]
}

_message := sprintf("%d of %s checked by hooks (want %v%%)", [
	input.coverage.checked,
	amounts.times(input.coverage.calls, "tool call"),
	round(input.rule.params["hook_coverage.min"] * 10000) / 100,
])
