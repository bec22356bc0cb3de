package rulecheck.modes.commits_test

import data.rulecheck.modes.commits as mode

test_names_the_commit_with_another_subject if {
	mode.violations == {{"message": `commit 0123456 "Parse dates": the subject does not match ^(feat|fix): `}} with input as _input(
		{"commits.subject": "^(feat|fix): "},
		[_commit("Parse dates", []), _commit("fix: Parse dates", [])],
	)
}

test_is_content_with_any_of_several_subjects if {
	mode.violations == set() with input as _input(
		{"commits.subject": ["^feat: ", "^fix: "]},
		[_commit("fix: a", []), _commit("feat: b", [])],
	)
}

test_names_the_missing_trailers if {
	mode.violations == {{"message": `commit 0123456 "a": no trailer Signed-off-by`}} with input as _input(
		{"commits.trailers": ["Signed-off-by", "Issue"]},
		[_commit("a", [{"key": "issue", "value": "#1"}]), _commit("b", [{"key": "Signed-Off-By", "value": "A <a@b.c>"}, {"key": "Issue", "value": "#2"}])],
	)
}

test_wants_a_value_of_a_trailer if {
	count(mode.violations) == 1 with input as _input({"commits.trailers": "Issue"}, [_commit("a", [{"key": "Issue", "value": ""}])])
}

test_leaves_out_subjects_that_git_writes if {
	mode.violations == set() with input as _input(
		{"commits.subject": "^fix: "},
		[_commit("fixup! fix: a", []), _commit("Revert \"fix: a\"", [])],
	)
}

test_wants_trailers_of_commits_with_such_subjects if {
	count(mode.violations) == 3 with input as _input(
		{"commits.trailers": "Signed-off-by"},
		[_commit("fixup! fix: a", []), _commit("Revert \"fix: a\"", []), _commit("Merge evil", [])],
	)
}

test_leaves_out_what_is_excepted if {
	mode.violations == {{"message": `commit 0123456 "fixup! b": the subject does not match ^fix: `}} with input as _input(
		{"commits.subject": "^fix: ", "commits.trailers": "Issue", "commits.except": "^(WIP|fixup! a)"},
		[_commit("WIP", []), _commit("fixup! a", []), _commit("fixup! b", [{"key": "Issue", "value": "1"}])],
	)
}

test_leaves_out_commits_with_several_parents if {
	params := {"commits.subject": "^fix: ", "commits.trailers": "Issue"}
	merge := object.union(_commit("Merge branch 'a'", []), {"merge": true})
	mode.violations == set() with input as _input(params, [merge])
	count(mode.violations) == 2 with input as _input(params, [object.union(merge, {"merge": false})])
}

test_names_the_message_being_written if {
	mode.violations == {{"message": `the message "wip": the subject does not match ^fix: `}} with input as _input(
		{"commits.subject": "^fix: "},
		[{"subject": "wip", "body": "", "trailers": []}],
	)
}

_input(params, commits) := {"rule": {"params": params}, "commits": commits}

_commit(subject, trailers) := {
	"id": "0123456789012345678901234567890123456789",
	"subject": subject,
	"body": "",
	"author": {"name": "A", "email": "a@b.c"},
	"trailers": trailers,
}
