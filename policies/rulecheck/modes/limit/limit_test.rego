package rulecheck.modes.limit_test

import data.rulecheck.modes.limit as mode

test_is_silent_about_what_is_as_large_as_it_may_be if {
	params := {"limit.files": 2, "limit.added_lines": 30, "limit.bytes": 3000, "limit.file_bytes": 2000}
	mode.violations == set() with input as _input(params, [_change("a", 10, 1000), _change("b", 20, 2000)])
}

test_adds_up_the_whole_change if {
	mode.violations == {
		_whole("the change has 2 files; want at most 1"),
		_whole("the change adds 30 lines; want at most 29"),
		_whole("the change has files of 3,000 bytes; want at most 2,999"),
	} with input as _input(
		{"limit.files": 1, "limit.added_lines": 29, "limit.bytes": 2999},
		[_change("a", 10, 1000), _change("b", 20, 2000)],
	)
}

test_names_each_file_that_is_too_large if {
	mode.violations == {{
		"path": "b",
		"trigger_files": ["b"],
		"message": "b has 2,000 bytes; want at most 1,999",
	}} with input as _input({"limit.file_bytes": 1999}, [_change("a", 10, 1000), _change("b", 20, 2000)])
}

test_counts_a_deleted_file_without_bytes if {
	deleted := {"path": "b", "status": "deleted", "added_count": 0, "lfs": false}
	mode.violations == {_whole("the change has 2 files; want at most 1")} with input as _input(
		{"limit.files": 1, "limit.bytes": 1000, "limit.file_bytes": 1000},
		[_change("a", 10, 1000), deleted],
	)
}

test_counts_no_bytes_of_files_in_lfs if {
	stored := object.union(_change("b", 3, 2000), {"lfs": true})
	mode.violations == set() with input as _input({"limit.bytes": 1000, "limit.file_bytes": 1000}, [_change("a", 10, 1000), stored])
}

test_counts_a_rename_once if {
	change := object.union(_change("b", 10, 1000), {"status": "renamed", "old_path": "a"})
	mode.violations == set() with input as {
		"rule": {"params": {"limit.files": 1, "limit.added_lines": 10}},
		"matches": {"limit.of": [
			{"path": "a", "captures": {}, "change": change},
			{"path": "b", "captures": {}, "change": change},
		]},
	}
}

_input(params, changes) := {
	"rule": {"params": params},
	"matches": {"limit.of": [{"path": change.path, "captures": {}, "change": change} | some change in changes]},
}

_change(path, added, size) := {"path": path, "status": "modified", "added_count": added, "size": size, "lfs": false}

_whole(message) := {"trigger_files": {"a", "b"}, "message": message}
