# METADATA
# title: Functions of conditions about files at head
# description: Go looks for the files and in their lines, and passes what it found by pattern.
package conditions.functions

# METADATA
# description: Whether a file matches the pattern.
file_exists(pattern) if input.file[pattern].exists

# METADATA
# description: Whether a file matches the pattern that has a line that the expression matches.
file_has(pattern, expression) if input.file[pattern].lines[expression]
