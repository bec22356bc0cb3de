# METADATA
# title: Lines that must not be added
# description: >-
#   One finding for each new line that a regular expression of `lines` matches, in a
#   file that matches `files`. Lines that moved within the change, and changes of white
#   space alone, are not new. `message` replaces the text of the finding.
# custom:
#   params:
#     forbid.files: patterns
#     forbid.lines: regexes
#     forbid.message: {type: string, optional: true}
#   facts: [matches, lines]
#   examples:
#     - |
#       ---
#       forbid: {files: "**/*.py", lines: "^ *breakpoint\\(\\)", message: Leaves a breakpoint}
#       ---
#       Remove the breakpoint.
#
#       ```rulecheck
#       M app.py
#       + import os
#       + breakpoint()
#       --
#       app.py:2
#       ```
#
#       ```rulecheck
#       M app.py
#       - breakpoint()
#       --
#       silent
#       ```
package rulecheck.modes.forbid

# METADATA
# description: One violation for each line, placed on it.
violations contains violation if {
	some line in input.lines["forbid.lines"]

	violation := {
		"path": line.path,
		"line": line.line,
		"trigger_files": [line.path],
		"message": _message(line),
	}
}

_message(_) := input.rule.params["forbid.message"]

# The text of the line may be a secret.
_message(line) := sprintf("adds a line that matches %s", [line.pattern]) if {
	not input.rule.params["forbid.message"]
}
