# METADATA
# title: Blocks that change together
# description: >-
#   If a block between `LINT.IfChange(label)` and `LINT.ThenChange(//path:label, …)` in
#   comments of a matching file changes, the files and blocks that it names must change
#   too. Targets that do not exist and malformed directives are findings.
# custom:
#   params:
#     ifchange: patterns
#   facts: [matches, directives]
#   examples:
#     - |
#       ---
#       ifchange: "**"
#       ---
#       Change the blocks that belong together.
#
#       ```rulecheck
#       M limits.go
#       - // LINT.IfChange(size)
#       - const size = 1
#       - // LINT.ThenChange(//limits.md)
#       + // LINT.IfChange(size)
#       + const size = 2
#       + // LINT.ThenChange(//limits.md)
#       = limits.md
#       --
#       limits.go:1 -> limits.md
#       ```
#
#       ```rulecheck
#       M limits.go
#       - // LINT.IfChange(size)
#       - const size = 1
#       - // LINT.ThenChange(//limits.md)
#       + // LINT.IfChange(size)
#       + const size = 2
#       + // LINT.ThenChange(//limits.md)
#       M limits.md
#       - 1
#       + 2
#       --
#       silent
#       ```
package rulecheck.modes.ifchange

# METADATA
# description: One violation for each target of a changed block that did not change.
violations contains violation if {
	some file in input.directives
	some block in file.blocks
	block.changed
	some target in block.targets
	target.exists
	target.found
	not target.changed

	violation := {
		"path": file.path,
		"line": block.line,
		"expected": [target.path],
		"related": [{"path": target.path, "line": target.at} | not endswith(target.path, "/")],
		"trigger_files": [file.path],
		"message": sprintf("this block changed without %s", [target.name]),
	}
}

# METADATA
# description: One violation for each target that is not at head.
violations contains violation if {
	some file in input.directives
	some block in file.blocks
	some target in block.targets
	message := _missing(target)

	violation := {
		"path": file.path,
		"line": target.line,
		"trigger_files": _triggers(file),
		"message": message,
	}
}

# METADATA
# description: One violation for each mistake in directives.
violations contains violation if {
	some file in input.directives
	some problem in file.problems

	violation := {
		"path": file.path,
		"line": problem.line,
		"trigger_files": [file.path],
		"message": _about(problem),
	}
}

_missing(target) := sprintf("missing target %s: no such file or directory; want a path that exists", [target.path]) if {
	not target.exists
}

_missing(target) := sprintf("missing label %q in %s; want a block there with LINT.IfChange(%s)", [target.label, target.path, target.label]) if {
	target.exists
	not target.found
}

# Of a file that did not change, the change as a whole broke the reference.
_triggers(file) := [file.path] if file.changed

_triggers(file) := [] if not file.changed

_about(problem) := sprintf("malformed directive: %s", [problem.message]) if problem.kind == "malformed"

_about(problem) := sprintf("orphan directive: %s", [problem.message]) if problem.kind == "orphan"

_about(problem) := problem.message if not problem.kind in {"malformed", "orphan"}
