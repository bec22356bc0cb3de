package rulecheck.modes.day_budget_test

import data.rulecheck.modes.day_budget as mode

test_fires_above_the_budget if {
	mode.violations == {{"message": "Budget of 2026-05-01 exceeded by 2 sessions: 1,001 / 1,000", "reached": 1001}} with input as _used(1001)
}

test_is_silent_up_to_the_budget if {
	mode.violations == set() with input as _used(1000)
	mode.violations == set() with input as _used(0)
}

_used(tokens) := {
	"rule": {"params": {"day_budget.max_tokens": 1000}},
	"metrics": {"over": "2026-05-01", "count": tokens, "distinct": 2},
}
