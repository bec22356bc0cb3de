# METADATA
# title: Unfinished work
# description: No added line has a note on unfinished work.
# custom:
#   params: {todo: patterns}
#   facts: [matches, added_lines]
package rulecheck.modes.todo

violations contains {"path": match.path, "line": added.line, "message": "unfinished"} if {
	some match in input.matches.todo
	some added in match.change.added_lines
	contains(added.text, "TODO")
}
