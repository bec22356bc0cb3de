package ci

import "github.com/rulecheck/rulecheck/internal/diff"

// jenkins reads https://www.jenkins.io/doc/book/pipeline/multibranch/. GIT_PREVIOUS_COMMIT
// is not read: a commit that is built again would have no changes.
func jenkins(env Env) diff.CI {
	ci := requestOr(env("CHANGE_TARGET"))
	ci.PullRequest.Title = given(env("CHANGE_TITLE"))
	return ci
}
