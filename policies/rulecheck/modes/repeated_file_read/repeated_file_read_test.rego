package rulecheck.modes.repeated_file_read_test

import data.rulecheck.modes.repeated_file_read as mode

test_fires_at_the_threshold if {
	mode.violations == {{"message": "a.go read 4 times without an edit", "reached": 4}} with input as _read(4, ["a.go"], {})
}

test_is_silent_below_the_threshold if {
	mode.violations == set() with input as _read(3, ["a.go"], {})
	mode.violations == set() with input as _read(0, [], {})
}

test_says_the_pattern_where_several_files_add_up if {
	mode.violations == {{
		"message": `5 reads of 2 files matching "\.go$" without an edit within 1 minute`,
		"reached": 4,
	}} with input as _read(5, ["a.go", "b.go"], {"repeated_file_read.path_pattern": `\.go$`, "repeated_file_read.window": 60})
}

_read(n, paths, params) := {
	"rule": {"params": object.union({"repeated_file_read.threshold": 4}, params)},
	"metrics": {"count": n, "subjects": paths, "distinct": count(paths)},
}
