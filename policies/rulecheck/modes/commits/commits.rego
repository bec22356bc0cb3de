# METADATA
# title: Messages of commits
# description: >-
#   Each commit of the change has a subject that one of the regular expressions of
#   `subject` matches, and a trailer with each key of `trailers`. Commits with several
#   parents are not checked, nor are those whose subject matches `except`. Without `except`,
#   subjects that begin with `Revert "`, `Reapply "`, `fixup!`, `squash!` or `amend!` need
#   not match `subject`. With `--message`, the message that is being written is checked too.
# custom:
#   params:
#     commits.subject: {type: regexes, optional: true}
#     commits.trailers: {type: strings, optional: true}
#     commits.except: {type: regex, optional: true, with_any: [commits.subject, commits.trailers]}
#   facts: [commits]
#   examples:
#     - |
#       ---
#       commits: {subject: "^(feat|fix|docs): ", trailers: Signed-off-by}
#       ---
#       Begin the subject with a type, and sign off.
#
#       ```rulecheck
#       C Parse dates
#       --
#       fires
#       ```
#
#       ```rulecheck
#       C fix: Parse dates
#       + Signed-off-by: A <a@example.com>
#       --
#       silent
#       ```
package rulecheck.modes.commits

# METADATA
# description: One violation for each commit with a wrong subject.
violations contains {"message": message} if {
	some commit in _checked
	not regex.match(_generated, commit.subject)
	wanted := _texts("commits.subject")
	count(wanted) > 0
	not _matches(commit, wanted)
	message := sprintf("%s: the subject does not match %s", [_name(commit), concat(" or ", wanted)])
}

# METADATA
# description: One violation for each commit without the trailers.
violations contains {"message": message} if {
	some commit in _checked
	given := {lower(trailer.key) | some trailer in commit.trailers; trailer.value != ""}
	missing := [key | some key in _texts("commits.trailers"); not given[lower(key)]]
	count(missing) > 0
	message := sprintf("%s: no trailer %s", [_name(commit), concat(", ", missing)])
}

_checked contains commit if {
	some commit in input.commits
	not commit.merge
	not _excepted(commit)
}

_excepted(commit) if regex.match(input.rule.params["commits.except"], commit.subject)

# Subjects that git writes.
_generated := "$^" if input.rule.params["commits.except"]

_generated := `^(Revert "|Reapply "|(fixup|squash|amend)! )` if not input.rule.params["commits.except"]

_matches(commit, wanted) if {
	some expression in wanted
	regex.match(expression, commit.subject)
}

_name(commit) := sprintf("commit %s %q", [substring(commit.id, 0, 7), commit.subject])

_name(commit) := sprintf("the message %q", [commit.subject]) if not commit.id

# One text, or several.
_texts(param) := input.rule.params[param] if is_array(input.rule.params[param])

_texts(param) := [input.rule.params[param]] if is_string(input.rule.params[param])
