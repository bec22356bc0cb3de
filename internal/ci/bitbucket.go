package ci

import "github.com/rulecheck/rulecheck/internal/diff"

// bitbucket reads https://support.atlassian.com/bitbucket-cloud/docs/variables-and-secrets/.
// Before a pull request is built its target is merged into it.
// BITBUCKET_PR_DESTINATION_COMMIT is not read, because it may be a short id.
func bitbucket(env Env) diff.CI { return requestOr(env("BITBUCKET_PR_DESTINATION_BRANCH")) }
