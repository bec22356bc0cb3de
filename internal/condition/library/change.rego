# METADATA
# title: Functions of conditions about changes
# description: >-
#   Go matches the changes and passes their statuses by pattern. A rename matches
#   by either of its names, and is neither an addition nor a deletion.
package conditions.functions

# METADATA
# description: Whether anything that matches the pattern changed.
change_any(pattern) if some _ in input.change[pattern]

# METADATA
# description: Whether a file that matches the pattern was added.
change_added(pattern) if "added" in input.change[pattern]

# METADATA
# description: Whether a file that matches the pattern was deleted.
change_deleted(pattern) if "deleted" in input.change[pattern]

# METADATA
# description: How many changes match the pattern.
change_count(pattern) := sum([1 | some _ in input.change[pattern]])
