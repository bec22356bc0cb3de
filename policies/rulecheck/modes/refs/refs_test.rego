package rulecheck.modes.refs_test

import data.rulecheck.modes.refs as mode

test_is_silent_without_mentions if {
	mode.violations == set() with input as {"mentions": []}
}

test_reports_a_deleted_file_on_the_line_that_names_it if {
	mode.violations == {{
		"path": "a.md",
		"line": 3,
		"related": [],
		"trigger_files": ["docs/b.md"],
		"message": "names docs/b.md, which the change deletes",
	}} with input as {"mentions": [_mention(3, {})]}
}

test_shows_where_a_renamed_file_is if {
	mode.violations == {{
		"path": "a.md",
		"line": 3,
		"related": [{"path": "docs/c.md", "line": 1}],
		"trigger_files": ["docs/b.md"],
		"message": "names docs/b.md, which the change renames to docs/c.md",
	}} with input as {"mentions": [_mention(3, {"renamed_to": "docs/c.md"})]}
}

test_is_one_violation_for_each_line if {
	violations := mode.violations with input as {"mentions": [_mention(3, {}), _mention(5, {})]}
	{violation.line | some violation in violations} == {3, 5}
}

test_does_not_count_new_lines_and_ignored_names if {
	mode.violations == set() with input as {"mentions": [_mention(3, {"new": true}), _mention(4, {"ignored": true})]}
}

test_is_one_violation_for_a_directory_that_is_gone if {
	mode.violations == {{
		"path": "a.md",
		"line": 9,
		"related": [{"path": "a.md", "line": 20}, {"path": "b.md", "line": 1}],
		"trigger_files": ["docs/b.md"],
		"message": "names docs/, which the change renames to pages/; 2 more lines name something in docs/, which is gone",
	}} with input as {"mentions": [
		_mention(20, {"directory": "docs/"}),
		_mention(9, {"name": "docs/", "directory": "docs/", "renamed_to": "pages/"}),
		_mention(1, {"path": "b.md", "directory": "docs/"}),
		_mention(1, {"path": "b.md", "directory": "docs/", "name": "docs/c.md", "removed": "docs/c.md"}),
	]}
}

test_names_the_only_other_line if {
	violations := mode.violations with input as {"mentions": [
		_mention(1, {"directory": "docs/"}),
		_mention(2, {"directory": "docs/"}),
	]}
	{violation.message | some violation in violations} == {concat("", [
		"names docs/b.md, which the change deletes",
		"; 1 more line names something in docs/, which is gone",
	])}
}

test_needs_no_other_line if {
	violations := mode.violations with input as {"mentions": [_mention(1, {"directory": "docs/"})]}
	{violation.message | some violation in violations} == {"names docs/b.md, which the change deletes"}
}

test_lists_a_bounded_number_of_places if {
	mentions := [_mention(line, {"directory": "docs/", "renamed_to": "c.md"}) | some line in numbers.range(1, 200)]
	violations := mode.violations with input as {"mentions": mentions}
	{count(violation.related) | some violation in violations} == {100}
}

_mention(line, other) := object.union(
	{"path": "a.md", "line": line, "name": "docs/b.md", "removed": "docs/b.md", "new": false, "ignored": false},
	other,
)
