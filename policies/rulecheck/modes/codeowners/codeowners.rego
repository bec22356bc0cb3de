# METADATA
# title: New directories have owners
# description: >-
#   A pattern of CODEOWNERS names an owner for each new file that matches `codeowners` and
#   is in a new directory, and for each renamed file that had one. The last pattern that
#   matches a file counts, as on GitHub.
# custom:
#   params:
#     codeowners: {type: patterns, status: [added, renamed]}
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
		not owned.old_path
	}
	count(files) > 0

	violation := {
		"path": min(files),
		"trigger_files": files,
		"message": sprintf("%s/ is new and has no owner in %s", [directory, _file]),
	}
}

# METADATA
# description: One violation for each renamed file that lost its owners.
violations contains violation if {
	some owned in input.owners
	count(owned.owners) == 0
	count(owned.old_owners) > 0
	violation := {
		"path": owned.path,
		"trigger_files": {owned.path, owned.old_path},
		"message": sprintf("%s has no owner in %s; as %s it had %s", [
			owned.path,
			_file,
			owned.old_path,
			concat(", ", owned.old_owners),
		]),
	}
}

# What an owner is added to.
default _file := "CODEOWNERS"

_file := input.owners[0].file
