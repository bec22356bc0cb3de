package rulecheck.modes.branch_budget_test

import data.rulecheck.modes.branch_budget as mode

test_fires_above_the_budget if {
	mode.violations == {{"message": "Budget of fix exceeded by 2 sessions: 1,001 / 1,000", "reached": 1001}} with input as _used("tokens", 1001)
	mode.violations == {{
		"message": "Cost budget of fix exceeded by 2 sessions: 3.00 / 2.50 USD",
		"reached": 2500000000001,
	}} with input as _used("cost", 3000000000000)
}

test_is_silent_up_to_the_budget if {
	mode.violations == set() with input as _used("tokens", 1000)
	mode.violations == set() with input as _used("cost", 2500000000000)
}

_used(what, n) := {
	"rule": {"mode": "branch_budget", "params": {"branch_budget.max_tokens": 1000, "branch_budget.max_usd": 2.5}},
	"metrics": {"of": what, "over": "fix", "count": n, "distinct": 2},
}
