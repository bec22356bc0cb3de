package rulecheck.modes.phase_timeout_test

import data.rulecheck.modes.phase_timeout as mode

test_fires_above_the_limit if {
	mode.violations == {{"message": "Phase running for 6m 40s (limit: 5m)", "reached": 301}} with input as _lasted(400)
	mode.violations == {{"message": "Phase running for 5m 1s (limit: 5m)", "reached": 301}} with input as _lasted(301)
}

test_is_silent_up_to_the_limit if {
	mode.violations == set() with input as _lasted(300)
	mode.violations == set() with input as _lasted(0)
}

_lasted(seconds) := {
	"rule": {"params": {"phase_timeout.max_duration": 300}},
	"metrics": {"count": seconds},
}
