package diff_test

import (
	"strings"
	"testing"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// TestTarget checks which tip counts for the rules and settings of a change, with each
// engine: never one that the author of the change chooses.
func TestTarget(t *testing.T) {
	s, commits := ciSandbox(t)
	s.git("fetch", "-q", "origin", "refs/pull/1/merge")
	s.git("checkout", "-q", "--detach", commits["fork"])
	s.git("merge", "-q", "--no-ff", "-m", "evil", commits["topic"])
	commits["evil"] = s.git("rev-parse", "HEAD")
	s.git("remote", "add", "stranger", "../stranger")
	s.git("update-ref", "refs/remotes/stranger/main", commits["topic"])
	s.git("symbolic-ref", "refs/remotes/stranger/HEAD", "refs/remotes/stranger/main")
	s.git("branch", "-q", "release", commits["fork"])
	s.git("tag", "tagged", commits["fork"])
	origin := s.git("config", "remote.origin.url")
	name := strings.Join(strings.Split(origin, "/")[len(strings.Split(origin, "/"))-2:], "/")
	pull := diff.CI{Event: "pull_request", SHA: commits["merge"], BaseRef: "main", HeadSHA: commits["topic"], DefaultBranch: "main"}
	with := func(ci diff.CI, change func(*diff.CI)) *diff.CI {
		change(&ci)
		return &ci
	}
	event := func(name string) *diff.CI { return &diff.CI{Event: name, DefaultBranch: "main"} }
	zeros := strings.Repeat("0", 40)
	for _, c := range []struct {
		name, at string
		request  diff.BaseRequest
		want     string // a commit, or the beginning of the error
	}{
		{"the default branch", "topic", diff.BaseRequest{}, "main"},
		{"of a configuration", "topic", diff.BaseRequest{DefaultBranch: "release"}, "fork"},
		{"a branch that is named", "topic", diff.BaseRequest{Ref: "release"}, "fork"},
		{"a remote's branch that is named", "topic", diff.BaseRequest{Ref: "stranger/main"}, "topic"},
		{"by its whole name", "topic", diff.BaseRequest{Ref: "refs/heads/release"}, "fork"},
		{"a tag that is named", "topic", diff.BaseRequest{Ref: "tagged"}, "main"},
		{"a commit that is named", "topic", diff.BaseRequest{Ref: commits["fork"]}, "main"},
		{"HEAD", "topic", diff.BaseRequest{Ref: "HEAD"}, "main"},
		{"an ancestor that is named", "topic", diff.BaseRequest{Ref: "release~0"}, "main"},
		{"a pattern that is named", "topic", diff.BaseRequest{Ref: "rel*"}, "main"},
		{"the merge that GitHub made", "merge", diff.BaseRequest{CI: &pull}, "main"},
		{"a merge that the author made", "evil", diff.BaseRequest{CI: &pull}, "main"},
		{"said to be GitHub's, for another head", "evil", diff.BaseRequest{CI: with(pull, func(c *diff.CI) { c.SHA, c.HeadSHA = commits["evil"], commits["main"] })}, "main"},
		{"said to be its own merge", "evil", diff.BaseRequest{CI: with(pull, func(c *diff.CI) { c.SHA, c.HeadSHA = commits["evil"], commits["evil"] })}, "main"},
		{"the merge of the payload", "merge", diff.BaseRequest{CI: with(pull, func(c *diff.CI) { c.SHA, c.MergeSHA = commits["main"], commits["merge"] })}, "main"},
		{"a pull request for another branch", "topic", diff.BaseRequest{CI: with(pull, func(c *diff.CI) { c.BaseRef = "nosuch" })}, `unknown revision "origin/nosuch"`},
		{"a pull request without a branch", "topic", diff.BaseRequest{CI: with(pull, func(c *diff.CI) { c.BaseRef = "" })}, "the event that started this run does not name the branch"},
		{"a review", "merge", diff.BaseRequest{CI: with(pull, func(c *diff.CI) { c.Event = "pull_request_review" })}, "main"},
		{"a push to the default branch", "main", diff.BaseRequest{CI: with(*event("push"), func(c *diff.CI) { c.Before, c.Ref = commits["fork"], "refs/heads/main" })}, "fork"},
		{"a push to a branch", "topic", diff.BaseRequest{CI: with(*event("push"), func(c *diff.CI) { c.Before, c.Ref = commits["fork"], "refs/heads/topic" })}, "main"},
		{"a new branch", "topic", diff.BaseRequest{CI: with(*event("push"), func(c *diff.CI) { c.Before, c.Ref = zeros, "refs/heads/main" })}, "main"},
		{"a merge group", "merge", diff.BaseRequest{CI: with(*event("merge_group"), func(c *diff.CI) { c.BaseSHA = commits["fork"] })}, "fork"},
		{"a merge group without a base", "merge", diff.BaseRequest{CI: event("merge_group")}, "main"},
		{"by hand", "topic", diff.BaseRequest{CI: event("workflow_dispatch")}, "main"},
		{"another workflow", "evil", diff.BaseRequest{CI: event("workflow_run")}, "main"},
		{"a comment", "evil", diff.BaseRequest{CI: event("issue_comment")}, "main"},
		{"the repository's remote", "topic", diff.BaseRequest{CI: with(pull, func(c *diff.CI) { c.Repository = strings.ToUpper(name) })}, "main"},
		{"no remote of the repository", "topic", diff.BaseRequest{CI: with(pull, func(c *diff.CI) { c.Repository = "owner/name" })}, `no remote is the repository "owner/name"`},
		{"no remote of the repository, other event", "topic", diff.BaseRequest{CI: with(*event("workflow_run"), func(c *diff.CI) { c.Repository = "owner/name" })}, `no remote is the repository "owner/name"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.git("checkout", "-q", "-B", "topic", commits[c.at])
			s.git("config", "branch.topic.remote", "stranger")
			for _, e := range engines {
				engine, err := e.open(t, s)
				if err != nil {
					t.Fatal(err)
				}
				c.request.ID, c.request.Head = diff.Target, s.head(engine, diff.Worktree)
				got, err := engine.Resolve(t.Context(), c.request)
				switch want, known := commits[c.want]; {
				case err != nil && refused(err):
				case known && (err != nil || got.Commit != want || got.ID != diff.Target):
					t.Errorf("%s: %+v, %v; want %s, %s", e.name, got, err, c.want, want)
				case !known && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
					t.Errorf("%s: %+v, %v; want %q", e.name, got, err, c.want)
				}
			}
		})
	}
}

// TestTargetBeforeTheFirstCommit checks that nothing counts where there is nothing.
func TestTargetBeforeTheFirstCommit(t *testing.T) {
	s := newSandbox(t)
	p := s.program()
	got, err := p.Resolve(t.Context(), diff.BaseRequest{ID: diff.Target, Head: s.head(p, diff.Worktree)})
	if err != nil || got.Commit != diff.EmptyTree("sha1") {
		t.Errorf("%+v, %v; want the empty tree", got, err)
	}
}
