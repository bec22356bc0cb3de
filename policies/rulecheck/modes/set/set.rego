# METADATA
# title: Files that change together
# description: >-
#   If one file of a correspondence changes, all of its files must change. With
#   `require: exists` they must exist instead; with `require: changed_if_exists` those
#   that exist must change.
# custom:
#   params:
#     set: {type: patterns, at_least: 2, distinct: true, captures: same, keys: true}
#     require: {type: string, one_of: [changed, exists, changed_if_exists], default: changed, checks: {exists: existence, changed_if_exists: existing}}
#     status: {type: strings, one_of: [added, modified, deleted, renamed, type_changed, unmerged], distinct: true, optional: true, limits: status}
#     lines.added: {type: regexes, optional: true, limits: added}
#     lines.changed: {type: regexes, optional: true, limits: changed}
#     lines.removed: {type: regexes, optional: true, limits: removed}
#     lines.moved: {type: boolean, default: false, limits: moved, with_any: [lines.added, lines.changed, lines.removed]}
#   facts: [correspondences]
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
# description: One violation for each incomplete correspondence, with all its changed files.
violations contains _violation(causes, missing, places) if {
	wanted := lib.wanted
	some correspondence in input.correspondences
	lacking := [member |
		some member in correspondence.members
		not member[wanted]
		not lib.spared(member)
	]
	count(lacking) > 0 # cheap, and false for most correspondences

	places := _places(correspondence.members)
	missing := lib.missing(places)
	count(missing) > 0
	not _gone(places)

	causes := [cause | some cause in correspondence.members; cause.trigger]
	count(causes) > 0
}

# A file that matches a wildcard is not a place; its pattern is.
_places(members) := [member |
	some member in members
	not _matches_wildcard(member)
]

_matches_wildcard(member) if {
	member.path
	member.pattern
}

# Deleting all files of a correspondence is allowed.
_gone(places) if {
	lib.wanted == "exists"
	every place in places {
		not place.exists
	}
}

# Changed files that are themselves missing were deleted; the message blames the others.
_violation(causes, missing, _) := object.union_n([lib.lack(others, missing), {"trigger_files": _paths(causes)}, lib.place_of(causes)]) if {
	others := {subject | some subject in _subjects(causes); not subject in missing}
	count(others) > 0
}

# All of them were deleted, and other files of the correspondence remain.
_violation(causes, missing, places) := object.union_n([lib.lack(_paths(causes), missing), {"message": message}, lib.place_of(causes)]) if {
	subjects := _subjects(causes)
	count(subjects - missing) == 0
	left := {lib.name(place) | some place in places; place[lib.wanted]}
	message := sprintf("%s %s deleted without %s", [lib.listed(subjects), _was(count(subjects)), lib.listed(left)])
}

_subjects(members) := {lib.subject(member) | some member in members}

_paths(members) := {member.path | some member in members}

_was(n) := "was" if n == 1

_was(n) := "were" if n != 1
