package diff

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/git"
)

// Unstaged are the files that the working tree may have otherwise than the index:
// all that differ, and some that were only touched. Untracked files are left out.
func (p *Program) Unstaged(ctx context.Context) ([]Change, error) {
	args := append([]string{"diff-files", "--raw", "-z", "--no-abbrev", "--no-renames"}, pinned...)
	records, _, err := p.compared(ctx, git.Call{Args: args})
	if err != nil {
		return nil, err
	}
	return changes(records), nil
}
