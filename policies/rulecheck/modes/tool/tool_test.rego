package rulecheck.modes.tool_test

import data.rulecheck.modes.tool as mode

test_denies_what_the_parameters_match if {
	mode.violations == {{"effect": "deny"}} with input as _call({"tool.command_pattern": "^git push"}, {"commands": [_command("yes", "no")]})
	mode.violations == {{"effect": "deny"}} with input as _call({"tool.paths": ["a"]}, {"writes": [{"path": "a", "matches": "yes"}]})
	mode.violations == {{"effect": "deny"}} with input as _call({}, {})
}

test_is_silent_about_other_calls if {
	mode.violations == set() with input as _call({}, {"named": false})
	mode.violations == set() with input as _call({"tool.command_pattern": "^git push"}, {"commands": [_command("no", "no")]})
	mode.violations == set() with input as _call({"tool.command_pattern": "^git push"}, {})
	mode.violations == set() with input as _call({}, {"condition": "no"})
}

test_excludes_single_commands if {
	mode.violations == set() with input as _call({"tool.command_not_pattern": "x"}, {"commands": [_command("yes", "yes")]})
	mode.violations == {{"effect": "deny"}} with input as _call(
		{"tool.command_not_pattern": "x"},
		{"commands": [_command("yes", "yes"), _command("yes", "no")]},
	)
}

test_asks_about_what_cannot_be_read if {
	every facts in [{"commands": [_command("maybe", "no")]}, {"opaque": [_part("command")]}] {
		mode.violations == {{"effect": "ask", "opaque": true}} with input as _call({"tool.command_pattern": "x"}, facts)
	}
	mode.violations == {{"effect": "ask", "opaque": true}} with input as _call({"tool.paths": ["a"]}, {"opaque": [_part("path")]})
	mode.violations == {{"effect": "ask", "opaque": true}} with input as _call({}, {"condition": "maybe"})
}

test_is_silent_about_unknown_paths_where_the_rule_is_about_commands if {
	mode.violations == set() with input as _call({"tool.command_pattern": "x"}, {"opaque": [_part("path")]})
}

test_allows_what_cannot_be_read_where_the_rule_says_so if {
	mode.violations == set() with input as _call({"tool.paths": ["a"], "tool.opaque": "allow"}, {"opaque": [_part("command")]})
}

_command(matches, excluded) := {"text": "x", "matches": matches, "excluded": excluded}

_part(kind) := {"kind": kind, "reason": "x", "text": "x"}

_call(params, facts) := {
	"rule": {"params": object.union({"tool.effect": "deny", "tool.opaque": "ask"}, params)},
	"call": object.union({"named": true, "condition": "yes", "commands": [], "writes": [], "opaque": []}, facts),
}
