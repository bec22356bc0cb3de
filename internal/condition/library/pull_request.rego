# METADATA
# title: Functions of conditions about the pull request
# description: Without a pull request there are no labels.
package conditions.functions

# METADATA
# description: Whether the pull request has the label.
pr_label(name) if name in input.head.labels
