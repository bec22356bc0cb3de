# METADATA
# title: Files that change together
# description: >-
#   If any file of a correspondence changes, all of it must change, or with
#   `require: exists` be there.
# custom:
#   params:
#     set: {type: patterns, at_least: 2, distinct: true, captures: same}
#     require: {type: string, one_of: [changed, exists], default: changed}
#   facts: [correspondences]
#   listing: files
package rulecheck.modes.set

import data.rulecheck.lib

# METADATA
# description: One violation for each changed file of a correspondence that is not whole.
violations contains _violation(cause.path, missing, places) if {
	wanted := lib.wanted
	some correspondence in input.correspondences
	lacking := [member |
		some member in correspondence.members
		not member[wanted]
	]
	count(lacking) > 0 # most are whole, and this is quickly said

	places := _places(correspondence.members)
	missing := lib.missing(places)
	count(missing) > 0
	not _gone(places)

	some cause in correspondence.members
	cause.trigger
}

# A file that a wildcard stands for is no place of its own: its pattern is.
_places(members) := [member |
	some member in members
	not _stood_for(member)
]

_stood_for(member) if {
	member.path
	member.pattern
}

# To delete a correspondence as a whole is to obey.
_gone(places) if {
	lib.wanted == "exists"
	every place in places {
		not place.exists
	}
}

_violation(path, missing, _) := lib.lacks(path, missing) if not path in missing

# The changed file is itself what is missing: others of the correspondence are left.
_violation(path, missing, places) := object.union(lib.lacks(path, missing), {"message": message}) if {
	path in missing
	left := {lib.name(place) | some place in places; place[lib.wanted]}
	message := sprintf("%s was deleted without %s", [path, lib.listed(left)])
}
