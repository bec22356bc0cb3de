# METADATA
# title: Files that change together
# description: >-
#   If one file of a correspondence changes, all of its files must change, or
#   with `require: exists` must exist.
# custom:
#   params:
#     set: {type: patterns, at_least: 2, distinct: true, captures: same}
#     require: {type: string, one_of: [changed, exists], default: changed}
#   facts: [correspondences]
#   listing: files
package rulecheck.modes.set

import data.rulecheck.lib

# METADATA
# description: One violation for each changed file of an incomplete correspondence.
violations contains _violation(cause.path, missing, places) if {
	wanted := lib.wanted
	some correspondence in input.correspondences
	lacking := [member |
		some member in correspondence.members
		not member[wanted]
	]
	count(lacking) > 0 # cheap, and false for most correspondences

	places := _places(correspondence.members)
	missing := lib.missing(places)
	count(missing) > 0
	not _gone(places)

	some cause in correspondence.members
	cause.trigger
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

_violation(path, missing, _) := lib.lacks(path, missing) if not path in missing

# The changed file is itself missing: it was deleted, and others remain.
_violation(path, missing, places) := object.union(lib.lacks(path, missing), {"message": message}) if {
	path in missing
	left := {lib.name(place) | some place in places; place[lib.wanted]}
	message := sprintf("%s was deleted without %s", [path, lib.listed(left)])
}
