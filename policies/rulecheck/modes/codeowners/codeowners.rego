# METADATA
# title: New directories have owners
# description: >-
#   A pattern of CODEOWNERS names an owner for each new file that matches `codeowners` and
#   is in a new directory. The last pattern that matches a file counts, as on GitHub.
# custom:
#   params:
#     codeowners: {type: patterns, status: added}
#   facts: [matches, owners]
#   examples:
#     - |
#       ---
#       codeowners: "**"
#       ---
#       Add the owners of {trigger_files} to CODEOWNERS.
#
#       ```rulecheck
#       = CODEOWNERS
#       + /api/ @org/api
#       A storage/disk.go
#       --
#       storage/disk.go
#       ```
#
#       ```rulecheck
#       = CODEOWNERS
#       + * @org/all
#       A storage/disk.go
#       --
#       silent
#       ```
package rulecheck.modes.codeowners

# METADATA
# description: One violation for each new directory with files that have no owner.
violations contains violation if {
	some directory in {owned.directory | some owned in input.owners; owned.directory != ""}
	files := {owned.path |
		some owned in input.owners
		owned.directory == directory
		count(owned.owners) == 0
	}
	count(files) > 0

	violation := {
		"path": min(files),
		"trigger_files": files,
		"message": sprintf("%s/ is new and has no owner in %s", [directory, _file]),
	}
}

# What an owner is added to.
default _file := "CODEOWNERS"

_file := input.owners[0].file
