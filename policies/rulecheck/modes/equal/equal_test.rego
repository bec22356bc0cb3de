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

test_compares_values_in_one_format if {
	number := {"text": "1", "value": "number 1e0"}
	mode.violations == set() with input as _input(["a.json"], [_valued("a.json", "JSON", number), _valued("b.json", "JSON", {"text": "1.0", "value": "number 1e0"})])

	some violation in mode.violations with input as _input(["a.json"], [_valued("a.json", "JSON", number), _valued("b.json", "JSON", {"text": "1", "value": "text 1"})])
	violation.message == `"1" (number) in a.json#/v; "1" (text) in b.json#/v`
}

test_compares_texts_across_formats if {
	number := _valued("a.json", "JSON", {"text": "1", "value": "number 1e0"})
	mode.violations == set() with input as _input(["a.json"], [number, _valued("b.yaml", "YAML", {"text": "1", "value": "!!str 1"})])
	count(mode.violations) == 1 with input as _input(["a.json"], [number, _valued("b.yaml", "YAML", {"text": "1.0", "value": "!!float 1e0"})])
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

test_names_only_what_differs_from_the_changed_values if {
	some violation in mode.violations with input as _input(["a"], [_file("a", "2"), _file("b", "2"), _file("c", "1")])
	violation.expected == {"c"}
	violation.related == [{"path": "c", "line": 1}]
}

test_follows_most_where_the_changed_values_differ if {
	files := [_file("a", "1"), _file("b", "2"), _file("c", "1")]
	some violation in mode.violations with input as _input(["a", "b"], files)
	violation.expected == {"b"}
	violation.path == "b"
	some of_all in mode.violations with input as _input(["a", "b"], [_file("a", "1"), _file("b", "2")])
	of_all.expected == {"a", "b"}
}

test_takes_the_key_that_changed if {
	file := {"path": "a.json", "captures": {}, "content": "", "format": "JSON", "values": [
		{"pointer": "/x", "text": "1", "value": "number 1e0", "line": 1, "column": 1, "captures": {}},
		{"pointer": "/y", "text": "2", "value": "number 2e0", "line": 2, "column": 1, "captures": {}},
	]}
	named := {"matches": {"equal": [{"path": "a.json", "captures": {}, "keys": [{"pointer": "/y"}]}]}, "files": {"equal": [file]}}
	some violation in mode.violations with input as named
	violation.expected == {"a.json#/x"}
	other := {"matches": {"equal": [{"path": "a.json", "captures": {}, "keys": [{"pointer": "/z"}]}]}, "files": {"equal": [file]}}
	some of_file in mode.violations with input as other
	of_file.expected == {"a.json#/x", "a.json#/y"}
}

_input(changed, files) := {
	"matches": {"equal": [{"path": path, "captures": {}} | some path in changed]},
	"files": {"equal": files},
}

_key(path, pointer, text, line) := _valued(path, "JSON", {"pointer": pointer, "text": text, "value": sprintf("text %s", [text]), "line": line}) if endswith(path, ".json")

_key(path, pointer, text, line) := _valued(path, "TOML", {"pointer": pointer, "text": text, "value": sprintf("String %s", [text]), "line": line}) if endswith(path, ".toml")

_valued(path, format, value) := {
	"path": path,
	"captures": {},
	"content": "",
	"format": format,
	"values": [object.union({"column": 1, "captures": {}, "line": 1, "pointer": "/v"}, value)],
}

_file(path, content) := {"path": path, "captures": {}, "content": content}
