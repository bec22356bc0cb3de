package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/check"
	"github.com/rulecheck/rulecheck/internal/ci"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// event is the part of the payload in GITHUB_EVENT_PATH that a check needs.
type event struct {
	Before      string `json:"before"`
	PullRequest struct {
		Number int      `json:"number"`
		Head   commitOf `json:"head"`
		Base   struct {
			Ref string `json:"ref"`
		} `json:"base"`
		Merge string `json:"merge_commit_sha"`
		Title string `json:"title"`
		Body  string `json:"body"`
		Draft bool   `json:"draft"`
		User  struct {
			Login string `json:"login"`
		} `json:"user"`
		Labels []struct {
			Name string `json:"name"`
		} `json:"labels"`
	} `json:"pull_request"`
	MergeGroup struct {
		BaseSHA string `json:"base_sha"`
	} `json:"merge_group"`
	Repository struct {
		DefaultBranch string `json:"default_branch"`
	} `json:"repository"`
}

type commitOf struct {
	SHA  string `json:"sha"`
	Repo *struct {
		Name string `json:"full_name"`
	} `json:"repo"`
}

// ci reads the environment of a CI system: the event that decides the base and, on GitHub,
// the text, author and labels of the pull request.
func (p *process) ci(o *check.Options) error {
	name := p.getenv("GITHUB_EVENT_NAME")
	if p.getenv("GITHUB_ACTIONS") != "true" || name == "" {
		o.Foreign = p.foreignOnGitLab()
		event, err := ci.Read(p.getenv)
		if err != nil {
			return evaluationError{err}
		}
		if o.CI = event; event != nil {
			o.Event.Labels = event.PullRequest.Labels
		}
		return nil
	}
	run := &diff.CI{
		Event: name, SHA: p.getenv("GITHUB_SHA"), Ref: p.getenv("GITHUB_REF"), BaseRef: p.getenv("GITHUB_BASE_REF"),
		Repository: p.getenv("GITHUB_REPOSITORY"), Server: p.getenv("GITHUB_SERVER_URL"),
	}
	o.Event.Name = name
	if path := p.getenv("GITHUB_EVENT_PATH"); path != "" {
		e, err := readEvent(path, run)
		if err != nil {
			return evaluationError{fmt.Errorf("GITHUB_EVENT_PATH: %w", err)}
		}
		request := e.PullRequest
		o.Foreign = p.foreignOnGitHub(run, request.Head)
		o.Waivers.PullRequest = request.Title + "\n\n" + request.Body
		o.Event.Author = request.User.Login
		for _, label := range request.Labels {
			o.Event.Labels = append(o.Event.Labels, label.Name)
		}
		run.PullRequest = diff.PullRequest{Title: &request.Title, Body: &request.Body, Draft: &request.Draft, Number: request.Number}
	}
	o.CI = run
	return nil
}

// foreignOnGitHub explains why the code may not be the repository's own; empty: there is no sign
// of that. The action decides likewise.
func (p *process) foreignOnGitHub(run *diff.CI, head commitOf) string {
	// For most events the commit of the event is that of a branch of the repository.
	own := p.repo != nil && p.repo.Head == run.SHA
	switch run.Event {
	case "push", "merge_group", "workflow_dispatch", "repository_dispatch", "schedule", "release", "create":
		return ""
	case "pull_request", "pull_request_target", "pull_request_review", "pull_request_review_comment":
		switch {
		case head.SHA == "" || own && run.Event == "pull_request_target":
			return ""
		case head.Repo == nil:
			return "the pull request is from a repository that was deleted"
		case !strings.EqualFold(head.Repo.Name, run.Repository):
			return fmt.Sprintf("the pull request is from %q", head.Repo.Name)
		}
		return ""
	}
	if own {
		return ""
	}
	return fmt.Sprintf("for the event %q another commit than that of the event is checked out", run.Event)
}

// foreignOnGitLab does the same for the pipelines of GitLab.
func (p *process) foreignOnGitLab() string {
	for _, from := range [][2]string{
		{"CI_MERGE_REQUEST_SOURCE_PROJECT_PATH", "CI_MERGE_REQUEST_PROJECT_PATH"},
		{"CI_EXTERNAL_PULL_REQUEST_SOURCE_REPOSITORY", "CI_EXTERNAL_PULL_REQUEST_TARGET_REPOSITORY"},
	} {
		source, target := p.getenv(from[0]), p.getenv(from[1])
		if p.getenv("GITLAB_CI") == "true" && source != "" && !strings.EqualFold(source, target) {
			return fmt.Sprintf("the merge request is from %q", source)
		}
	}
	return ""
}

// maxEvent is how many bytes the payload of an event has at most; GitHub's limit is 25 MB.
const maxEvent = 64 << 20

// readEvent reads the payload of the event from a file, and completes run with it.
func readEvent(path string, run *diff.CI) (e event, err error) {
	text, err := regular.ReadAtMost(path, maxEvent)
	if err != nil {
		return e, fmt.Errorf("%w; want the event's payload, as GitHub writes it", err)
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return e, fmt.Errorf("%s: %w; want the event's payload, as GitHub writes it", path, err)
	}
	run.DefaultBranch = e.Repository.DefaultBranch
	run.BaseRef = cmp.Or(run.BaseRef, e.PullRequest.Base.Ref)
	for _, id := range []struct {
		key  string
		from string
		to   *string
	}{
		{"before", e.Before, &run.Before},
		{"pull_request.head.sha", e.PullRequest.Head.SHA, &run.HeadSHA},
		{"pull_request.merge_commit_sha", e.PullRequest.Merge, &run.MergeSHA},
		{"merge_group.base_sha", e.MergeGroup.BaseSHA, &run.BaseSHA},
	} {
		if id.from != "" && !git.IsObjectID(id.from) {
			return e, fmt.Errorf("%s: %s %q; want a commit id", path, id.key, id.from)
		}
		*id.to = id.from
	}
	return e, nil
}

// frameworkRange replaces the index by the commits that the pre-commit framework
// checks: those of a push, or of its --from-ref and --to-ref. Like the framework it
// compares from the merge base; commits cannot be fixed. The framework names no first
// commit if all history is pushed.
func (p *process) frameworkRange(o *check.Options) {
	if p.getenv("PRE_COMMIT") != "1" || !o.Staged || o.From != "" || o.Since != "" {
		return
	}
	from, to := p.getenv("PRE_COMMIT_FROM_REF"), p.getenv("PRE_COMMIT_TO_REF")
	pushed := p.getenv("PRE_COMMIT_LOCAL_BRANCH")
	switch {
	case from != "" && to != "":
		o.Since, o.To = from, to
	case pushed != "":
		o.To = pushed
		if p.repo != nil {
			o.From = diff.EmptyTreeFor(p.repo.Head)
		}
	default:
		return
	}
	o.Staged, o.Commands.Fix = false, false
}
