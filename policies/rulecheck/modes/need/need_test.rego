package rulecheck.modes.need_test

import data.rulecheck.modes.need as mode

test_names_the_file_without_a_line if {
	mode.violations == {_violation("has no line that matches SPDX")} with input as _input({"need.lines": "SPDX"}, [_file(0)])
}

test_names_all_expressions if {
	mode.violations == {_violation("has no line that matches SPDX or Copyright")} with input as _input({"need.lines": ["SPDX", "Copyright"]}, [_file(0)])
}

test_is_content_with_any_line if {
	mode.violations == set() with input as _input({"need.lines": "SPDX"}, [_file(1), _file(70000)])
}

test_is_content_with_the_last_of_the_first_lines if {
	mode.violations == set() with input as _input({"need.lines": "SPDX", "need.first": 3}, [_file(3)])
}

test_says_which_later_line_matches if {
	mode.violations == {_violation("has no line that matches SPDX among its first 3; line 4 does")} with input as _input({"need.lines": "SPDX", "need.first": 3}, [_file(4)])
}

test_names_no_line_if_none_matches if {
	mode.violations == {_violation("has no line that matches SPDX among its first 3")} with input as _input({"need.lines": "SPDX", "need.first": 3}, [_file(0)])
}

test_speaks_of_the_first_line if {
	mode.violations == {_violation("has a first line that does not match SPDX; line 2 does")} with input as _input({"need.lines": "SPDX", "need.first": 1}, [_file(2)])
}

test_is_silent_without_files if {
	mode.violations == set() with input as _input({"need.lines": "SPDX"}, [])
}

_input(params, files) := {"rule": {"params": params}, "found": {"need.lines": files}}

_file(line) := {"path": "a.go", "line": line, "pattern": "SPDX"}

_violation(message) := {"path": "a.go", "line": 1, "trigger_files": ["a.go"], "message": message}
