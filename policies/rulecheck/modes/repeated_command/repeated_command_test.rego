package rulecheck.modes.repeated_command_test

import data.rulecheck.modes.repeated_command as mode

test_fires_at_the_threshold if {
	mode.violations == {{"message": "cargo build executed 5 times in 2 minutes", "reached": 5}} with input as _ran(5, ["cargo build"])
}

test_is_silent_below_the_threshold if {
	mode.violations == set() with input as _ran(4, ["cargo build"])
	mode.violations == set() with input as _ran(0, [])
}

test_says_the_pattern_where_several_commands_add_up if {
	mode.violations == {{
		"message": `1,006 commands matching "cargo (build|test)" executed in 2 minutes`,
		"reached": 5,
	}} with input as _ran(1006, ["cargo build", "cargo test"])
}

test_needs_no_pattern if {
	mode.violations == {{"message": "ls executed 1 time in 1 minute", "reached": 1}} with input as {
		"rule": {"params": {"repeated_command.threshold": 1, "repeated_command.window": 60}},
		"metrics": {"count": 1, "subjects": ["ls"], "distinct": 1},
	}
}

_ran(n, commands) := {
	"rule": {"params": {
		"repeated_command.pattern": "cargo (build|test)",
		"repeated_command.threshold": 5,
		"repeated_command.window": 120,
	}},
	"metrics": {"count": n, "subjects": commands, "distinct": count(commands)},
}
