# METADATA
# title: Changes of an API
# description: >-
#   The exported symbols of the changed files that match `files` are not removed or
#   changed, or what else `forbid` lists; by default both. A symbol that is no longer
#   exported was removed.
# custom:
#   params:
#     api.files: {type: patterns}
#     api.forbid: {type: strings, one_of: [added, removed, changed], distinct: true, optional: true}
#   facts: [matches, api]
#   examples:
#     - |
#       ---
#       api: {files: "pkg/**/*.go", forbid: [removed, changed]}
#       ---
#       Keep the old function, or wait for the next major version.
#
#       ```rulecheck
#       M pkg/text.go
#       - package text
#       - func Parse(s string) error { return nil }
#       + package text
#       + func Parse(s string, limit int) error { return nil }
#       --
#       pkg/text.go
#       ```
#
#       ```rulecheck
#       M pkg/text.go
#       - package text
#       - func Parse(s string) error { return nil }
#       + package text
#       + func Parse(text string) error { return read(text) }
#       + func ParseAll(texts []string) error { return nil }
#       --
#       silent
#       ```
package rulecheck.modes.api

# METADATA
# description: One violation for each exported symbol that a change removed, changed or added.
violations contains violation if {
	some what in _forbidden
	some symbol in input.api[what]
	violation := {
		"path": symbol.path,
		"line": symbol.lines.first,
		"trigger_files": {symbol.path},
		"message": sprintf("%s %s", [symbol.name, _text(what, symbol)]),
	}
}

_forbidden := {what |
	written := object.get(input.rule.params, "api.forbid", ["removed", "changed"])
	some what in array.flatten([written])
}

_text("added", symbol) := sprintf("was added to the API: %s", [_shown(symbol.after)])

_text("removed", symbol) := sprintf("was removed from the API: %s", [_shown(symbol.before)])

_text("changed", symbol) := sprintf("changed in the API: %s was %s", [_shown(symbol.after), _shown(symbol.before)])

# A signature in one line; a long one is cut.
_shown(signature) := text if {
	line := replace(strings.replace_n({"\n": " | ", " ,": ",", "( ": "(", " )": ")"}, signature), ",)", ")")
	cut := substring(line, 0, 160)
	text := concat("", [cut, _mark(line, cut)])
}

_mark(line, cut) := "" if line == cut

_mark(line, cut) := "…" if line != cut
