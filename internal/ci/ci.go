// Package ci reads the event that started a run from the environment of a CI system, in
// one file per system, which has the address of the system's documentation as it was in
// November 2026. GitHub's events are in a file, which the program reads.
package ci

import (
	"fmt"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
)

// Env returns the value of an environment variable; empty: unset.
type Env func(name string) string

// System is one CI system.
type System struct {
	Name string
	// Variable is set in every run on the system, to Value unless that is empty.
	Variable, Value string
	event           func(Env) diff.CI
}

// systems is the table of CI systems.
var systems = []System{
	{Name: "GitLab", Variable: "GITLAB_CI", Value: "true", event: gitLab},
	{Name: "Azure", Variable: "TF_BUILD", Value: "True", event: azure},
	{Name: "Bitbucket", Variable: "BITBUCKET_BUILD_NUMBER", event: bitbucket},
	{Name: "Buildkite", Variable: "BUILDKITE", Value: "true", event: buildkite},
	{Name: "CircleCI", Variable: "CIRCLECI", Value: "true", event: circleCI},
	{Name: "Jenkins", Variable: "JENKINS_URL", event: jenkins},
}

// Systems returns every system, in the order in which they are tried.
func Systems() []System { return append([]System(nil), systems...) }

// Read returns the event that started the run; nil: no known system runs it. It fails if a
// variable for the id of a commit has another value.
func Read(env Env) (*diff.CI, error) {
	for _, s := range systems {
		value := env(s.Variable)
		if value == "" || s.Value != "" && value != s.Value {
			continue
		}
		ci := s.event(env)
		ci.Host = s.Name
		for _, id := range []string{ci.SHA, ci.HeadSHA, ci.Before, ci.BaseSHA} {
			if id != "" && !git.IsObjectID(id) {
				return nil, fmt.Errorf("%s names the commit %q; want a commit id", s.Name, id)
			}
		}
		return &ci, nil
	}
	return nil, nil //nolint:nilnil // no system is no error
}

// The kinds of events, by their names on GitHub.
const (
	pullRequest = "pull_request"
	mergeGroup  = "merge_group"
	push        = "push"
	build       = "build" // about no change that the system names
)

// requestOr returns an event about a pull request for target, or about a build if target is empty.
func requestOr(target string) diff.CI {
	if target == "" {
		return diff.CI{Event: build}
	}
	return diff.CI{Event: pullRequest, BaseRef: target}
}

// given returns the value of a variable; nil if it is unset.
func given(value string) *string {
	if value == "" {
		return nil
	}
	return &value
}

// truth returns the boolean in a variable; nil if it has none.
func truth(value string) *bool {
	if value != "true" && value != "false" {
		return nil
	}
	is := value == "true"
	return &is
}
