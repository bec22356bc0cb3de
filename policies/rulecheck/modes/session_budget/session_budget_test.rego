package rulecheck.modes.session_budget_test

import data.rulecheck.modes.session_budget as mode

test_fires_above_the_budget if {
	mode.violations == {{"message": "Budget of the session exceeded: 1,001 / 1,000", "reached": 1001}} with input as _used(1001)
}

test_is_silent_up_to_the_budget if {
	mode.violations == set() with input as _used(1000)
	mode.violations == set() with input as _used(0)
}

_used(tokens) := {
	"rule": {"params": {"session_budget.max_tokens": 1000}},
	"metrics": {"count": tokens},
}
