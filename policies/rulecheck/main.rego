# METADATA
# title: The one question
# description: Asks the policy of the rule's mode.
package rulecheck.main

# METADATA
# description: >-
#   What the rule's mode found, or nothing where a change matches `safety`.
#   Undefined for a mode that has no policy, safe or not.
# entrypoint: true
violations := _unless_safe(data.rulecheck.modes[input.rule.mode].violations)

_unless_safe(found) := found if not _safe

_unless_safe(_) := set() if _safe

_safe if count(input.matches.safety) > 0
