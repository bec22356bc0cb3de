package rulecheck.modes.failure_rate_test

import data.rulecheck.modes.failure_rate as mode

test_fires_above_the_limit if {
	mode.violations == {{"message": "7 of 20 commands failed: 35% (limit: 20%)", "reached": 200001}} with input as _failed(350000, 20)
	mode.violations == {{"message": "1 of 3 commands failed: 33.33% (limit: 20%)", "reached": 200001}} with input as _failed(333334, 3)
}

test_is_silent_up_to_the_limit if {
	mode.violations == set() with input as _failed(200000, 20)
	mode.violations == set() with input as _failed(0, 0)
}

_failed(count, total) := {
	"rule": {"params": {"failure_rate.max": 0.2, "failure_rate.min_commands": 3}},
	"metrics": {"count": count, "total": total},
}
