# METADATA
# title: What is known of tasks and of those who gave them
# description: Reads variables that whoever keeps the tasks hands in.
package rulecheck.lib

# METADATA
# description: Whether somebody asked to stop.
has_stop_signal if input.vars.stop_signal == true

# METADATA
# description: Whether a task and all below it are done.
task_tree_complete(task) if input.vars.task_trees[task] == true

# METADATA
# description: Whether a person must look at a task before it is closed.
task_needs_user_review(task) if input.vars.task_reviews[task] == true
