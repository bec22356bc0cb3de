package ci

import "github.com/rulecheck/rulecheck/internal/diff"

// buildkite reads https://buildkite.com/docs/pipelines/configure/environment-variables.
// Outside a pull request BUILDKITE_PULL_REQUEST_BASE_BRANCH is empty.
func buildkite(env Env) diff.CI {
	ci := requestOr(env("BUILDKITE_PULL_REQUEST_BASE_BRANCH"))
	ci.PullRequest.Draft = truth(env("BUILDKITE_PULL_REQUEST_DRAFT"))
	if base := env("BUILDKITE_MERGE_QUEUE_BASE_COMMIT"); base != "" {
		ci = diff.CI{Event: mergeGroup, BaseSHA: base}
	}
	ci.DefaultBranch = env("BUILDKITE_PIPELINE_DEFAULT_BRANCH")
	return ci
}
