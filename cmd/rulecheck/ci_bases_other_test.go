package main

// otherBases are runs on systems that name at most the branch that a pull request is for.
func otherBases() []baseCase {
	on := func(system string) string {
		return "merge base with origin/main (base of the pull request, " + system + ")"
	}
	azure := func(target string) []string {
		return []string{
			"TF_BUILD=True", "BUILD_REASON=PullRequest", "SYSTEM_PULLREQUEST_TARGETBRANCH=" + target,
			"BUILD_SOURCEVERSION={pull1}", "SYSTEM_PULLREQUEST_SOURCECOMMITID={t3}",
		}
	}
	const azureMerge = "first parent of the pull request's merge into main (Azure)"
	bitbucket := []string{"BITBUCKET_BUILD_NUMBER=1", "BITBUCKET_PR_ID=1", "BITBUCKET_PR_DESTINATION_BRANCH=main"}
	buildkite := func(target string) []string {
		return []string{"BUILDKITE=true", "BUILDKITE_PULL_REQUEST_BASE_BRANCH=" + target, "BUILDKITE_PIPELINE_DEFAULT_BRANCH=main"}
	}
	return []baseCase{
		{name: "Azure, pull request", clone: onAzure, ref: "refs/pull/1/merge", env: azure("refs/heads/main"), base: "one", foundBy: azureMerge},
		{name: "Azure, pull request on GitHub", clone: onAzure, ref: "refs/pull/1/merge", env: azure("main"), base: "one", foundBy: azureMerge},
		{
			name: "Azure, pull request, depth 1", clone: onAzure, ref: "refs/pull/1/merge", depth: 1, env: azure("refs/heads/main"),
			fix: "git fetch --depth=2 origin {pull1}", after: "one", foundBy: azureMerge,
		},
		{
			name: "Azure, branch", clone: onAzure, ref: "refs/heads/topic", env: []string{"TF_BUILD=True", "BUILD_REASON=IndividualCI"},
			base: "fork", foundBy: "merge base with origin/main",
		},
		{
			name: "Bitbucket, pull request", clone: onBitbucket + fetchTarget, ref: "refs/heads/topic", target: "main", env: bitbucket,
			base: "two", foundBy: on("Bitbucket"),
		},
		{
			name: "Bitbucket, pull request, its target not fetched", clone: onBitbucket, ref: "refs/heads/topic", target: "main", depth: 50, env: bitbucket,
			fix: "git fetch origin +main:refs/remotes/origin/main", after: "two", foundBy: on("Bitbucket"),
		},
		{
			name: "Bitbucket, branch", clone: whole, ref: "refs/heads/topic", env: []string{"BITBUCKET_BUILD_NUMBER=1"},
			base: "fork", foundBy: "merge base with origin/main (origin/HEAD)",
		},
		{name: "Buildkite, pull request", clone: whole, ref: "refs/pull/1/head", env: buildkite("main"), base: "fork", foundBy: on("Buildkite")},
		{
			name: "Buildkite, stacked pull request", clone: whole, ref: "refs/heads/stacked", env: buildkite("topic"),
			base: "t3", foundBy: "merge base with origin/topic (base of the pull request, Buildkite)",
		},
		{
			name: "Buildkite, merge queue", clone: whole, ref: "refs/tags/queue2", env: append(buildkite(""), "BUILDKITE_MERGE_QUEUE_BASE_COMMIT={queue1}"),
			base: "queue1", foundBy: "base of the merge group (Buildkite)",
		},
		{
			name: "Buildkite, branch", clone: whole, ref: "refs/heads/topic", env: buildkite(""),
			base: "fork", foundBy: "merge base with origin/main (default branch, Buildkite)",
		},
		{
			name: "CircleCI, branch", clone: whole, ref: "refs/heads/topic", env: []string{"CIRCLECI=true", "CIRCLE_BRANCH=topic"},
			base: "fork", foundBy: "merge base with origin/main (origin/HEAD)",
		},
		{
			name: "Jenkins, merged pull request", clone: onJenkins, ref: "refs/heads/topic", target: "main",
			env: []string{"JENKINS_URL=https://ci.example", "CHANGE_TARGET=main"}, base: "two", foundBy: on("Jenkins"),
		},
		{
			name: "Jenkins, pull request, its target not fetched", clone: onJenkinsUnmerged, ref: "refs/heads/topic", depth: 1,
			env: []string{"JENKINS_URL=https://ci.example", "CHANGE_TARGET=main"},
			fix: "git fetch --unshallow origin +main:refs/remotes/origin/main", after: "fork", foundBy: on("Jenkins"),
		},
		{
			name: "Jenkins, branch", clone: whole, ref: "refs/heads/topic", env: []string{"JENKINS_URL=https://ci.example", "BRANCH_NAME=topic"},
			base: "fork", foundBy: "merge base with origin/main (origin/HEAD)",
		},
		{
			name: "no CI system", clone: whole, ref: "refs/heads/topic", env: []string{"CI=true"},
			base: "fork", foundBy: "merge base with origin/main (origin/HEAD)",
		},
	}
}
