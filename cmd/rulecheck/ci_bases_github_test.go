package main

import (
	"fmt"
	"strings"
)

const zeros = "0000000000000000000000000000000000000000"

// payload is an event about a pull request from a repository.
func payload(action, target, head, merge, from string) string {
	return fmt.Sprintf(`{"action": %q, "pull_request": {"base": {"ref": %q}, "merge_commit_sha": "{%s}", "head": {"sha": "{%s}", "repo": {"full_name": %q}}}, "repository": {"default_branch": "main"}}`,
		action, target, merge, head, from)
}

// gitHubBases are runs on GitHub: https://docs.github.com/actions/reference/workflows-and-actions/events-that-trigger-workflows
func gitHubBases() []baseCase {
	const self = "someone/project"
	ref := "GITHUB_REF=refs/heads/topic"
	named := func(event string, env ...string) []string { return append(env, "GITHUB_EVENT_NAME="+event) }
	merged := "first parent of the pull request's merge into "
	var cases []baseCase
	for _, action := range []string{"opened", "synchronize", "reopened", "ready_for_review", "labeled", "edited"} {
		cases = append(cases, baseCase{
			name: "GitHub, pull request " + action, clone: onGitHub, ref: "refs/pull/1/merge", depth: 2,
			env: named("pull_request", "GITHUB_SHA={pull1}", "GITHUB_BASE_REF=main"), event: payload(action, "main", "t3", "pull1", self),
			base: "one", foundBy: merged + "main (GitHub)",
		})
	}
	builds := "merge base with origin/main (default branch, GitHub)"
	push := func(before string) string {
		return fmt.Sprintf(`{"before": %q, "repository": {"default_branch": "main"}}`, before)
	}
	group := func(base string) string {
		return fmt.Sprintf(`{"merge_group": {"base_sha": "{%s}"}, "repository": {"default_branch": "main"}}`, base)
	}
	cases = append(cases, []baseCase{
		{
			name: "GitHub, pull request, depth 1", clone: onGitHub, ref: "refs/pull/1/merge", depth: 1,
			env: named("pull_request", "GITHUB_SHA={pull1}", "GITHUB_BASE_REF=main"), event: payload("opened", "main", "t3", "pull1", self),
			fix: "git fetch --depth=2 origin {pull1}", after: "one", foundBy: merged + "main (GitHub)",
		},
		{
			name: "GitHub, pull request from a fork", clone: onGitHub, ref: "refs/pull/1/merge",
			env: named("pull_request", "GITHUB_SHA={pull1}", "GITHUB_BASE_REF=main"), event: payload("opened", "main", "t3", "pull1", "other/project"),
			base: "one", foundBy: merged + "main (GitHub)",
		},
		{
			name: "GitHub, stacked pull request", clone: onGitHub, ref: "refs/pull/2/merge", depth: 2,
			env: named("pull_request", "GITHUB_SHA={pull2}", "GITHUB_BASE_REF=topic"), event: payload("opened", "topic", "s1", "pull2", self),
			base: "t3", foundBy: merged + "topic (GitHub)",
		},
		{
			name: "GitHub, stacked pull request, its own commit", clone: onGitHub, ref: "refs/heads/stacked",
			env: named("pull_request", "GITHUB_SHA={pull2}", "GITHUB_BASE_REF=topic"), event: payload("opened", "topic", "s1", "pull2", self),
			base: "t3", foundBy: "merge base with origin/topic (base of the pull request, GitHub)",
		},
		{
			name: "GitHub, pull request for another branch since it was opened", clone: onGitHub, ref: "refs/pull/3/merge", depth: 2,
			env: named("pull_request", "GITHUB_SHA={pull3}", "GITHUB_BASE_REF=release"), event: payload("edited", "release", "t3", "pull3", self),
			base: "r1", foundBy: merged + "release (GitHub)",
		},
		{
			name: "GitHub, pull request's own commit, depth 1", clone: onGitHub, ref: "refs/heads/topic", depth: 1,
			env: named("pull_request", "GITHUB_SHA={pull1}", "GITHUB_BASE_REF=main"), event: payload("opened", "main", "t3", "pull1", self),
			fix: "git fetch --unshallow origin +main:refs/remotes/origin/main", after: "fork", foundBy: "merge base with origin/main (base of the pull request, GitHub)",
		},
		{
			name: "GitHub, review of a pull request", clone: onGitHub, ref: "refs/pull/1/merge", depth: 2,
			env: named("pull_request_review", "GITHUB_SHA={pull1}"), event: payload("submitted", "main", "t3", "pull1", self),
			base: "one", foundBy: merged + "main (GitHub)",
		},
		{
			name: "GitHub, pull_request_target that checks out the pull request", clone: onGitHub, ref: "refs/heads/topic",
			env: named("pull_request_target", "GITHUB_SHA={two}", "GITHUB_BASE_REF=main"), event: payload("opened", "main", "t3", "pull1", self),
			base: "fork", foundBy: "merge base with origin/main (base of the pull request, GitHub)",
		},
		{
			name: "GitHub, merge group", clone: onGitHub, ref: "refs/tags/queue1", depth: 2,
			env: named("merge_group", "GITHUB_SHA={queue1}"), event: group("one"), base: "one", foundBy: "base of the merge group (GitHub)",
		},
		{
			name: "GitHub, second merge group of a queue", clone: onGitHub, ref: "refs/tags/queue2", depth: 2,
			env: named("merge_group", "GITHUB_SHA={queue2}"), event: group("queue1"), base: "queue1", foundBy: "base of the merge group (GitHub)",
		},
		{
			name: "GitHub, merge group of both", clone: onGitHub, ref: "refs/tags/queue2",
			env: named("merge_group", "GITHUB_SHA={queue2}"), event: group("one"), base: "one", foundBy: "base of the merge group (GitHub)",
		},
		{
			name: "GitHub, merge group that squashes", clone: onGitHub, ref: "refs/tags/squashed", depth: 2,
			env: named("merge_group", "GITHUB_SHA={squashed}"), event: group("one"), base: "one", foundBy: "base of the merge group (GitHub)",
		},
		{
			name: "GitHub, merge group, depth 1", clone: onGitHub, ref: "refs/tags/queue1", depth: 1,
			env: named("merge_group", "GITHUB_SHA={queue1}"), event: group("one"),
			fix: "git fetch --depth=1 origin {one}", after: "one", foundBy: "base of the merge group (GitHub)",
		},
		{
			name: "GitHub, push", clone: onGitHub, ref: "refs/heads/topic", depth: 3,
			env: named("push", ref), event: push("{t1}"), base: "t1", foundBy: "commit before the push (GitHub)",
		},
		{
			name: "GitHub, push, depth 1", clone: onGitHub, ref: "refs/heads/topic", depth: 1,
			env: named("push", ref), event: push("{t1}"),
			fix: "git fetch --depth=1 origin {t1}", after: "t1", foundBy: "commit before the push (GitHub)",
		},
		{
			name: "GitHub, push to the default branch", clone: onGitHub, ref: "refs/heads/main", depth: 2,
			env: named("push", "GITHUB_REF=refs/heads/main"), event: push("{one}"), base: "one", foundBy: "commit before the push (GitHub)",
		},
		{
			name: "GitHub, first push", clone: onGitHub, ref: "refs/heads/topic",
			env: named("push", ref), event: push(zeros), base: "fork", foundBy: builds,
		},
		{
			name: "GitHub, forced push", clone: onGitHub, ref: "refs/heads/topic",
			env: named("push", ref), event: push("{replaced}"),
			fix: "git fetch origin {replaced}", after: "replaced", foundBy: "commit before the push (GitHub)",
		},
		{
			name: "GitHub, new tag", clone: onGitHub, ref: "refs/tags/t2",
			env: named("push", "GITHUB_REF=refs/tags/t2"), event: push(zeros), base: "fork", foundBy: builds,
		},
		{
			name: "GitHub, push without a commit before it", clone: onGitHub, ref: "refs/heads/topic",
			env: named("push", ref), event: push(""), fix: "rulecheck --since REF",
		},
		{
			name: "GitHub, schedule of a branch", clone: onGitHub, ref: "refs/heads/topic",
			env: named("schedule"), event: push(""), base: "fork", foundBy: builds,
		},
	}...)
	for event := range strings.FieldsSeq("workflow_dispatch repository_dispatch release workflow_run issue_comment") {
		cases = append(cases, baseCase{
			name: "GitHub, " + event, clone: onGitHub, ref: "refs/heads/topic", env: named(event), event: push(""), base: "fork", foundBy: builds,
		})
	}
	return append(cases, baseCase{
		name: "GitHub, workflow_dispatch, depth 1", clone: onGitHub, ref: "refs/heads/topic", depth: 1, env: named("workflow_dispatch"), event: push(""),
		fix: "git fetch --unshallow origin main:main", after: "fork", foundBy: builds,
	})
}
