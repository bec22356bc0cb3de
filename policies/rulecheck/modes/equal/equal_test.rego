package rulecheck.modes.equal_test

import data.rulecheck.modes.equal as mode

test_names_the_values_that_differ if {
	mode.violations == {{
		"path": "package.json",
		"line": 3,
		"trigger_files": {"package.json"},
		"expected": {"Cargo.toml#/package/version"},
		"related": [{"path": "Cargo.toml", "line": 2}],
		"message": `"1.0.0" in Cargo.toml#/package/version; "1.1.0" in package.json#/version`,
	}} with input as _input(["package.json"], [_key("package.json", "/version", "1.1.0", 3), _key("Cargo.toml", "/package/version", "1.0.0", 2)])
}

test_compares_a_key_with_the_content_of_a_file if {
	mode.violations == set() with input as _input(["VERSION"], [_key("package.json", "/version", "1.1.0", 3), _file("VERSION", "1.1.0\n")])
	count(mode.violations) == 1 with input as _input(["VERSION"], [_key("package.json", "/version", "1.1.0", 3), _file("VERSION", "1.1\n")])
}

test_compares_files_with_the_same_captures if {
	mode.violations == set() with input as _input(["a"], [
		object.union(_file("a", "1"), {"captures": {"x": "a"}}),
		object.union(_file("b", "2"), {"captures": {"x": "b"}}),
	])
}

test_is_content_without_anything_to_compare if {
	mode.violations == set() with input as _input(["a.json"], [_file("b", "1"), object.union(_file("a.json", "{}"), {"values": []})])
	mode.violations == set() with input as _input(["gone"], [_file("b", "1"), _file("c", "2")])
}

test_cuts_long_values if {
	some violation in mode.violations with input as _input(["a"], [_file("a", sprintf("%0100d", [1])), _file("b", "1")])
	violation.message == sprintf("%q… in a; \"1\" in b", [sprintf("%060d", [0])])
}

_input(changed, files) := {
	"matches": {"equal": [{"path": path, "captures": {}} | some path in changed]},
	"files": {"equal": files},
}

_key(path, pointer, text, line) := {
	"path": path,
	"captures": {},
	"content": "",
	"values": [{"pointer": pointer, "text": text, "line": line, "column": 1}],
}

_file(path, content) := {"path": path, "captures": {}, "content": content}
