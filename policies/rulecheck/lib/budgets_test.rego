package rulecheck.lib.budgets_test

import data.rulecheck.lib.budgets

test_fires_above_a_limit_of_tokens if {
	budgets.exceeded(_used("tokens", 1000)) == set() with input as _rule
	budgets.exceeded(_used("tokens", 1001)) == {{
		"message": "Budget of ada exceeded by 2 sessions: 1,001 / 1,000",
		"reached": 1001,
	}} with input as _rule
}

test_fires_above_a_limit_of_dollars if {
	budgets.exceeded(_used("cost", 2500000000000)) == set() with input as _rule
	budgets.exceeded(_used("cost", 2500000000001)) == {{
		"message": "Cost budget of ada exceeded by 2 sessions: 2.51 / 2.50 USD",
		"reached": 2500000000001,
	}} with input as _rule
}

test_fires_above_a_limit_of_subagents if {
	budgets.exceeded({"of": "subagent_share", "count": 300000}) == set() with input as _rule
	budgets.exceeded({"of": "subagent_share", "count": 300001}) == {{
		"message": "Subagents used 30.01% of the tokens of the session (limit: 30.00%)",
		"reached": 300001,
	}} with input as _rule
}

test_speaks_of_one_session if {
	budgets.exceeded({"of": "tokens", "count": 1001}) == {{
		"message": "Budget of the session exceeded: 1,001 / 1,000",
		"reached": 1001,
	}} with input as _rule
}

test_is_undefined_without_a_limit if {
	not budgets.exceeded(_used("seconds", 1)) with input as _rule
	not budgets.exceeded(_used("cost", 1)) with input as {"rule": {"mode": "pot", "params": {"pot.max_tokens": 1}}}
}

_used(what, n) := {"of": what, "count": n, "over": "ada", "distinct": 2}

_rule := {"rule": {"mode": "pot", "params": {
	"pot.max_tokens": 1000,
	"pot.max_usd": 2.5,
	"pot.max_subagent_share": 0.3,
}}}
