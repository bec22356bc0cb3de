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

_matches(matches) := {"rule": {"params": {}}, "matches": {"created": matches}}

_violation(path) := {
	"path": path,
	"trigger_files": [path],
}

test_names_the_file_that_a_new_one_lacks if {
	mode.violations == {{
		"path": "a.go",
		"trigger_files": ["a.go"],
		"expected": {"a_test.go"},
	}} with input as _expecting("exists", "added", {"changed": false, "exists": false})
}

test_is_content_with_an_expected_file_that_exists if {
	mode.violations == set() with input as _expecting("exists", "added", {"changed": false, "exists": true})
}

test_expects_nothing_for_a_file_that_is_not_new if {
	every status in ["modified", "deleted", "renamed"] {
		mode.violations == set() with input as _expecting("exists", status, {"changed": false, "exists": false})
	}
}

test_wants_the_expected_file_to_change_if_asked_so if {
	some require in ["changed", "changed_if_exists"]
	mode.violations == {{
		"path": "a.go",
		"trigger_files": ["a.go"],
		"expected": {"a_test.go"},
	}} with input as _expecting(require, "added", {"changed": false, "exists": true})
}

test_spares_an_expected_file_that_does_not_exist if {
	mode.violations == set() with input as _expecting("changed_if_exists", "added", {"changed": false, "exists": false})
}

_expecting(require, status, place) := {
	"rule": {"params": {"created": "{p}.go", "expects": "{p}_test.go", "require": require}},
	"matches": {"created": [{"path": "a.go", "change": {"path": "a.go", "status": status}}]},
	"correspondences": [{"captures": {"p": "a"}, "members": [
		object.union({"param": "expects", "path": "a_test.go", "satisfied_by": [], "trigger": false}, place),
		{"param": "created", "path": "a.go", "changed": true, "exists": true, "satisfied_by": ["a.go"], "trigger": true},
	]}],
}
