package check

import (
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
)

// conflictTrees begins the names of the directories at the root that Jujutsu writes into a commit
// with conflicts: the whole tree of each side (docs/technical/conflicts.md of jj-vcs/jj).
const conflictTrees = ".jjconflict-"

// refuseConflicted returns a [*diff.NoVerdictError] if a side of the comparison is a commit that
// Jujutsu made with conflicts: it holds copies of every file, and of every rule.
func refuseConflicted(list []diff.Change) error {
	for i := range list {
		for _, name := range list[i].Names() {
			if !strings.HasPrefix(name, conflictTrees) {
				continue
			}
			if tree, _, inside := strings.Cut(name, "/"); inside {
				side := "head"
				if list[i].Gone(name) {
					side = "base"
				}
				return &diff.NoVerdictError{
					Reason: fmt.Sprintf("%s is a commit of Jujutsu with conflicts, because it has the directory %q: resolve them", side, tree),
					Fix:    "jj resolve",
				}
			}
		}
	}
	return nil
}
