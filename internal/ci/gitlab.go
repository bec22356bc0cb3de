package ci

import (
	"cmp"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// gitLab reads https://docs.gitlab.com/ci/variables/predefined_variables/. A pipeline for
// merged results, also one of a merge train, has the commit that the merge request was
// merged into; the tip of the target branch may be another by then, and in a train it is
// the merge request ahead. CI_MERGE_REQUEST_DIFF_BASE_SHA is not read: it is not updated if
// the target branch is changed (https://gitlab.com/gitlab-org/gitlab/-/issues/442031).
// CI_COMMIT_BEFORE_SHA is zeros for new branches and pipelines started by hand.
func gitLab(env Env) diff.CI {
	ci := diff.CI{
		SHA: env("CI_COMMIT_SHA"), DefaultBranch: env("CI_DEFAULT_BRANCH"), Server: env("CI_SERVER_URL"),
		Repository: cmp.Or(env("CI_MERGE_REQUEST_PROJECT_PATH"), env("CI_PROJECT_PATH")),
	}
	target := cmp.Or(env("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"), env("CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME"))
	switch {
	case target != "":
		ci.Event, ci.BaseRef = pullRequest, target
		ci.BaseSHA = env("CI_MERGE_REQUEST_TARGET_BRANCH_SHA")
		ci.HeadSHA = cmp.Or(env("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"), ci.SHA)
		ci.PullRequest = mergeRequest(env)
	case env("CI_PIPELINE_SOURCE") == "push":
		ci.Event, ci.Before = push, env("CI_COMMIT_BEFORE_SHA")
		if branch := env("CI_COMMIT_BRANCH"); branch != "" {
			ci.Ref = "refs/heads/" + branch
		} else {
			ci.Ref = "refs/tags/" + env("CI_COMMIT_TAG")
		}
	default:
		ci.Event = build
	}
	return ci
}

// mergeRequest reads the variables about a merge request. GitLab cuts long descriptions. A
// cut one is not used: a condition could not detect that a part is missing.
func mergeRequest(env Env) diff.PullRequest {
	r := diff.PullRequest{Title: given(env("CI_MERGE_REQUEST_TITLE")), Draft: truth(env("CI_MERGE_REQUEST_DRAFT"))}
	if r.Title != nil && env("CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED") != "true" {
		body := env("CI_MERGE_REQUEST_DESCRIPTION")
		r.Body = &body
	}
	if labels := env("CI_MERGE_REQUEST_LABELS"); labels != "" {
		r.Labels = strings.Split(labels, ",")
	}
	return r
}
