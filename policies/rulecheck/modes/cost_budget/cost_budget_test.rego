package rulecheck.modes.cost_budget_test

import data.rulecheck.modes.cost_budget as mode

test_fires_above_the_budget if {
	mode.violations == {{"message": "Cost budget of the session exceeded: 2.51 / 2.50 USD", "reached": 2500000000001}} with input as _spent(2500000000001, {})
}

test_is_silent_up_to_the_budget if {
	mode.violations == set() with input as _spent(2500000000000, {})
	mode.violations == set() with input as _spent(0, {})
}

test_names_the_day if {
	mode.violations == {{
		"message": "Cost budget of 2026-05-01 exceeded by 2 sessions: 3.00 / 2.50 USD",
		"reached": 2500000000001,
	}} with input as _spent(3000000000000, {"over": "2026-05-01", "distinct": 2})
}

_spent(n, metrics) := {
	"rule": {"mode": "cost_budget", "params": {"cost_budget.max_usd": 2.5}},
	"metrics": object.union({"of": "cost", "count": n}, metrics),
}
