package diff

import (
	"fmt"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// RefuseUnmerged returns a *NoVerdictError if any of the changes is unmerged: an index in
// the middle of a merge is not a tree yet.
func RefuseUnmerged(list []Change) error {
	first, n := "", 0
	for i := range list {
		if list[i].Status == Unmerged {
			if n++; n == 1 {
				first = list[i].Path
			}
		}
	}
	if n == 0 {
		return nil
	}
	quoted := strconv.Quote(first)
	reason := quoted + " is unmerged"
	if n > 1 {
		reason = fmt.Sprintf("%d paths are unmerged, the first is %s", n, quoted)
	}
	return &NoVerdictError{Reason: reason + ": resolve the conflicts", Fix: shell.Line("git", "add", "--", first)}
}

// TruncatedSearch is the notice of a changeset whose search for renames was cut short.
const TruncatedSearch = "too many files to compare: a file that was renamed and edited may be listed as deleted and added"

// HiddenNotice returns the notice that files are checked whose changes git status does not show;
// nil without names.
func HiddenNotice(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	return []string{"checked as on disk, although marks in the index hide it from git status: " + finding.ShortPathList(names) + "; see: rulecheck doctor"}
}
