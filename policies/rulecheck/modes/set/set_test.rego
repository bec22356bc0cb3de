package rulecheck.modes.set_test

import data.rulecheck.modes.set as mode

test_names_the_counterpart_left_behind if {
	mode.violations == {{
		"trigger_files": {"src/a.py"},
		"expected": {"tests/a_test.py"},
	}} with input as _input("changed", [_changed("src/a.py"), _left("tests/a_test.py")])
}

test_is_content_where_all_changed if {
	mode.violations == set() with input as _input("changed", [_changed("src/a.py"), _changed("tests/a_test.py")])
}

test_does_not_care_which_of_them_changed if {
	mode.violations == {_violation("b", {"a"})} with input as _input("changed", [_left("a"), _changed("b")])
	mode.violations == {_violation("a", {"b"})} with input as _input("changed", [_changed("a"), _left("b")])
}

test_is_one_violation_for_all_changed_files if {
	expected := {_violation_of({"a", "b"}, {"c"})}
	mode.violations == expected with input as _input("changed", [_changed("a"), _changed("b"), _left("c")])
}

test_names_all_that_is_left_behind if {
	mode.violations == {_violation("a", {"b", "c"})} with input as _input("changed", [_changed("a"), _left("b"), _left("c")])
}

test_keeps_correspondences_apart if {
	mode.violations == {_violation("b.c", {"b.h"})} with input as {
		"rule": {"params": {"require": "changed"}},
		"correspondences": [
			{"captures": {"x": "a"}, "members": [_changed("a.c"), _changed("a.h")]},
			{"captures": {"x": "b"}, "members": [_changed("b.c"), _left("b.h")]},
		],
	}
}

test_blames_every_file_of_a_wildcard_for_what_it_leaves_behind if {
	expected := {_violation_of({"api/x.proto", "api/y.proto"}, {"api/CHANGES"})}
	mode.violations == expected with input as _input("changed", [
		_wildcard("api/*.proto", ["api/x.proto", "api/y.proto"]),
		_left("api/CHANGES"),
		_of("api/*.proto", _changed("api/x.proto")),
		_of("api/*.proto", _changed("api/y.proto")),
	])
}

test_expects_a_wildcard_by_its_pattern if {
	expected := {_violation("api/CHANGES", {"api/*.proto"})}
	mode.violations == expected with input as _input("changed", [_wildcard("api/*.proto", []), _changed("api/CHANGES")])
}

test_does_not_blame_a_file_that_is_no_trigger if {
	excluded := object.union(_changed("a"), {"trigger": false})
	mode.violations == {_violation("b", {"c"})} with input as _input("changed", [excluded, _changed("b"), _left("c")])
}

test_wants_a_deleted_file_to_take_its_counterpart_along if {
	mode.violations == {_violation("a", {"b"})} with input as _input("changed", [_deleted("a"), _left("b")])
	mode.violations == set() with input as _input("changed", [_deleted("a"), _deleted("b")])
}

test_is_content_with_unchanged_files_that_exist_if_asked_so if {
	mode.violations == set() with input as _input("exists", [_changed("a"), _left("b")])
}

test_names_what_does_not_exist_if_asked_so if {
	mode.violations == {{
		"trigger_files": {"a"},
		"expected": {"b"},
	}} with input as _input("exists", [_changed("a"), _absent("b"), _left("c")])
}

test_says_what_a_deleted_file_leaves_behind if {
	mode.violations == {{
		"trigger_files": {"a"},
		"expected": {"a"},
		"message": "a was deleted without b, c",
	}} with input as _input("exists", [_deleted("a"), _left("b"), _left("c")])
}

test_says_what_deleted_files_leave_behind if {
	mode.violations == {{
		"trigger_files": {"a", "b"},
		"expected": {"a", "b"},
		"message": "a, b were deleted without c",
	}} with input as _input("exists", [_deleted("a"), _deleted("b"), _left("c")])
}

test_blames_the_files_that_exist_for_a_deleted_one if {
	mode.violations == {{
		"trigger_files": {"a", "b", "c"},
		"expected": {"a"},
	}} with input as _input("exists", [_deleted("a"), _changed("b"), _changed("c")])
}

test_is_content_where_all_is_gone_if_asked_to_exist if {
	mode.violations == set() with input as _input("exists", [_deleted("a"), _deleted("b"), _absent("c")])
}

test_does_not_expect_a_deleted_file_where_its_wildcard_has_others if {
	mode.violations == set() with input as _input("exists", [
		_wildcard("api/*.proto", ["api/x.proto"]),
		_left("api/CHANGES"),
		_of("api/*.proto", _deleted("api/x.proto")),
	])
}

test_wants_only_the_files_that_exist_to_change_if_asked_so if {
	mode.violations == {_violation("a.c", {"a.h"})} with input as _input("changed_if_exists", [_changed("a.c"), _left("a.h"), _absent("a.md")])
	mode.violations == set() with input as _input("changed_if_exists", [_changed("a.c"), _absent("a.md")])
}

_input(require, members) := {
	"rule": {"params": {"require": require}},
	"correspondences": [{"captures": {}, "members": members}],
}

_changed(path) := {"param": "set", "path": path, "changed": true, "exists": true, "satisfied_by": [path], "trigger": true}

_left(path) := {"param": "set", "path": path, "changed": false, "exists": true, "satisfied_by": [], "trigger": false}

_absent(path) := object.union(_left(path), {"exists": false})

_deleted(path) := object.union(_changed(path), {"exists": false})

_wildcard(pattern, files) := {
	"param": "set",
	"pattern": pattern,
	"changed": count(files) > 0,
	"exists": true,
	"satisfied_by": files,
	"trigger": false,
}

_of(pattern, member) := object.union(member, {"pattern": pattern})

_violation(path, expected) := _violation_of({path}, expected)

_violation_of(paths, expected) := {
	"trigger_files": paths,
	"expected": expected,
}
