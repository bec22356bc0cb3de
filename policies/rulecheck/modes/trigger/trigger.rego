# METADATA
# title: Files that need attention
# description: The instructions apply if a file that matches `trigger` changes.
# custom:
#   params:
#     trigger: {type: patterns, parts: true}
#     status: {type: strings, one_of: [added, modified, deleted, renamed, type_changed, unmerged], distinct: true, optional: true, limits: status}
#     lines.added: {type: regexes, optional: true, limits: added}
#     lines.changed: {type: regexes, optional: true, limits: changed}
#     lines.removed: {type: regexes, optional: true, limits: removed}
#     lines.moved: {type: boolean, default: false, limits: moved, with_any: [lines.added, lines.changed, lines.removed]}
#   facts: [matches]
#   listing: files
#   examples:
#     - |
#       ---
#       trigger: "src/**/*.py"
#       lines: {added: "^def "}
#       ---
#       Describe new functions in the README.
#
#       ```rulecheck
#       M src/app.py
#       + def parse(text):
#       --
#       src/app.py
#       ```
#
#       ```rulecheck
#       M src/app.py
#       + # parses
#       --
#       silent
#       ```
package rulecheck.modes.trigger

# METADATA
# description: One violation for all changed files.
violations contains object.union({"trigger_files": paths}, _parts) if {
	paths := {match.path | some match in input.matches.trigger}
	paths != set()
}

# With the first of the parts by which each file triggers the rule.
_parts := {"changed": {_name(match) | some match in input.matches.trigger}} if {
	some match in input.matches.trigger
	match.parts
} else := {}

_name(match) := match.path if not match.parts

_name(match) := sprintf("%s#%s", [match.path, match.parts[0].name])
