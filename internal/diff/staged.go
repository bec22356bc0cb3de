package diff

import (
	"context"

	"github.com/rulecheck/rulecheck/internal/git"
)

// Staged are the names staged in this commit, old names of renames included:
// HEAD to index, or all of the index before the first commit.
func (p *Program) Staged(ctx context.Context) (map[string]bool, error) {
	from := p.repo.Head
	if from == "" {
		from = p.emptyTree()
	}
	records, _, err := p.compared(ctx, git.Call{Args: compare(from, Head{Kind: Index}, rawForm, withRenames)})
	if err != nil {
		return nil, err
	}
	staged := make(map[string]bool, len(records))
	for _, c := range changes(records) {
		for _, name := range c.Names() {
			staged[name] = true
		}
	}
	return staged, nil
}
