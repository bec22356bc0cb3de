# METADATA
# title: Test runs
# description: >-
#   Sets `untested` when a tool changes a file, and takes it back when a command that
#   `pattern` matches succeeds. A call whose outcome the agent does not pass takes
#   nothing back.
# custom:
#   events: [after_tool]
#   params:
#     pattern:
#       type: regex
#       default: '^((npm|pnpm|yarn|bun)( run)?( --?[^ ]+)* (t|test|test:[^ ]+|check)( |$)|(make|just|task|go|cargo|mvn|mvnw|gradle|gradlew|mix|dotnet|swift|zig|rake|rails|sbt|stack|cabal|deno|bazel|flutter|dart|composer|hatch|poe)( .*)? (test|tests|check|verify|nextest)( |$)|(pytest|py\.test|tox|nox|jest|vitest|mocha|ava|rspec|phpunit|ctest|behave)( |$)|python[0-9.]* (-[^ ]+ )*-m (pytest|unittest)( |$))'
#   vars: {untested: false}
package rulecheck.behaviors.test_runs

# METADATA
# description: Whether a file was changed after the last tests that succeeded.
updates["untested"] if {
	input.tool_kind == "file_edit"
	not input.failed
} else := false if {
	input.succeeded
	some command in input.command.commands
	regex.match(input.with.pattern, command.text)
}
