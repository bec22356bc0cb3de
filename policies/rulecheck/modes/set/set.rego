# METADATA
# title: Files that change together
# description: >-
#   If one file of a correspondence changes, all of its files must change. With
#   `require: exists` they must exist instead; with `require: changed_if_exists` those
#   that exist must change.
# custom:
#   params:
#     set: {type: patterns, at_least: 2, distinct: true, captures: same, parts: true}
#     require: {type: string, one_of: [changed, exists, changed_if_exists], default: changed, checks: {exists: existence, changed_if_exists: existing}}
#     status: {type: strings, one_of: [added, modified, deleted, renamed, type_changed, unmerged], distinct: true, optional: true, limits: status}
#     lines.added: {type: regexes, optional: true, limits: added}
#     lines.changed: {type: regexes, optional: true, limits: changed}
#     lines.removed: {type: regexes, optional: true, limits: removed}
#     lines.moved: {type: boolean, default: false, limits: moved, with_any: [lines.added, lines.changed, lines.removed]}
#   facts: [correspondences]
#   separate: true
#   listing: files
#   examples:
#     - |
#       ---
#       set: ["package.json#/version", "pyproject.toml#/project/version"]
#       ---
#       Give both the same version.
#
#       ```rulecheck
#       M package.json
#       - {"version": "1.0"}
#       + {"version": "1.1"}
#       = pyproject.toml
#       --
#       package.json -> pyproject.toml#/project/version
#       ```
#
#       ```rulecheck
#       M package.json
#       - {"version": "1.0", "private": true}
#       + {"version": "1.0"}
#       --
#       silent
#       ```
package rulecheck.modes.set

import data.rulecheck.lib

# METADATA
# description: One violation for each incomplete correspondence, with all its changed files. This is the common case, without a call for each file.
violations contains {"trigger_files": paths, "expected": missing} if {
	_plain
	asked := lib.asked
	some correspondence in input.correspondences
	missing := {name |
		some place in correspondence.members
		not place.changed # so it is not a file that matches a wildcard
		place[asked]
		name := object.get(place, "path", object.get(place, "pattern", ""))
	}
	missing != set()
	paths := {cause.path | some cause in correspondence.members; cause.trigger}
	paths != set()
}

# METADATA
# description: The same for rules with parts of files, and for files that must exist.
violations contains object.union_n([{"trigger_files": paths, "expected": missing}, lib.parts_of(causes), _deletion(causes, missing, members)]) if {
	not _plain
	wanted := lib.wanted
	some correspondence in input.correspondences
	members := correspondence.members
	missing := {lib.name(place) |
		some place in members
		not place[wanted]
		not lib.spared(place)
		not _matches_wildcard(place)
	}
	missing != set()
	not _gone(members)

	causes := [cause | some cause in members; cause.trigger]
	paths := {cause.path | some cause in causes}
	paths != set()
}

_plain if {
	not lib.parted
	lib.wanted == "changed"
}

# A file that matches a wildcard is not a place; its pattern is.
_matches_wildcard(member) if {
	member.path
	member.pattern
}

# Deleting all files of a correspondence is allowed.
_gone(members) if {
	lib.wanted == "exists"
	every member in members {
		_nowhere(member)
	}
}

_nowhere(member) if not member.exists

_nowhere(member) if _matches_wildcard(member)

# All of the changed files were deleted, and other files of the correspondence remain.
_deletion(causes, missing, members) := {"message": message} if {
	names := {lib.subject(cause) | some cause in causes}
	count(names - missing) == 0
	left := {lib.name(place) | some place in members; place[lib.wanted]; not _matches_wildcard(place)}
	message := sprintf("%s %s deleted without %s", [lib.listed(names), _was(count(names)), lib.listed(left)])
} else := {}

_was(n) := "was" if n == 1

_was(n) := "were" if n != 1
