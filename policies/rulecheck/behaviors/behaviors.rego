# METADATA
# title: The behaviors of observers
# description: Attaches the schema of an event to every behavior below it, so that a misspelt field is an error.
# scope: subpackages
# schemas:
#   - input: schema.event
package rulecheck.behaviors
