package rulecheck.modes.codeowners_test

import data.rulecheck.modes.codeowners as mode

test_names_the_new_directory_without_an_owner if {
	mode.violations == {{
		"path": "c/d/x.go",
		"trigger_files": {"c/d/x.go", "c/e/y.go"},
		"message": "c/ is new and has no owner in .github/CODEOWNERS",
	}} with input as {"owners": [
		_owned("a/x.go", "a", ["@a"]),
		_owned("c/d/x.go", "c", []),
		_owned("c/e/y.go", "c", []),
		_owned("old/z.go", "", []),
	]}
}

test_names_the_file_where_there_is_none if {
	some violation in mode.violations with input as {"owners": [object.remove(_owned("c/x.go", "c", []), ["file"])]}
	violation.message == "c/ is new and has no owner in CODEOWNERS"
}

test_is_content_where_all_new_files_have_owners if {
	mode.violations == set() with input as {"owners": [_owned("a/x.go", "a", ["@a"])]}
	mode.violations == set() with input as {"owners": []}
}

_owned(path, directory, owners) := {"path": path, "directory": directory, "owners": owners, "file": ".github/CODEOWNERS"}
