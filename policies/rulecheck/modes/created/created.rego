# METADATA
# title: New files
# description: >-
#   The instructions apply if a new file matches `created`; a renamed file is not
#   new. With `expects`, only if a file that it names for the new one does not exist,
#   or with `require: changed` did not change.
# custom:
#   params:
#     created: {type: patterns, status: [added]}
#     expects: {type: patterns, captures: created, any: true, optional: true}
#     require: {type: string, one_of: [exists, changed, changed_if_exists], default: exists, with: expects, checks: {exists: existence, changed_if_exists: existing}}
#   facts: [matches, correspondences]
#   listing: files
#   examples:
#     - |
#       ---
#       created: "src/{name}.go"
#       expects: "src/{name}_test.go"
#       ---
#       Write a test for {trigger_files}.
#
#       ```rulecheck
#       A src/date.go
#       --
#       src/date.go -> src/date_test.go
#       ```
#
#       ```rulecheck
#       A src/date.go
#       = src/date_test.go
#       --
#       silent
#       ```
package rulecheck.modes.created

import data.rulecheck.lib

# METADATA
# description: One violation for each new file.
violations contains {"path": path, "trigger_files": [path]} if {
	not input.rule.params.expects
	some path in _new
}

# METADATA
# description: One violation for each new file that lacks expected files.
violations contains {"path": cause.path, "trigger_files": [cause.path], "expected": missing} if {
	input.rule.params.expects
	some correspondence in input.correspondences
	missing := lib.missing([member | some member in correspondence.members; member.param == "expects"])
	missing != set()

	some cause in correspondence.members
	cause.trigger
	cause.path in _new
}

_new contains match.path if {
	some match in input.matches.created
	match.change.status == "added"
}
