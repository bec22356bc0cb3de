package rulecheck.modes.repeated_file_edit_test

import data.rulecheck.modes.repeated_file_edit as mode

test_fires_at_the_threshold if {
	mode.violations == {{"message": "src/main.rs edited 6 times in 3 minutes", "reached": 6}} with input as _edited(6, ["src/main.rs"])
}

test_is_silent_below_the_threshold if {
	mode.violations == set() with input as _edited(5, ["src/main.rs"])
	mode.violations == set() with input as _edited(0, [])
}

test_says_the_pattern_where_several_files_add_up if {
	mode.violations == {{
		"message": `7 edits to 2 files matching "src/.*\.rs" in 3 minutes`,
		"reached": 6,
	}} with input as _edited(7, ["src/main.rs", "src/lib.rs"])
}

test_needs_no_pattern if {
	mode.violations == {{"message": "a.go edited 2 times in 45 seconds", "reached": 2}} with input as {
		"rule": {"params": {"repeated_file_edit.threshold": 2, "repeated_file_edit.window": 45}},
		"metrics": {"count": 2, "subjects": ["a.go"], "distinct": 1},
	}
}

_edited(n, paths) := {
	"rule": {"params": {
		"repeated_file_edit.path_pattern": `src/.*\.rs`,
		"repeated_file_edit.threshold": 6,
		"repeated_file_edit.window": 180,
	}},
	"metrics": {"count": n, "subjects": paths, "distinct": count(paths)},
}
