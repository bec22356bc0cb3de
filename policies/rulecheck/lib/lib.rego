# METADATA
# title: What several modes share
# description: Reads nothing of the input but the rule; modes hand over the facts.
package rulecheck.lib

# METADATA
# description: The fact of a file that satisfies the rule's `require`.
# scope: document
default wanted := "changed"

wanted := "exists" if input.rule.params.require == "exists"

# METADATA
# description: The places of a correspondence that are not satisfied, by name.
missing(places) := {name |
	some place in places
	not place[wanted]
	name := object.get(place, "path", object.get(place, "pattern", "")) # as name says, which would cost a call each
}

# METADATA
# description: A place as people know it, its path or, where it has wildcards, its pattern.
name(place) := object.get(place, "path", object.get(place, "pattern", ""))

# METADATA
# description: The violation of a changed file that lacks others.
lacks(path, missing) := {
	"path": path,
	"trigger_files": [path],
	"expected": missing,
	"message": concat(" ", [path, _verb[wanted], listed(missing)]),
}

_verb := {
	"changed": "changed without",
	"exists": "changed but has no",
}

# METADATA
# description: The names of a set in one line, at most three of them spelt out.
listed(names) := concat(", ", names) if {
	count(names) <= 3
} else := sprintf("%s and %d more", [concat(", ", first), count(names) - 3]) if {
	first := array.slice(sort(names), 0, 3)
}
