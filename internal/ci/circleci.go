package ci

import "github.com/rulecheck/rulecheck/internal/diff"

// circleCI reads https://circleci.com/docs/reference/variables/. No variable names the
// target of a pull request; only configurations of pipelines can use it.
func circleCI(Env) diff.CI { return diff.CI{Event: build} }
