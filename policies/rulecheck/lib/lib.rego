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
# description: The field that a file must have for the rule to ask for it. Each has a param.
# scope: document
asked := "exists" if {
	input.rule.params.require == "changed_if_exists"
} else := "param"

# METADATA
# description: The places of a correspondence that are not satisfied, by name; none if one of them is and the rule expects any.
missing(places) := set() if {
	any
	some place in places
	place[wanted]
} else := {name |
	some place in places
	not place[wanted]
	not spared(place)
	name := object.get(place, "path", object.get(place, "pattern", "")) # inlined from name, to save a call for each place
}

# METADATA
# description: Whether one of the expected files is enough.
# scope: document
any if input.rule.params.expects.any

any if input.rule.params["pair.expects"].any

# METADATA
# description: Reports whether a place need not change, because nothing is there.
spared(place) if {
	input.rule.params.require == "changed_if_exists"
	not place.exists
}

# METADATA
# description: The path of a place, or its pattern if it has wildcards.
name(place) := object.get(place, "path", object.get(place, "pattern", ""))

# METADATA
# description: The violation of one changed file without its counterparts, placed in this file.
lacks(path, missing) := {"path": path, "trigger_files": {path}, "expected": missing}

# METADATA
# description: The name of a changed file that triggers a rule, with the part by which it does.
subject(trigger) := trigger.path if not trigger.part

subject(trigger) := sprintf("%s#%s", [trigger.path, trigger.part])

# METADATA
# description: The names of changed files with their parts, and the place of the part by which the first of them triggers the rule, as fields of a violation; none for a rule without parts.
parts_of(_) := {} if not parted

parts_of(triggers) := object.union({"changed": {subject(trigger) | some trigger in triggers}}, _place_of(triggers)) if parted

_place_of(triggers) := {"path": path, "line": at[0], "column": at[1]} if {
	path := min({trigger.path | some trigger in triggers})
	at := min({[trigger.line, trigger.column] |
		some trigger in triggers
		trigger.path == path
		trigger.line > 0
	})
} else := {}

# METADATA
# description: Whether a pattern of the rule may name parts of files.
# scope: document
parted if {
	walk(input.rule.params, [_, written])
	is_string(written)
	contains(written, "#")
}

# METADATA
# description: The names of a set in one line; of more than three, the first three and a count.
listed(names) := concat(", ", names) if {
	count(names) <= 3
} else := sprintf("%s and %d more", [concat(", ", first), count(names) - 3]) if {
	first := array.slice(sort(names), 0, 3)
}
