package resolve

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// lost fails if a ref that leads to no commit has a log. Git deletes the log of a ref with the
// ref, so this one was not deleted: its file, or packed-refs, is damaged. Without the ref there
// would be another base, and perhaps no change.
func lost(place *git.Repo, ref string) error {
	if strings.HasSuffix(ref, "/HEAD") { // it may lead to a branch that the remote has deleted
		return nil
	}
	log := filepath.Join("logs", filepath.FromSlash(ref))
	if info, err := os.Stat(filepath.Join(place.CommonDir, log)); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		return &diff.NoVerdictError{
			Reason: "the branch " + strconv.Quote(ShortRef(ref)) + " leads to no commit, but has a log of its commits, " + filepath.ToSlash(log) +
				"; want both or none. Restore the last commit of that log",
			Fix: shell.Line("git", "update-ref", ref, "COMMIT"),
		}
	}
	return nil
}
