package rulecheck.modes.forbid_test

import data.rulecheck.modes.forbid as mode

test_is_one_violation_for_each_line if {
	mode.violations == {
		_violation(3, "adds a line that matches TODO"),
		_violation(9, "adds a line that matches FIXME"),
	} with input as _input({}, [_line(3, "TODO"), _line(9, "FIXME")])
}

test_has_the_message_of_the_rule if {
	mode.violations == {_violation(3, "Name the issue.")} with input as _input({"forbid.message": "Name the issue."}, [_line(3, "TODO")])
}

test_is_silent_without_lines if {
	mode.violations == set() with input as _input({}, [])
}

_input(params, lines) := {"rule": {"params": params}, "lines": {"forbid.lines": lines}}

_line(number, pattern) := {"path": "a.go", "line": number, "pattern": pattern}

_violation(line, message) := {"path": "a.go", "line": line, "trigger_files": ["a.go"], "message": message}
