# METADATA
# title: Files of an agent's plan mode
# description: Reads its argument only.
package rulecheck.lib

# METADATA
# description: Whether a path is a file in which Claude Code keeps a plan, below .claude/plans.
is_plan_file(path) if contains(sprintf("/%s", [replace(path, "\\", "/")]), "/.claude/plans/")
