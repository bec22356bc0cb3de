package rulecheck.modes.api_test

import data.rulecheck.modes.api as mode

test_names_what_was_removed_and_changed if {
	mode.violations == {
		{
			"path": "a.go",
			"line": 3,
			"trigger_files": {"a.go"},
			"message": "Parse was removed from the API: func ()",
		},
		{
			"path": "b.go",
			"line": 3,
			"trigger_files": {"b.go"},
			"message": "Parse changed in the API: func (int) was func ()",
		},
	} with input as _input({})
}

test_names_only_what_is_forbidden if {
	{violation.message | some violation in mode.violations} == {"Parse was added to the API: func (int)"} with input as _input({"api.forbid": ["added"]})
	count(mode.violations) == 1 with input as _input({"api.forbid": "added"})
}

test_says_nothing_without_a_change_of_the_api if {
	mode.violations == set() with input as {"rule": {"params": {}}, "api": {"added": [], "removed": [], "changed": []}}
}

test_cuts_a_long_signature if {
	long := concat("", [letter | some n in numbers.range(1000, 1099); letter := sprintf("%d", [n])])
	symbol := object.union(_symbol("a.go"), {"before": long})
	some violation in mode.violations with input as {"rule": {"params": {}}, "api": {"added": [], "removed": [symbol], "changed": []}}
	endswith(violation.message, "…")
	count(violation.message) < 220
}

_input(params) := {
	"rule": {"params": params},
	"api": {"added": [_symbol("c.go")], "removed": [_symbol("a.go")], "changed": [_symbol("b.go")]},
}

_symbol(path) := {
	"path": path,
	"name": "Parse",
	"kind": "function",
	"exported": true,
	"before": "func ( )",
	"after": "func ( int )",
	"status": "modified",
	"lines": {"first": 3, "last": 5},
}
