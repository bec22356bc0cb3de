# METADATA
# title: Commits
# description: >-
#   Sets `uncommitted` when a tool changes a file, and takes it back when `git commit`
#   succeeds. A call whose outcome the agent does not pass takes nothing back.
# custom:
#   events: [after_tool]
#   vars: {uncommitted: false}
package rulecheck.behaviors.commits

# METADATA
# description: Whether a file was changed after the last commit.
updates["uncommitted"] if {
	input.tool_kind == "file_edit"
	not input.failed
} else := false if {
	input.succeeded
	some command in input.command.commands
	command.name == "git"
	command.subcommand == "commit"
}
