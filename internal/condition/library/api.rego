# METADATA
# title: Functions of conditions about exported symbols
# description: Go compares the symbols of the changed files, and passes what differs by pattern.
package conditions.functions

# METADATA
# description: Whether an exported symbol of a file that matches the pattern differs.
api_any(pattern) if true in input.exports[pattern]

# METADATA
# description: Whether an exported symbol was added.
api_added(pattern) if input.exports[pattern].added

# METADATA
# description: Whether an exported symbol was removed.
api_removed(pattern) if input.exports[pattern].removed

# METADATA
# description: Whether an exported symbol has another kind or signature.
api_changed(pattern) if input.exports[pattern].changed
