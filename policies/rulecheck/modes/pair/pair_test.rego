package rulecheck.modes.pair_test

import data.rulecheck.modes.pair as mode

test_names_the_counterpart_left_behind if {
	mode.violations == {{
		"trigger_files": {"src/a.py"},
		"expected": {"tests/a_test.py"},
	}} with input as _input("changed", [_cause("src/a.py"), _left("tests/a_test.py")])
}

test_is_content_where_every_counterpart_changed if {
	mode.violations == set() with input as _input("changed", [_cause("src/a.py"), _changed("tests/a_test.py")])
}

test_wants_every_counterpart_and_names_only_the_missing if {
	mode.violations == {{
		"trigger_files": {"src/a.py"},
		"expected": {"docs/a/*.md", "tests/a_test.py"},
	}} with input as _input("changed", [
		_cause("src/a.py"),
		_left("tests/a_test.py"),
		_changed("src/a.pyi"),
		{"param": "pair.expects", "pattern": "docs/a/*.md", "changed": false, "exists": true, "satisfied_by": [], "trigger": false},
	])
}

test_is_content_with_any_file_of_a_wildcard if {
	mode.violations == set() with input as _input("changed", [
		_cause("src/a.py"),
		{"param": "pair.expects", "pattern": "docs/a/*.md", "changed": true, "exists": true, "satisfied_by": ["docs/a/x.md"], "trigger": false},
	])
}

test_is_one_violation_for_all_causes if {
	expected := {_violation_of({"src/a.c", "src/a.h"}, "doc/a.md")}
	mode.violations == expected with input as _input("changed", [_cause("src/a.c"), _cause("src/a.h"), _left("doc/a.md")])
}

test_keeps_correspondences_apart if {
	mode.violations == {_violation("src/b.c", "doc/b.md")} with input as {
		"rule": {"params": {"require": "changed"}},
		"correspondences": [
			{"captures": {"x": "a"}, "members": [_cause("src/a.c"), _changed("doc/a.md")]},
			{"captures": {"x": "b"}, "members": [_cause("src/b.c"), _left("doc/b.md")]},
		],
	}
}

test_is_one_violation_for_correspondences_that_lack_the_same_file if {
	mode.violations == {_violation_of({"src/a.c", "src/b.c"}, "CHANGELOG.md")} with input as {
		"rule": {"params": {"require": "changed"}},
		"correspondences": [
			{"captures": {"x": "a"}, "members": [_cause("src/a.c"), _left("CHANGELOG.md")]},
			{"captures": {"x": "b"}, "members": [_cause("src/b.c"), _left("CHANGELOG.md")]},
		],
	}
}

test_demands_nothing_of_a_change_on_the_expected_side if {
	mode.violations == set() with input as _input("changed", [_changed("tests/a_test.py"), _left("docs/a.md")])
}

test_does_not_blame_a_file_that_is_no_trigger if {
	excluded := object.union(_cause("src/a.c"), {"trigger": false})
	mode.violations == {_violation("src/a.h", "doc/a.md")} with input as _input("changed", [excluded, _cause("src/a.h"), _left("doc/a.md")])
}

test_wants_a_deleted_file_to_take_its_counterpart_along if {
	mode.violations == {_violation("src/a.c", "doc/a.md")} with input as _input("changed", [
		object.union(_cause("src/a.c"), {"exists": false}),
		_left("doc/a.md"),
	])
}

test_is_content_with_an_unchanged_file_that_exists_if_asked_so if {
	mode.violations == set() with input as _input("exists", [_cause("src/a.py"), _left("tests/a_test.py")])
}

test_names_what_does_not_exist_if_asked_so if {
	mode.violations == {{
		"trigger_files": {"src/a.py"},
		"expected": {"tests/a_test.py"},
	}} with input as _input("exists", [
		_cause("src/a.py"),
		object.union(_left("tests/a_test.py"), {"exists": false}),
	])
}

test_is_not_content_with_a_counterpart_deleted_in_the_change if {
	mode.violations == {{
		"trigger_files": {"src/a.py"},
		"expected": {"tests/a_test.py"},
	}} with input as _input("exists", [
		_cause("src/a.py"),
		object.union(_changed("tests/a_test.py"), {"exists": false}),
	])
}

test_demands_nothing_to_exist_for_a_file_that_is_gone if {
	mode.violations == set() with input as _input("exists", [
		object.union(_cause("src/a.py"), {"exists": false}),
		object.union(_left("tests/a_test.py"), {"exists": false}),
	])
}

test_does_not_expect_a_gone_file_of_its_own_side_to_exist if {
	mode.violations == set() with input as _input("exists", [
		object.union(_cause("src/a.c"), {"exists": false}),
		_cause("src/a.h"),
		_left("doc/a.md"),
	])
}

test_wants_a_counterpart_that_exists_to_change if {
	mode.violations == {_violation("src/a.c", "doc/a.md")} with input as _input("changed_if_exists", [
		_cause("src/a.c"),
		_left("doc/a.md"),
		object.union(_left("doc/b.md"), {"exists": false}),
	])
}

test_spares_a_counterpart_that_does_not_exist if {
	mode.violations == set() with input as _input("changed_if_exists", [
		_cause("src/a.c"),
		object.union(_left("doc/a.md"), {"exists": false}),
	])
}

_input(require, members) := {
	"rule": {"params": {"require": require}},
	"correspondences": [{"captures": {}, "members": members}],
}

_cause(path) := {"param": "pair.trigger", "path": path, "changed": true, "exists": true, "satisfied_by": [path], "trigger": true}

_changed(path) := {"param": "pair.expects", "path": path, "changed": true, "exists": true, "satisfied_by": [path], "trigger": false}

_left(path) := {"param": "pair.expects", "path": path, "changed": false, "exists": true, "satisfied_by": [], "trigger": false}

_violation(path, expected) := _violation_of({path}, expected)

_violation_of(paths, expected) := {
	"trigger_files": paths,
	"expected": {expected},
}
