# METADATA
# title: Files that follow others
# description: >-
#   If a file that matches `trigger` changes, every file that `expects` names
#   for it must change too, or one of them with `expects: {any: […]}`. With `require: exists` it must exist instead; with
#   `require: changed_if_exists` it must change only if it exists.
# custom:
#   params:
#     pair.trigger: {type: pattern, parts: true}
#     pair.expects: {type: patterns, captures: pair.trigger, any: true, parts: true}
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
#       pair: {trigger: "api/{name}.proto", expects: "docs/{name|kebab}.md"}
#       ---
#       Describe {trigger_files} in {expected_files}.
#
#       ```rulecheck
#       M api/UserService.proto
#       --
#       api/UserService.proto -> docs/user-service.md
#       ```
#
#       ```rulecheck
#       M docs/user-service.md
#       --
#       silent
#       ```
package rulecheck.modes.pair

import data.rulecheck.lib

# METADATA
# description: One violation for all changed files that lack the same expected files. This is the common case, without a call for each file.
violations contains {"trigger_files": paths, "expected": missing} if {
	_plain
	some missing in {lacking.missing | some lacking in _plainly_lacking}
	paths := {lacking.path | some lacking in _plainly_lacking; lacking.missing == missing} # indexed: one pass for all
}

# METADATA
# description: The same for rules with parts of files, alternatives, or files that must exist.
violations contains object.union({"trigger_files": paths, "expected": missing}, lib.parts_of(causes)) if {
	not _plain
	some missing in {lacking.missing | some lacking in _lacking}
	causes := [lacking.cause | some lacking in _lacking; lacking.missing == missing]
	paths := {cause.path | some cause in causes}
}

_plain if {
	not lib.parted
	not lib.any
	lib.wanted == "changed"
}

# The changed files, each with what it lacks. As an object by what is lacking, this would
# take time quadratic in its size.
_plainly_lacking contains {"path": cause.path, "missing": missing} if {
	asked := lib.asked
	some correspondence in input.correspondences
	some lacking in correspondence.members
	not lacking.changed # cheap, and false for most correspondences
	lacking.param == "pair.expects"

	missing := {name |
		some place in correspondence.members
		not place.changed
		place.param == "pair.expects"
		place[asked]
		name := object.get(place, "path", object.get(place, "pattern", ""))
	}
	missing != set()
	some cause in correspondence.members
	cause.trigger
}

_lacking contains {"cause": cause, "missing": missing} if {
	wanted := lib.wanted
	some correspondence in input.correspondences
	some place in correspondence.members
	not place[wanted]
	place.param == "pair.expects"

	missing := lib.missing([member |
		some member in correspondence.members
		member.param == "pair.expects"
	])
	missing != set()

	some cause in correspondence.members
	cause.trigger
	_demands(cause)
}

# A deleted file needs no counterpart to exist.
_demands(cause) if cause.exists

_demands(_) if lib.wanted == "changed"
