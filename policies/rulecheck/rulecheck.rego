# METADATA
# title: The policies of rulecheck
# description: Attaches the schema of the facts to every policy below it, so that a misspelt field is an error.
# scope: subpackages
# schemas:
#   - input: schema.input
package rulecheck
