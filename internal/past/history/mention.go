package history

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// Count returns the number of units of a range.
func Count(ctx context.Context, repo *git.Repo, r Range) (int, error) {
	if err := r.check(); err != nil {
		return 0, err
	}
	out, err := repo.Run(ctx, slices.Concat([]string{"rev-list", "--count"}, r.selection())...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

// Mentions reports whether the message of any commit of a range, merged ones included, has
// one of texts, in upper or lower case.
func Mentions(ctx context.Context, repo *git.Repo, r Range, texts ...string) (bool, error) {
	if err := r.check(); err != nil {
		return false, err
	}
	from := r.From
	if r.Max > 0 && !r.Commits {
		// The commits that the units merged are between the units and the one before.
		out, err := repo.Run(ctx, "rev-list", "--first-parent", "--skip="+strconv.Itoa(r.Max), "--max-count=1", "--end-of-options", r.To)
		if err != nil {
			return false, err
		}
		if id := strings.TrimSpace(string(out)); id != "" && from == "" {
			from = id
		}
	}
	args := []string{"log", "--no-show-signature", "--format=%H", "--max-count=1", "--fixed-strings", "--regexp-ignore-case", "--encoding=UTF-8"}
	for _, text := range texts {
		args = append(args, "--grep="+text)
	}
	args = append(args, "--end-of-options", r.To)
	if from != "" {
		args = append(args, "^"+from)
	}
	out, err := repo.Run(ctx, slices.Concat(args, []string{"--"})...)
	return len(out) > 0, err
}
