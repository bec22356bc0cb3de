package rulecheck.lib_test

import data.rulecheck.lib

test_wants_a_change_unless_the_rule_asks_for_existence if {
	lib.wanted == "changed" with input as _require("changed")
	lib.wanted == "changed" with input as {"rule": {"params": {}}}
	lib.wanted == "exists" with input as _require("exists")
}

test_names_what_is_missing_by_path_or_else_by_pattern if {
	places := [
		{"path": "a.go", "changed": true},
		{"path": "b.go", "changed": false},
		{"pattern": "docs/a/*.md", "changed": false},
	]
	lib.missing(places) == {"b.go", "docs/a/*.md"} with input as _require("changed")
}

test_says_what_a_change_lacks if {
	lib.lacks("a.go", {"c.md", "b.md"}) == {"path": "a.go", "trigger_files": {"a.go"}, "expected": {"b.md", "c.md"}}
}

test_lists_a_single_name_bare if lib.listed({"a"}) == "a"

test_lists_three_names_in_order if lib.listed({"c", "a", "b"}) == "a, b, c"

test_counts_the_names_after_the_third if lib.listed({"e", "d", "c", "b", "a"}) == "a, b, c and 2 more"

test_is_content_with_any_place if {
	places := [{"path": "a.md", "changed": true, "exists": true}, {"path": "b.md", "changed": false, "exists": true}]
	lib.missing(places) == set() with input as _any("changed")
	lib.missing(places) == {"b.md"} with input as _require("changed")
	lib.missing([places[1]]) == {"b.md"} with input as _any("changed")
}

test_wants_one_of_the_places_that_exist if {
	places := [{"path": "a.md", "changed": false, "exists": false}, {"path": "b.md", "changed": false, "exists": true}]
	lib.missing(places) == {"b.md"} with input as _any("changed_if_exists")
	lib.missing([places[0]]) == set() with input as _any("changed_if_exists")
	lib.missing(places) == set() with input as _any("exists")
}

_any(require) := {"rule": {"params": {"require": require, "pair.expects": {"any": ["b.md", "c.md"]}}}}

_require(require) := {"rule": {"params": {"require": require}}}

test_names_the_key_of_a_trigger if {
	lib.subject({"path": "a.json"}) == "a.json"
	lib.subject({"path": "a.json", "part": "/version"}) == "a.json#/version"
	lib.subject({"path": "a.json", "part": ""}) == "a.json#"
}

test_names_the_parts_of_a_rule_about_parts if {
	triggers := [{"path": "b.json", "part": "/x", "line": 1, "column": 2}, {"path": "a.json", "part": "/y", "line": 9, "column": 2}, {"path": "a.json"}]
	lib.parts_of(triggers) == {} with input as {"rule": {"params": {"set": ["a.json", "b.json"]}}}
	lib.parts_of(triggers) == {
		"changed": {"b.json#/x", "a.json#/y", "a.json"},
		"path": "a.json",
		"line": 9,
		"column": 2,
	} with input as {"rule": {"params": {"set": ["*.json#/{k}", "*.json"]}}}
	lib.parts_of([{"path": "a.json"}]) == {"changed": {"a.json"}} with input as {"rule": {"params": {"pair.expects": ["b.json#/x"]}}}
}
