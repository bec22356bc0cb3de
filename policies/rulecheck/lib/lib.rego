# METADATA
# title: Helpers of several modes
# description: Reads only the rule from the input; modes pass the facts as arguments.
package rulecheck.lib

# METADATA
# description: The field of a place that must be true, as the rule's `require` sets it.
# scope: document
default wanted := "changed"

wanted := "exists" if input.rule.params.require == "exists"

# METADATA
# description: The places of a correspondence that are not satisfied, by name.
missing(places) := {name |
	some place in places
	not place[wanted]
	name := object.get(place, "path", object.get(place, "pattern", "")) # inlined from name, to save a call for each place
}

# METADATA
# description: The path of a place, or its pattern if it has wildcards.
name(place) := object.get(place, "path", object.get(place, "pattern", ""))

# METADATA
# description: The violation of a changed file without its counterparts.
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
# description: The names of a set in one line; of more than three, the first three and a count.
listed(names) := concat(", ", names) if {
	count(names) <= 3
} else := sprintf("%s and %d more", [concat(", ", first), count(names) - 3]) if {
	first := array.slice(sort(names), 0, 3)
}
