package rulecheck.modes.untested_edits_test

import data.rulecheck.modes.untested_edits as mode

test_fires_at_the_threshold if {
	mode.violations == {{"message": `5 edits of a.go without a command matching "^go test"`, "reached": 5}} with input as _edited(5, ["a.go"])
}

test_is_silent_below_the_threshold if {
	mode.violations == set() with input as _edited(4, ["a.go"])
	mode.violations == set() with input as _edited(0, [])
}

test_counts_the_files if {
	mode.violations == {{
		"message": `6 edits of 2 files without a command matching "^go test"`,
		"reached": 5,
	}} with input as _edited(6, ["a.go", "b.go"])
}

_edited(n, paths) := {
	"rule": {"params": {"untested_edits.test_pattern": "^go test", "untested_edits.threshold": 5}},
	"metrics": {"count": n, "subjects": paths, "distinct": count(paths)},
}
