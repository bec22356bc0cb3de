# METADATA
# title: Moved files
# description: Files that are moved keep their content.
# custom:
#   params: {renamed: patterns}
#   facts: [matches, changes]
package rulecheck.modes.renamed

violations contains {"trigger_files": [change.path, change.old_path], "message": "moved and edited"} if {
	some change in input.changes
	change.status == "renamed"
	change.similarity < 100
}
