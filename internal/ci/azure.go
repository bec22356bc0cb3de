package ci

import (
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// azure reads https://learn.microsoft.com/azure/devops/pipelines/build/variables. A pull
// request is checked out merged, as on GitHub; its target is a full name, unless the
// repository is on GitHub.
func azure(env Env) diff.CI {
	ci := requestOr(strings.TrimPrefix(env("SYSTEM_PULLREQUEST_TARGETBRANCH"), "refs/heads/"))
	ci.SHA, ci.HeadSHA = env("BUILD_SOURCEVERSION"), env("SYSTEM_PULLREQUEST_SOURCECOMMITID")
	return ci
}
