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

test_names_a_renamed_file_that_lost_its_owners if {
	lost := object.union(_owned("lib/x.go", "lib", []), {"old_path": "src/x.go", "old_owners": ["@a", "@b"]})
	never := object.union(_owned("lib/y.go", "lib", []), {"old_path": "y.go"})
	kept := object.union(_owned("lib/z.go", "lib", ["@c"]), {"old_path": "src/z.go", "old_owners": ["@a"]})
	wanted := {
		"path": "lib/x.go",
		"trigger_files": {"lib/x.go", "src/x.go"},
		"message": "lib/x.go has no owner in .github/CODEOWNERS; as src/x.go it had @a, @b",
	}
	mode.violations == {wanted} with input as {"owners": [lost, never, kept]}

	new := _owned("lib/new.go", "lib", [])
	mode.violations == {wanted, {
		"path": "lib/new.go",
		"trigger_files": {"lib/new.go"},
		"message": "lib/ is new and has no owner in .github/CODEOWNERS",
	}} with input as {"owners": [lost, never, kept, new]}
}

_owned(path, directory, owners) := {"path": path, "directory": directory, "owners": owners, "file": ".github/CODEOWNERS"}
