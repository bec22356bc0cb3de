package rulecheck.modes.trigger_test

import data.rulecheck.modes.trigger as mode

test_says_nothing_where_nothing_matches if {
	mode.violations == set() with input as _changed([])
}

test_names_the_only_file if {
	mode.violations == {{
		"trigger_files": {"README.md"},
	}} with input as _changed(["README.md"])
}

test_is_one_violation_for_all_files if {
	mode.violations == {{
		"trigger_files": {"a.go", "b.go", "c.go"},
	}} with input as _changed(["b.go", "a.go", "c.go"])
}

_changed(paths) := {"matches": {"trigger": [match |
	some path in paths
	match := {"path": path, "captures": {}, "change": {"path": path, "status": "modified"}}
]}}
