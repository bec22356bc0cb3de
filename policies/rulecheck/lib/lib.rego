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
missing(places) := {name(place) |
	some place in places
	not place[wanted]
}

# METADATA
# description: A place as people know it, its path or, where it has wildcards, its pattern.
# scope: document
name(place) := place.path

name(place) := place.pattern if not place.path

# METADATA
# description: The violation of a changed file that lacks others.
lacks(path, missing) := {
	"path": path,
	"trigger_files": [path],
	"expected": missing,
	"message": sprintf("%s %s %s", [path, _verb[wanted], listed(missing)]),
}

_verb := {
	"changed": "changed without",
	"exists": "changed but has no",
}

# METADATA
# description: Names in one line, at most three of them spelt out.
# scope: document
listed(names) := concat(", ", sort(names)) if count(names) <= 3

listed(names) := sprintf("%s and %d more", [concat(", ", first), count(names) - 3]) if {
	count(names) > 3
	first := array.slice(sort(names), 0, 3)
}
