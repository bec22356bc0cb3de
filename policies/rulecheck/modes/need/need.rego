# METADATA
# title: Lines that must be there
# description: >-
#   Each new or changed file that matches `need.files` has a line that a regular
#   expression of `need.lines` matches; with `need.first`, among so many first lines. The
#   whole file counts, not only what changed. Links and submodules are no files.
# custom:
#   params:
#     need.files: patterns
#     need.lines: {type: regexes, checks: state}
#     need.first: {type: integer, at_least: 1, optional: true}
#     status: {type: strings, one_of: [added, modified, renamed, type_changed, unmerged], distinct: true, optional: true, limits: status}
#   facts: [matches, found]
#   examples:
#     - |
#       ---
#       need: {files: "**/*.go", lines: "^// SPDX-License-Identifier: ", first: 3}
#       status: added
#       ---
#       Begin new files with the licence.
#
#       ```rulecheck
#       A server.go
#       + package server
#       --
#       server.go
#       ```
#
#       ```rulecheck
#       A server.go
#       + // SPDX-License-Identifier: MIT
#       + package server
#       --
#       silent
#       ```
#
#       ```rulecheck
#       M server.go
#       + package server
#       --
#       silent
#       ```
package rulecheck.modes.need

import data.rulecheck.lib.amounts

# METADATA
# description: One violation for each file without such a line.
violations contains violation if {
	some file in input.found["need.lines"]
	not _has_line(file)

	violation := {
		"path": file.path,
		"line": 1,
		"trigger_files": [file.path],
		"message": _message(file),
	}
}

_first := input.rule.params["need.first"]

_has_line(file) if {
	file.line > 0
	not _first
}

_has_line(file) if {
	file.line > 0
	file.line <= _first
}

_message(_) := sprintf("has no line that matches %s", [_wanted]) if not _first

_message(file) := sprintf("has no line that matches %s among its first %s%s", [_wanted, _lines, _later(file)]) if _first > 1

_message(file) := sprintf("has a first line that does not match %s%s", [_wanted, _later(file)]) if _first == 1

_lines := amounts.number(_first)

_later(file) := "" if file.line == 0

_later(file) := sprintf("; line %s does", [amounts.number(file.line)]) if file.line > 0

_wanted := input.rule.params["need.lines"] if is_string(input.rule.params["need.lines"])

_wanted := concat(" or ", input.rule.params["need.lines"]) if is_array(input.rule.params["need.lines"])
