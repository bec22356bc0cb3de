# METADATA
# title: Equal values
# description: >-
#   If a value that `equal` names changes, all of them must be equal: the values of keys,
#   and the whole content of files without a key. Values in files of one format are compared
#   as that format means them, as `1` and `1.0` in JSON; those in files of several formats by
#   how they are written, without quotes. With captures, those whose paths and keys
#   bind the same ones. Files and keys that do not exist are not compared. The finding names
#   the values that differ from the changed ones. An unchanged file that cannot be read is a
#   notice, a changed one makes the rule fail.
# custom:
#   params:
#     equal: {type: files, several: true, distinct: true, captures: same, parts: true}
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
#     - |
#       ---
#       equal: "packages/*/package.json#/version"
#       ---
#       Give all packages one version.
#
#       ```rulecheck
#       M packages/a/package.json
#       - {"version": "1.0"}
#       + {"version": "1.1"}
#       M packages/b/package.json
#       - {"version": "1.0"}
#       + {"version": "1.1"}
#       = packages/c/package.json
#       + {"version": "1.0"}
#       --
#       packages/a/package.json, packages/b/package.json -> packages/c/package.json#/version
#       ```
#
#       ```rulecheck
#       M packages/a/package.json
#       - {"version": "1.0"}
#       + {"version": "1.1"}
#       M packages/b/package.json
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
	values := _comparable([value | some value in _values; value.captures == captures])
	forms := {value.form | some value in values}
	count(forms) > 1

	matches := [match | some match in input.matches.equal; match.captures == captures]
	changed := _changed(values, matches)
	count(changed) > 0

	wrong := [value | some value in values; value.form in _wrong(forms, values, changed)]
	first := array.concat([value | some value in changed; value in wrong], changed)[0]
	violation := {
		"path": first.path,
		"line": first.line,
		"trigger_files": {value.path | some value in changed},
		"expected": {value.name | some value in wrong},
		"related": [{"path": value.path, "line": value.line} | some value in wrong; value != first],
		"message": concat("; ", [_described(form, values) | some form in sort(forms)]),
	}
}

# The values that changed. If none of the changed keys has one, as after a list became a text,
# all in the changed files.
_changed(values, matches) := changed if {
	changed := [value | some value in values; _names(matches, value)]
	count(changed) > 0
} else := [value | some value in values; value.path in {match.path | some match in matches}]

_names(matches, value) if {
	some match in matches
	match.path == value.path
	not match.keys
}

_names(matches, value) if {
	some match in matches
	match.path == value.path
	value.pointer in {key.pointer | some key in match.keys}
}

# Values with the form in which equal ones are the same: in files of one format their values,
# else their texts.
_comparable(values) := [object.union(value, {"form": _form(value, formats)}) | some value in values] if {
	formats := {value.format | some value in values}
}

_form(value, formats) := value.value if count(formats) == 1

_form(value, formats) := value.text if count(formats) > 1

# The forms that differ from the one that most changed values have; where several have as many,
# from the one of these that most values have. If that is not clear either, no form is wrong
# alone, and all of them are.
_wrong(forms, values, changed) := forms - leading if {
	leading := _most(_most(forms, changed), values)
	count(leading) == 1
} else := forms

# Those of some forms that most values have.
_most(forms, values) := {form | some form in forms; counts[form] == max([n | some n in counts])} if {
	counts := {form: count([value | some value in values; value.form == form]) | some form in forms}
}

_described(form, values) := sprintf("%s in %s", [written, lib.listed(names)]) if {
	names := {value.name | some value in values; value.form == form}
	written := _written({value | some value in values; value.form == form}, values)
}

# As it is written, with its type if a value of another form is written so too.
_written(same, values) := sprintf("%s (%s)", [_short(text), split(one.value, " ")[0]]) if {
	text := min({value.text | some value in same})
	some one in same
	one.text == text
	some other in values
	other.text == text
	other.form != one.form
} else := _short(min({value.text | some value in same}))

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
		"pointer": key.pointer,
		"captures": key.captures,
		"text": key.text,
		"value": key.value,
		"format": file.format,
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
		"value": trim_space(file.content),
		"format": "",
		"line": 1,
	}
}
