# METADATA
# title: New files
# description: The instructions apply if a new file matches `created`. A renamed file is not new.
# custom:
#   params:
#     created: patterns
#   facts: [matches]
#   listing: files
package rulecheck.modes.created

# METADATA
# description: One violation for each new file.
violations contains violation if {
	some match in input.matches.created
	match.change.status == "added"

	violation := {
		"path": match.path,
		"trigger_files": [match.path],
		"message": sprintf("%s was created", [match.path]),
	}
}
