package diff

import "context"

// Staged are the names staged in this commit, old names of renames included:
// HEAD to index, or all of the index before the first commit.
func (p *Program) Staged(ctx context.Context) (map[string]bool, error) {
	a, err := p.staged(ctx)
	if err != nil {
		return nil, err
	}
	staged := make(map[string]bool, len(a.records))
	for _, c := range changes(a.records) {
		for _, name := range c.Names() {
			staged[name] = true
		}
	}
	return staged, nil
}
