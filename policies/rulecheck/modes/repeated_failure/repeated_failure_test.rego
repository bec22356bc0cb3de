package rulecheck.modes.repeated_failure_test

import data.rulecheck.modes.repeated_failure as mode

test_fires_at_the_threshold if {
	mode.violations == {{"message": "make failed 3 times without a success", "reached": 3}} with input as _failed(3, ["make"], {})
}

test_is_silent_below_the_threshold if {
	mode.violations == set() with input as _failed(2, ["make"], {})
	mode.violations == set() with input as _failed(0, [], {})
}

test_says_the_pattern_where_several_commands_add_up if {
	mode.violations == {{
		"message": `4 commands matching "make|go test" failed without a success`,
		"reached": 3,
	}} with input as _failed(4, ["make", "go test"], {"repeated_failure.pattern": "make|go test"})
}

test_says_the_window if {
	mode.violations == {{
		"message": "make failed 3 times without a success within 2 minutes",
		"reached": 3,
	}} with input as _failed(3, ["make"], {"repeated_failure.window": 120})
}

test_speaks_of_denied_calls if {
	mode.violations == {{"message": "git push -f was denied 3 times", "reached": 3}} with input as _failed(3, ["git push -f"], {"repeated_failure.denied": true})
	mode.violations == {{
		"message": `3 calls matching "push|tag" were denied within 2 minutes`,
		"reached": 3,
	}} with input as _failed(3, ["git push", "git tag"], {
		"repeated_failure.denied": true,
		"repeated_failure.pattern": "push|tag",
		"repeated_failure.window": 120,
	})
}

_failed(n, commands, params) := {
	"rule": {"params": object.union({"repeated_failure.threshold": 3}, params)},
	"metrics": {"count": n, "subjects": commands, "distinct": count(commands)},
}
