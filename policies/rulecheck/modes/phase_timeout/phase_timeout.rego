# METADATA
# title: Phase Timeout Exceeded
# description: >-
#   If one visit of a phase lasts longer than `max_duration` seconds, the phase has
#   taken too long. A session without phases is one visit.
# custom:
#   params:
#     phase_timeout.max_duration: {type: integer, at_least: 1}
#   facts: [metrics]
#   counts: {of: seconds, limit: phase_timeout.max_duration}
#   suggestion: |-
#     This phase is taking too long. Consider:
#     - Breaking the task into smaller steps
#     - Transitioning to LEARNINGS to document blockers
#     - Resetting the workflow with simplified scope
#   examples:
#     - |
#       ---
#       phase_timeout: {max_duration: 1800}
#       phase: plan
#       ---
#       Finish the plan, or ask for help.
package rulecheck.modes.phase_timeout

import data.rulecheck.lib.amounts

# METADATA
# description: One violation for the visit.
violations contains {"message": _message, "reached": _limit + 1} if input.metrics.count > _limit

_limit := input.rule.params["phase_timeout.max_duration"]

_message := sprintf("Phase running for %s (limit: %s)", [amounts.span(input.metrics.count), amounts.span(_limit)])
