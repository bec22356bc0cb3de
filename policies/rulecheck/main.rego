# METADATA
# title: The entrypoint
# description: Evaluates the policy of the rule's mode.
package rulecheck.main

# METADATA
# description: >-
#   The violations of the rule's mode, or none if a change matches `safety`.
#   Undefined for a mode without a policy, in both cases.
# entrypoint: true
violations := _unless_safe(data.rulecheck.modes[input.rule.mode].violations)

_unless_safe(found) := found if not _safe

_unless_safe(_) := set() if _safe

_safe if count(input.matches.safety) > 0
