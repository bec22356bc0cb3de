# METADATA
# title: Equal values
# description: >-
#   If a value that `equal` names changes, all of them must be equal: the values of keys,
#   and the whole content of files without a key. With captures, those whose paths bind
#   the same ones. Files and keys that do not exist are not compared.
# custom:
#   params:
#     equal: {type: files, at_least: 2, distinct: true, captures: same, keys: true}
#   facts: [files, matches]
#   examples:
#     - |
#       ---
#       equal: ["package.json#/version", "jsr.json#/version"]
#       ---
#       Give both the same version.
#
#       ```rulecheck
#       M package.json
#       - {"version": "1.0"}
#       + {"version": "1.1"}
#       = jsr.json
#       + {"version": "1.0"}
#       --
#       package.json -> jsr.json#/version
#       ```
#
#       ```rulecheck
#       M package.json
#       - {"version": "1.0"}
#       + {"version": "1.1"}
#       M jsr.json
#       - {"version": "1.0"}
#       + {"version": "1.1"}
#       --
#       silent
#       ```
package rulecheck.modes.equal

import data.rulecheck.lib

# METADATA
# description: One violation for each group of values that differ, in a file that changed.
violations contains violation if {
	some captures in {match.captures | some match in input.matches.equal}
	values := [value | some value in _values; value.captures == captures]
	texts := {value.text | some value in values}
	count(texts) > 1

	changed := {match.path | some match in input.matches.equal; match.captures == captures}
	places := [value | some value in values; value.path in changed]
	count(places) > 0

	first := places[0]
	violation := {
		"path": first.path,
		"line": first.line,
		"trigger_files": {place.path | some place in places},
		"expected": {value.name | some value in values; not value.path in changed},
		"related": [{"path": value.path, "line": value.line} | some value in values; value != first],
		"message": concat("; ", [_described(text, values) | some text in sort(texts)]),
	}
}

_described(text, values) := sprintf("%s in %s", [_short(text), lib.listed(names)]) if {
	names := {value.name | some value in values; value.text == text}
}

_short(text) := sprintf("%q", [text]) if count(text) <= _longest

_short(text) := sprintf("%q…", [substring(text, 0, _longest)]) if count(text) > _longest

_longest := 60

# Of a key.
_values contains value if {
	some file in input.files.equal
	some key in file.values
	value := {
		"path": file.path,
		"name": sprintf("%s#%s", [file.path, key.pointer]),
		"captures": file.captures,
		"text": key.text,
		"line": key.line,
	}
}

# Of a whole file.
_values contains value if {
	some file in input.files.equal
	not file.values
	value := {
		"path": file.path,
		"name": file.path,
		"captures": file.captures,
		"text": trim_space(file.content),
		"line": 1,
	}
}
