# METADATA
# title: Changes that are too large
# description: >-
#   The changed files that match `of` are together no more than `files`, add no more
#   than `added_lines` lines, and have no more than `bytes` bytes after the change. No
#   single file has more than `file_bytes` bytes. Files in Git LFS have none.
# custom:
#   params:
#     limit.added_lines: {type: integer, at_least: 1, optional: true, checks: change, facts: [added_count]}
#     limit.bytes: {type: integer, at_least: 1, optional: true, checks: change, facts: [size, lfs]}
#     limit.file_bytes: {type: integer, at_least: 1, optional: true, checks: state, facts: [size, lfs]}
#     limit.files: {type: integer, at_least: 1, optional: true, checks: change}
#     limit.of: {type: patterns, default: "**", with_any: [limit.added_lines, limit.bytes, limit.file_bytes, limit.files]}
#     status: {type: strings, one_of: [added, modified, deleted, renamed, type_changed, unmerged], distinct: true, optional: true, limits: status}
#   facts: [matches, added_count, size, lfs]
#   examples:
#     - |
#       ---
#       limit: {of: "src/**", files: 1, added_lines: 2}
#       level: note
#       ---
#       Split the change.
#
#       ```rulecheck
#       M src/a.py
#       + 1
#       M src/b.py
#       + 2
#       --
#       fires
#       ```
#
#       ```rulecheck
#       M src/a.py
#       + 1
#       + 2
#       M docs/a.md
#       + 3
#       --
#       silent
#       ```
package rulecheck.modes.limit

import data.rulecheck.lib.amounts

_params := input.rule.params

# METADATA
# description: One violation for each limit that the change as a whole exceeds.
violations contains violation if {
	some key, unit in {"limit.files": "file", "limit.added_lines": "line", "limit.bytes": "byte"}
	_total[key] > _params[key]

	violation := {
		"trigger_files": _names,
		"message": sprintf("the change %s %s; want at most %s", [
			_verb[key],
			amounts.times(_total[key], unit),
			amounts.number(_params[key]),
		]),
	}
}

# METADATA
# description: One violation for each file that is too large.
violations contains violation if {
	some change in _changes
	not change.lfs
	change.size > _params["limit.file_bytes"]

	violation := {
		"path": change.path,
		"trigger_files": [change.path],
		"message": sprintf("%s has %s; want at most %s", [
			change.path,
			amounts.times(change.size, "byte"),
			amounts.number(_params["limit.file_bytes"]),
		]),
	}
}

_verb := {"limit.files": "has", "limit.added_lines": "adds", "limit.bytes": "has files of"}

# Of a rename whose names both match, one.
_changes contains match.change if some match in input.matches["limit.of"]

_names := {change.path | some change in _changes}

_total := {
	"limit.files": count(_names),
	"limit.added_lines": sum([change.added_count | some change in _changes]),
	"limit.bytes": sum([change.size | some change in _changes; not change.lfs]),
}
