package rulecheck.modes.created_test

import data.rulecheck.modes.created as mode

test_is_one_violation_for_each_new_file if {
	mode.violations == {_violation("a.go"), _violation("b.go")} with input as _matches([
		{"path": "a.go", "change": {"path": "a.go", "status": "added"}},
		{"path": "b.go", "change": {"path": "b.go", "status": "added"}},
	])
}

test_does_not_take_any_other_change_for_a_creation if {
	every status in ["modified", "deleted", "type_changed", "unmerged"] {
		mode.violations == set() with input as _matches([{"path": "a.go", "change": {"path": "a.go", "status": status}}])
	}
}

test_does_not_take_a_rename_for_a_creation if {
	change := {"path": "b.go", "old_path": "a.go", "status": "renamed", "similarity": 100}
	mode.violations == set() with input as _matches([
		{"path": "a.go", "change": change},
		{"path": "b.go", "change": change},
	])
}

test_says_nothing_where_nothing_matches if {
	mode.violations == set() with input as _matches([])
}

_matches(matches) := {"matches": {"created": matches}}

_violation(path) := {
	"path": path,
	"trigger_files": [path],
	"message": sprintf("%s was created", [path]),
}
