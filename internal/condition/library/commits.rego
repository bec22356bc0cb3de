# METADATA
# title: Functions of conditions about the commits of a change
# description: >-
#   Merges do not count: the merged changes have their own commits, and the subject of a
#   merge only names their source.
package conditions.functions

# METADATA
# description: The commits that count, newest first.
counted := [commit | some commit in input.commits; not commit.merge]

# METADATA
# description: Whether the expression matches the subject of a commit.
subject_any(expression) if {
	some commit in counted
	regex.match(expression, commit.subject)
}

# METADATA
# description: Whether there are commits, and the expression matches the subject of each.
subject_all(expression) if {
	count(counted) > 0
	every commit in counted {
		regex.match(expression, commit.subject)
	}
}

# METADATA
# description: Whether a commit has one of the types.
type_any(types) if {
	some commit in counted
	type_of(commit) in lowered(types)
}

# METADATA
# description: Whether there are commits, and each has one of the types.
type_all(types) if {
	count(counted) > 0
	every commit in counted {
		type_of(commit) in lowered(types)
	}
}

# METADATA
# description: >-
#   The type of a commit by Conventional Commits. A commit that is to be squashed into
#   another has the type of that.
type_of(commit) := lower(found[0][1]) if {
	found := regex.find_all_string_submatch_n(`^(?:(?:fixup|squash|amend)! )*([A-Za-z0-9_-]+)(?:\([^()]*\))?!?: `, commit.subject, 1)
}

# METADATA
# description: The types in lower case.
lowered(types) := {lower(type) | some type in types}

# METADATA
# description: Whether a commit has a trailer with the key, and a value.
trailer_any(key) if {
	some commit in counted
	some trailer in commit.trailers
	lower(trailer.key) == lower(key)
	trailer.value != ""
}

# METADATA
# description: Whether the expression matches the author of a commit.
author_any(expression) if {
	some commit in counted
	regex.match(expression, sprintf("%s <%s>", [commit.author.name, commit.author.email]))
}
