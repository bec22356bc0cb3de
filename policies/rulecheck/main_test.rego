package rulecheck.main_test

import data.rulecheck.main

test_asks_the_policy_of_the_rules_mode if {
	facts := _facts("created", {"created": [_match("a.go")]})
	main.violations == {_created("a.go")} with input as facts
}

test_says_nothing_of_a_change_that_is_safe_for_any_mode if {
	matches := {"trigger": [_match("a.go")], "created": [_match("a.go")], "safety": [_match("README.md")]}
	every mode in ["trigger", "created", "set", "pair"] {
		main.violations == set() with input as _facts(mode, matches)
	}
}

test_is_not_silenced_by_a_safety_that_nothing_matches if {
	facts := _facts("created", {"created": [_match("a.go")], "safety": []})
	main.violations == {_created("a.go")} with input as facts
}

test_has_no_answer_for_a_mode_without_a_policy if {
	not main.violations with input as _facts("creatd", {})
}

test_has_no_answer_for_such_a_mode_even_where_a_change_is_safe if {
	not main.violations with input as _facts("creatd", {"safety": [_match("README.md")]})
}

_facts(mode, matches) := {
	"rule": {"mode": mode, "params": {}},
	"matches": matches,
	"correspondences": [{"captures": {}, "members": [
		{"param": mode, "path": "a.go", "changed": true, "exists": true, "satisfied_by": ["a.go"], "trigger": true},
		{"param": mode, "path": "b.go", "changed": false, "exists": false, "satisfied_by": [], "trigger": false},
	]}],
}

_match(path) := {"path": path, "captures": {}, "change": {"path": path, "status": "added"}}

_created(path) := {"path": path, "trigger_files": [path]}
