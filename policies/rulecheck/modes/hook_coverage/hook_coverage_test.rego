package rulecheck.modes.hook_coverage_test

import data.rulecheck.modes.hook_coverage as mode

test_fires_below_the_least_share if {
	mode.violations == {{"message": "8 of 10 tool calls checked by hooks (want 90%)"}} with input as _ran(8, 0, 0.9)
	mode.violations == {{"message": "0 of 10 tool calls checked by hooks (want 99.5%)"}} with input as _ran(0, 0, 0.995)
}

test_is_silent_from_the_least_share_on if {
	mode.violations == set() with input as _ran(9, 0, 0.9)
	mode.violations == set() with input as _ran(10, 0, 1)
}

test_is_silent_if_unknown_calls_may_have_been_checked if {
	mode.violations == set() with input as _ran(8, 1, 0.9)
	mode.violations == {{"message": "7 of 10 tool calls checked by hooks (want 90%)"}} with input as _ran(7, 1, 0.9)
}

test_is_silent_without_calls if {
	mode.violations == set() with input as {"rule": {"params": {"hook_coverage.min": 1}}, "coverage": {"calls": 0, "checked": 0, "unknown": 0}}
}

_ran(checked, unknown, min) := {
	"rule": {"params": {"hook_coverage.min": min}},
	"coverage": {"calls": 10, "checked": checked, "unknown": unknown},
}
