package ci_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulecheck/rulecheck/internal/ci"
	"github.com/rulecheck/rulecheck/internal/diff"
)

func env(values map[string]string) ci.Env { return func(name string) string { return values[name] } }

var (
	one   = strings.Repeat("1", 40)
	two   = strings.Repeat("2", 40)
	three = strings.Repeat("3", 40)
)

// tests has at least one run on every system.
var tests = []struct {
	name string
	env  map[string]string
	want *diff.CI
}{
	{"none", map[string]string{"CI": "true", "CHANGE_TARGET": "main", "CI_COMMIT_SHA": "x"}, nil},
	{"a variable with another value", map[string]string{"TF_BUILD": "no"}, nil},
	{
		"GitLab, merge request",
		map[string]string{
			"GITLAB_CI": "true", "CI_PIPELINE_SOURCE": "merge_request_event", "CI_COMMIT_SHA": one, "CI_DEFAULT_BRANCH": "main",
			"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "release/2", "CI_MERGE_REQUEST_PROJECT_PATH": "group/shop", "CI_PROJECT_PATH": "fork/shop",
			"CI_SERVER_URL": "https://gitlab.example",
		},
		&diff.CI{
			Host: "GitLab", Event: "pull_request", SHA: one, HeadSHA: one, BaseRef: "release/2", DefaultBranch: "main",
			Repository: "group/shop", Server: "https://gitlab.example",
		},
	},
	{
		"GitLab, merge train, in a child pipeline",
		map[string]string{
			"GITLAB_CI": "true", "CI_PIPELINE_SOURCE": "parent_pipeline", "CI_COMMIT_SHA": one, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
			"CI_MERGE_REQUEST_TARGET_BRANCH_SHA": two, "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA": three,
		},
		&diff.CI{Host: "GitLab", Event: "pull_request", SHA: one, HeadSHA: three, BaseSHA: two, BaseRef: "main"},
	},
	{
		"GitLab, branch",
		map[string]string{"GITLAB_CI": "true", "CI_PIPELINE_SOURCE": "push", "CI_COMMIT_BEFORE_SHA": two, "CI_COMMIT_BRANCH": "topic"},
		&diff.CI{Host: "GitLab", Event: "push", Before: two, Ref: "refs/heads/topic"},
	},
	{
		"GitLab, tag",
		map[string]string{"GITLAB_CI": "true", "CI_PIPELINE_SOURCE": "push", "CI_COMMIT_TAG": "v1"},
		&diff.CI{Host: "GitLab", Event: "push", Ref: "refs/tags/v1"},
	},
	{
		"Azure, Azure Repos",
		map[string]string{
			"TF_BUILD": "True", "SYSTEM_PULLREQUEST_TARGETBRANCH": "refs/heads/main",
			"BUILD_SOURCEVERSION": one, "SYSTEM_PULLREQUEST_SOURCECOMMITID": two,
		},
		&diff.CI{Host: "Azure", Event: "pull_request", BaseRef: "main", SHA: one, HeadSHA: two},
	},
	{
		"Azure, GitHub",
		map[string]string{"TF_BUILD": "True", "SYSTEM_PULLREQUEST_TARGETBRANCH": "main"},
		&diff.CI{Host: "Azure", Event: "pull_request", BaseRef: "main"},
	},
	{
		"Bitbucket",
		map[string]string{"BITBUCKET_BUILD_NUMBER": "7", "BITBUCKET_PR_DESTINATION_BRANCH": "main", "BITBUCKET_PR_DESTINATION_COMMIT": "1234567"},
		&diff.CI{Host: "Bitbucket", Event: "pull_request", BaseRef: "main"},
	},
	{
		"Buildkite",
		map[string]string{"BUILDKITE": "true", "BUILDKITE_PULL_REQUEST": "false", "BUILDKITE_PULL_REQUEST_BASE_BRANCH": "", "BUILDKITE_PIPELINE_DEFAULT_BRANCH": "trunk"},
		&diff.CI{Host: "Buildkite", Event: "build", DefaultBranch: "trunk"},
	},
	{
		"Buildkite, merge queue",
		map[string]string{"BUILDKITE": "true", "BUILDKITE_MERGE_QUEUE_BASE_COMMIT": one},
		&diff.CI{Host: "Buildkite", Event: "merge_group", BaseSHA: one},
	},
	{"CircleCI", map[string]string{"CIRCLECI": "true"}, &diff.CI{Host: "CircleCI", Event: "build"}},
	{
		"Jenkins",
		map[string]string{"JENKINS_URL": "https://ci.example", "CHANGE_TARGET": "main"},
		&diff.CI{Host: "Jenkins", Event: "pull_request", BaseRef: "main"},
	},
}

func TestRead(t *testing.T) {
	seen := map[string]bool{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ci.Read(env(tt.env))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
		if tt.want != nil {
			seen[tt.want.Host] = true
		}
	}
	for _, s := range ci.Systems() {
		if !seen[s.Name] {
			t.Errorf("no run on %s is tested", s.Name)
		}
	}
}

func TestReadRefusesWhatIsNoCommit(t *testing.T) {
	for name, values := range map[string]map[string]string{
		"CI_COMMIT_BEFORE_SHA":               {"CI_PIPELINE_SOURCE": "push"},
		"CI_MERGE_REQUEST_TARGET_BRANCH_SHA": {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"},
		"CI_COMMIT_SHA":                      {},
	} {
		values["GITLAB_CI"], values[name] = "true", "--upload-pack=x"
		_, err := ci.Read(env(values))
		if err == nil || err.Error() != `GitLab names the commit "--upload-pack=x"; want a commit id` {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestPullRequests(t *testing.T) {
	type variables = map[string]string
	text := func(s string) *string { return &s }
	yes, no := true, false
	gitLab := variables{"GITLAB_CI": "true", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_MERGE_REQUEST_TITLE": "Draft: parse"}
	with := func(more variables) variables {
		all := maps.Clone(gitLab)
		maps.Copy(all, more)
		return all
	}
	for name, test := range map[string]struct {
		env  variables
		want diff.PullRequest
	}{
		"GitLab": {
			with(variables{"CI_MERGE_REQUEST_DESCRIPTION": "b", "CI_MERGE_REQUEST_LABELS": "a,b c", "CI_MERGE_REQUEST_DRAFT": "true"}),
			diff.PullRequest{Title: text("Draft: parse"), Body: text("b"), Draft: &yes, Labels: []string{"a", "b c"}},
		},
		"GitLab, nothing more":               {with(variables{"CI_MERGE_REQUEST_DRAFT": "false"}), diff.PullRequest{Title: text("Draft: parse"), Body: text(""), Draft: &no}},
		"GitLab, a part of the text":         {with(variables{"CI_MERGE_REQUEST_DESCRIPTION": "b", "CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED": "true"}), diff.PullRequest{Title: text("Draft: parse")}},
		"GitLab, another system's":           {variables{"GITLAB_CI": "true", "CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME": "main"}, diff.PullRequest{}},
		"Jenkins":                            {variables{"JENKINS_URL": "x", "CHANGE_TARGET": "main", "CHANGE_TITLE": "T"}, diff.PullRequest{Title: text("T")}},
		"Buildkite, a draft":                 {variables{"BUILDKITE": "true", "BUILDKITE_PULL_REQUEST_BASE_BRANCH": "main", "BUILDKITE_PULL_REQUEST_DRAFT": "true"}, diff.PullRequest{Draft: &yes}},
		"Azure, which has no such variables": {variables{"TF_BUILD": "True", "SYSTEM_PULLREQUEST_TARGETBRANCH": "main"}, diff.PullRequest{}},
	} {
		got, err := ci.Read(func(name string) string { return test.env[name] })
		if err != nil || !got.AboutPullRequest() {
			t.Fatalf("%s: %+v, %v; want a pull request", name, got, err)
		}
		if d := cmp.Diff(test.want, got.PullRequest); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}
