package main

// gitLabBases are pipelines on GitLab: https://docs.gitlab.com/ci/pipelines/pipeline_types/
func gitLabBases() []baseCase {
	of := func(source string, env ...string) []string {
		return append(env, "GITLAB_CI=true", "CI_PIPELINE_SOURCE="+source, "CI_DEFAULT_BRANCH=main", "CI_PROJECT_PATH=someone/project", "CI_SERVER_URL=https://gitlab.example")
	}
	request := func(target, commit string, env ...string) []string {
		return append(of("merge_request_event", env...), "CI_MERGE_REQUEST_TARGET_BRANCH_NAME="+target, "CI_COMMIT_SHA={"+commit+"}",
			"CI_MERGE_REQUEST_PROJECT_PATH=someone/project", "CI_COMMIT_BEFORE_SHA="+zeros)
	}
	merged := func(commit, into, head string) []string {
		return request("main", commit, "CI_MERGE_REQUEST_TARGET_BRANCH_SHA={"+into+"}", "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA={"+head+"}")
	}
	push := func(branch, before string) []string {
		return of("push", "CI_COMMIT_BRANCH="+branch, "CI_COMMIT_BEFORE_SHA="+before)
	}
	const target, into = "merge base with origin/main (base of the merge request, GitLab)", "commit the merge request was merged into (GitLab)"
	const before, build = "commit before the push (GitLab)", "merge base with origin/main (default branch, GitLab)"
	return []baseCase{
		{
			name: "GitLab, merge request", clone: onGitLab + fetchTarget, ref: "refs/merge-requests/1/head", target: "main",
			env: request("main", "t3"), base: "fork", foundBy: target,
		},
		{
			name: "GitLab, merge request, its target not fetched", clone: onGitLab, ref: "refs/merge-requests/1/head", depth: 20,
			env: request("main", "t3"),
			fix: "git fetch origin +main:refs/remotes/origin/main", after: "fork", foundBy: target,
		},
		{
			name: "GitLab, merge request, depth 1", clone: onGitLab + fetchTarget, ref: "refs/merge-requests/1/head", target: "main", depth: 1,
			env: request("main", "t3"), fix: "git fetch --unshallow", after: "fork", foundBy: target,
		},
		{
			name: "GitLab, stacked merge request", clone: onGitLab + fetchTarget, ref: "refs/heads/stacked", target: "topic",
			env: request("topic", "s1"), base: "t3", foundBy: "merge base with origin/topic (base of the merge request, GitLab)",
		},
		{
			// the variable is of the branch that the merge request was for
			name: "GitLab, merge request for another branch since it was opened", clone: onGitLab + fetchTarget, ref: "refs/heads/stacked", target: "topic",
			env:  append(request("topic", "s1"), "CI_MERGE_REQUEST_DIFF_BASE_SHA={fork}"),
			base: "t3", foundBy: "merge base with origin/topic (base of the merge request, GitLab)",
		},
		{
			name: "GitLab, merge request from a fork, in the parent project", clone: onGitLab + fetchTarget, ref: "refs/merge-requests/1/head", target: "main",
			env: append(request("main", "t3"), "CI_MERGE_REQUEST_SOURCE_PROJECT_PATH=other/project"), base: "fork", foundBy: target,
		},
		{
			name: "GitLab, merge request from a fork, in the fork", clone: onGitLab, ref: "refs/merge-requests/1/head",
			env: append(request("main", "t3"), "CI_PROJECT_PATH=other/project", "CI_MERGE_REQUEST_PROJECT_PATH=parent/project"),
			fix: "git remote add target https://gitlab.example/parent/project && git fetch target +refs/heads/main:refs/remotes/target/main",
		},
		{
			name: "GitLab, merged results", clone: onGitLab, ref: "refs/tags/pull1", depth: 20,
			env: merged("pull1", "one", "t3"), base: "one", foundBy: into,
		},
		{
			name: "GitLab, merged results, depth 1", clone: onGitLab, ref: "refs/tags/pull1", depth: 1,
			env: merged("pull1", "one", "t3"), fix: "git fetch --depth=1 origin {one}", after: "one", foundBy: into,
		},
		{
			name: "GitLab, merged results, the source branch checked out", clone: onGitLab + fetchTarget, ref: "refs/heads/topic", target: "main",
			env: merged("pull1", "one", "t3"), base: "fork", foundBy: target,
		},
		{
			name: "GitLab, second merge request of a train", clone: onGitLab, ref: "refs/tags/queue2", depth: 20,
			env: append(merged("queue2", "queue1", "s1"), "CI_MERGE_REQUEST_EVENT_TYPE=merge_train"), base: "queue1", foundBy: into,
		},
		{
			name: "GitLab, second merge request of a train that fast-forwards", clone: onGitLab, ref: "refs/tags/rebased2", depth: 20,
			env: append(merged("rebased2", "rebased", "s1"), "CI_MERGE_REQUEST_EVENT_TYPE=merge_train"), base: "rebased", foundBy: into,
		},
		{
			name: "GitLab, child pipeline of a merge request", clone: onGitLab + fetchTarget, ref: "refs/merge-requests/1/head", target: "main",
			env: append(request("main", "t3"), "CI_PIPELINE_SOURCE=parent_pipeline"), base: "fork", foundBy: target,
		},
		{
			name: "GitLab, external pull request", clone: onGitLab + fetchTarget, ref: "refs/heads/topic", target: "main",
			env:  of("external_pull_request_event", "CI_COMMIT_SHA={t3}", "CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME=main"),
			base: "fork", foundBy: target,
		},
		{name: "GitLab, branch", clone: onGitLab, ref: "refs/heads/topic", depth: 20, env: push("topic", "{t1}"), base: "t1", foundBy: before},
		{name: "GitLab, default branch", clone: onGitLab, ref: "refs/heads/main", depth: 20, env: push("main", "{one}"), base: "one", foundBy: before},
		{
			name: "GitLab, branch, depth 1", clone: onGitLab, ref: "refs/heads/topic", depth: 1, env: push("topic", "{t1}"),
			fix: "git fetch --depth=1 origin {t1}", after: "t1", foundBy: before,
		},
		{
			name: "GitLab, forced push", clone: onGitLab, ref: "refs/heads/topic", depth: 20, env: push("topic", "{replaced}"),
			fix: "git fetch origin {replaced}", after: "replaced", foundBy: before,
		},
		{
			name: "GitLab, new branch", clone: onGitLab, ref: "refs/heads/topic", depth: 20, env: push("topic", zeros),
			fix: "git fetch origin main:main", after: "fork", foundBy: build,
		},
		{
			name: "GitLab, new tag", clone: onGitLab, ref: "refs/tags/t2", env: of("push", "CI_COMMIT_TAG=t2", "CI_COMMIT_BEFORE_SHA="+zeros),
			fix: "git fetch origin main:main", after: "fork", foundBy: build,
		},
		{
			name: "GitLab, schedule", clone: onGitLab + fetchTarget, ref: "refs/heads/topic", target: "main", env: of("schedule", "CI_COMMIT_BEFORE_SHA="+zeros),
			base: "fork", foundBy: build,
		},
		{
			name: "GitLab, push without a commit before it", clone: onGitLab, ref: "refs/heads/topic", env: push("topic", ""),
			fix: "rulecheck --since REF",
		},
	}
}
