# METADATA
# title: State of tasks
# description: Reads variables that the caller sets.
package rulecheck.lib

# METADATA
# description: Whether the user asked to stop.
has_stop_signal if input.vars.stop_signal == true

# METADATA
# description: Whether a task and all tasks below it are done.
task_tree_complete(task) if input.vars.task_trees[task] == true

# METADATA
# description: Whether the user must review a task before it is closed.
task_needs_user_review(task) if input.vars.task_reviews[task] == true
