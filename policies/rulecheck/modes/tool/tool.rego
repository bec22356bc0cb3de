# METADATA
# title: Tool call
# description: >-
#   Checked before an agent uses a tool. The rule applies to the tools that `tools`,
#   `kind` and `mcp_tools` (`server:tool`) name, or to all of them. In `tools`, `Bash`
#   means each agent's tools that run commands, `Edit` and `Write` those that change
#   files, and `Read` those that read files; other names are exact. `command_pattern` and
#   `command_not_pattern` are searched in each simple command of a shell line, and
#   `paths` are compared with the files that the call writes. Parts of a line that
#   cannot be read are handled as `opaque` says: by default as the configuration's
#   `agents.opaque` does, else `ask`, or `warn` for an agent that cannot ask.
# custom:
#   params:
#     tool.tools: {type: strings, optional: true, distinct: true}
#     tool.kind: {type: strings, one_of: [command, file_edit, read, mcp, other], optional: true, distinct: true}
#     tool.mcp_tools: {type: strings, optional: true, distinct: true}
#     tool.command_pattern: {type: regex, optional: true}
#     tool.command_not_pattern: {type: regex, optional: true}
#     tool.paths: {type: patterns, optional: true}
#     tool.opaque: {type: string, one_of: [deny, ask, warn, allow], optional: true}
#     tool.effect: {type: string, one_of: [deny, ask, warn]}
#   facts: [call]
#   examples:
#     - |
#       ---
#       tool: {command_pattern: "^git push .*--force", effect: deny}
#       ---
#       Push without --force.
#
#       ```rulecheck
#       $ git push --force origin main
#       --
#       deny
#       ```
#
#       ```rulecheck
#       $ git push origin main
#       --
#       allow
#       ```
package rulecheck.modes.tool

_params := input.rule.params

# METADATA
# description: The effect on a call that the rule is about, or may be about.
violations contains {"effect": _params["tool.effect"]} if {
	input.call.named
	input.call.condition == "yes"
	_commands == "yes"
	_writes == "yes"
}

violations contains {"effect": _params["tool.opaque"], "opaque": true} if {
	_params["tool.opaque"] != "allow"
	input.call.named
	input.call.condition != "no"
	_commands != "no"
	_writes != "no"
	"maybe" in {input.call.condition, _commands, _writes}
}

_about_commands if _params["tool.command_pattern"]

_about_commands if _params["tool.command_not_pattern"]

default _commands := "no"

_commands := "yes" if {
	not _about_commands
} else := "yes" if {
	some command in input.call.commands
	command.matches == "yes"
	command.excluded == "no"
} else := "maybe" if {
	some command in input.call.commands
	command.matches != "no"
	command.excluded != "yes"
} else := "maybe" if {
	some part in input.call.opaque
	part.kind == "command"
}

default _writes := "no"

_writes := "yes" if {
	not _params["tool.paths"]
} else := "yes" if {
	some file in input.call.writes
	file.matches == "yes"
} else := "maybe" if {
	some file in input.call.writes
	file.matches == "maybe"
} else := "maybe" if {
	count(input.call.opaque) > 0
}
