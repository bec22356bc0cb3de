package rulecheck.modes.ifchange_test

import data.rulecheck.modes.ifchange as mode

test_is_silent_without_directives if {
	mode.violations == set() with input as {"directives": []}
}

test_wants_the_target_of_a_changed_block if {
	mode.violations == {{
		"path": "a.go",
		"line": 3,
		"expected": ["b.md"],
		"related": [{"path": "b.md", "line": 1}],
		"trigger_files": ["a.go"],
		"message": "this block changed without b.md",
	}} with input as _input(true, _target({}), [])
}

test_has_no_place_in_a_directory if {
	violations := mode.violations with input as _input(true, _target({"path": "docs/", "name": "docs/"}), [])
	{violation.related | some violation in violations} == {[]}
}

test_is_silent_if_the_target_changed if {
	mode.violations == set() with input as _input(true, _target({"changed": true}), [])
}

test_is_silent_if_the_block_did_not_change if {
	mode.violations == set() with input as _input(false, _target({}), [])
}

test_wants_targets_that_exist if {
	mode.violations == {{
		"path": "a.go",
		"line": 5,
		"trigger_files": ["a.go"],
		"message": "missing target b.md: no such file or directory; want a path that exists",
	}} with input as _input(true, _target({"exists": false, "found": false}), [])
}

test_wants_labels_that_exist if {
	mode.violations == {{
		"path": "a.go",
		"line": 5,
		"trigger_files": ["a.go"],
		"message": "missing label \"x\" in b.md; want a block there with LINT.IfChange(x)",
	}} with input as _input(false, _target({"found": false, "label": "x"}), [])
}

test_blames_the_whole_change_for_broken_references_elsewhere if {
	facts := {"directives": [{
		"path": "c.go",
		"changed": false,
		"blocks": [{"line": 3, "label": "", "changed": false, "targets": [_target({"exists": false})]}],
		"problems": [],
	}]}
	violations := mode.violations with input as facts
	{violation.trigger_files | some violation in violations} == {[]}
}

test_reports_mistakes_in_their_lines if {
	mode.violations == {
		_mistake(1, "malformed directive: text"),
		_mistake(2, "orphan directive: text"),
		_mistake(3, "text"),
	} with input as _input(false, _target({}), [
		{"kind": "malformed", "line": 1, "message": "text"},
		{"kind": "orphan", "line": 2, "message": "text"},
		{"kind": "nested", "line": 3, "message": "text"},
	])
}

_mistake(line, message) := {"path": "a.go", "line": line, "trigger_files": ["a.go"], "message": message}

_input(changed, target, problems) := {"directives": [{
	"path": "a.go",
	"changed": true,
	"blocks": [{"line": 3, "label": "", "changed": changed, "targets": [target]}],
	"problems": problems,
}]}

_target(other) := object.union(
	{"name": "b.md", "path": "b.md", "line": 5, "label": "", "exists": true, "found": true, "changed": false, "at": 1},
	other,
)
