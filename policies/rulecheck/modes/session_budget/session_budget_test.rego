package rulecheck.modes.session_budget_test

import data.rulecheck.modes.session_budget as mode

test_fires_above_the_budget if {
	mode.violations == {{"message": "Budget of the session exceeded: 1,001 / 1,000", "reached": 1001}} with input as _used("tokens", 1001)
	mode.violations == {{
		"message": "Cost budget of the session exceeded: 2.51 / 2.50 USD",
		"reached": 2500000000001,
	}} with input as _used("cost", 2500000000001)
	mode.violations == {{
		"message": "Subagents used 62.50% of the tokens of the session (limit: 50.00%)",
		"reached": 500001,
	}} with input as _used("subagent_share", 625000)
}

test_is_silent_up_to_the_budget if {
	mode.violations == set() with input as _used("tokens", 1000)
	mode.violations == set() with input as _used("cost", 2500000000000)
	mode.violations == set() with input as _used("subagent_share", 500000)
}

_used(what, n) := {
	"rule": {"mode": "session_budget", "params": {
		"session_budget.max_tokens": 1000,
		"session_budget.max_usd": 2.5,
		"session_budget.max_subagent_share": 0.5,
	}},
	"metrics": {"of": what, "count": n},
}
