package diff

import (
	"cmp"
	"strconv"
	"strings"
)

// CI describes the event that started a run on a CI system. It decides the bases MergeBase,
// Prompt and Target. Nothing is fetched: a commit that a shallow clone lacks is a
// *NoVerdictError with the command that fetches it.
type CI struct {
	Host          string // the name of the system; empty: GitHub
	Event         string // by GitHub's names: pull_request, push, merge_group, workflow_dispatch, …
	SHA           string // the commit that the run was started for
	Ref           string // the ref that the run was started for: refs/heads/main
	BaseRef       string // of a pull request: its target branch
	HeadSHA       string // of a pull request: the tip of its branch
	MergeSHA      string // of a pull request: its merge with the target branch
	Before        string // of a push: the previous commit of the ref; zeros if the ref is new
	BaseSHA       string // of a merge group, or of a merge request that was merged to SHA for the run: the commit it was built on
	DefaultBranch string // of the repository on the host; used if none is configured
	Repository    string // owner/name of the repository whose workflow runs; empty: unknown
	Server        string // https://github.com, or that of an enterprise

	PullRequest PullRequest // of an event about one
}

// PullRequest describes the pull request of a run, as far as the CI system provides it.
type PullRequest struct {
	Title  *string  `json:"title,omitempty"`
	Body   *string  `json:"body,omitempty"`
	Draft  *bool    `json:"draft,omitempty"`
	Labels []string `json:"-"` // nil: not provided
	Number int      `json:"-"` // 0: not provided
}

// Via returns how something was found, with the system whose event decided it.
func (c *CI) Via(how string) string { return how + " (" + c.host() + ")" }

func (c *CI) host() string { return cmp.Or(c.Host, "GitHub") }

// Request returns the system's word for a pull request.
func (c *CI) Request() string {
	if c.Host == "GitLab" {
		return "merge request"
	}
	return "pull request"
}

// DefaultVia returns how the default branch was found if the system names it.
func (c *CI) DefaultVia() string { return "default branch, " + c.host() }

// TargetVia returns how the target branch of a pull request was found.
func (c *CI) TargetVia() string { return "base of the " + c.Request() + ", " + c.host() }

// AboutPullRequest reports whether the event is about the commits of a pull request.
func (c *CI) AboutPullRequest() bool {
	switch c.Event {
	case "pull_request", "pull_request_target", "pull_request_review", "pull_request_review_comment":
		return true
	default:
		return false
	}
}

// MadeByGitHub reports whether GitHub made a merge commit of the pull request for this
// event. An author can push any other merge.
func (c *CI) MadeByGitHub(commit string) bool {
	return commit != "" && commit != c.HeadSHA && (commit == c.SHA || commit == c.MergeSHA)
}

// PushesDefaultBranch reports whether the event is about the default branch, as far as
// that is known.
func (c *CI) PushesDefaultBranch() bool {
	return c.Ref == "" || c.DefaultBranch == "" || c.Ref == "refs/heads/"+c.DefaultBranch
}

// IsRepository reports whether a remote's URL is that of the repository whose workflow runs.
func (c *CI) IsRepository(url string) bool {
	url = strings.TrimSuffix(strings.TrimRight(strings.ToLower(url), "/"), ".git")
	name := strings.ToLower(c.Repository)
	return strings.HasSuffix(url, "/"+name) || strings.HasSuffix(url, ":"+name)
}

// PullRequestURL returns the URL of the pull request that triggered the event. It is empty for other events, and if
// the CI system does not provide the number of the pull request.
func (c *CI) PullRequestURL() string {
	if !c.AboutPullRequest() || c.PullRequest.Number <= 0 || c.Repository == "" {
		return ""
	}
	return c.RepositoryURL() + "/pull/" + strconv.Itoa(c.PullRequest.Number)
}

// RepositoryURL returns the URL of the repository whose workflow runs.
func (c *CI) RepositoryURL() string {
	return cmp.Or(c.Server, "https://github.com") + "/" + c.Repository
}
