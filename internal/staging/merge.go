package staging

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/git"
)

// Exit statuses of git merge-file.
const (
	maxConflicts = 127 // up to here, the number of conflicts
	cannotMerge  = 255 // binary content
)

// merge applies the change from base to theirs to ours. It is not clean if both
// changed the same lines or one of the three is binary. dir is for temporary files.
func merge(ctx context.Context, repo *git.Repo, dir string, base, ours, theirs []byte) (merged []byte, clean bool, err error) {
	switch {
	case bytes.Equal(ours, base), bytes.Equal(ours, theirs):
		return theirs, true, nil
	case bytes.Equal(base, theirs):
		return ours, true, nil
	}
	args := []string{"merge-file", "-p", "-q"}
	for _, side := range []struct {
		name    string
		content []byte
	}{{"ours", ours}, {"base", base}, {"theirs", theirs}} {
		file := filepath.Join(dir, "merge-"+side.name)
		if err := os.WriteFile(file, side.content, 0o600); err != nil {
			return nil, false, err
		}
		args = append(args, file)
	}
	merged, err = repo.Run(ctx, args...)
	failed := (*git.Error)(nil)
	if errors.As(err, &failed) && (failed.Status == cannotMerge || failed.Status > 0 && failed.Status <= maxConflicts) {
		return nil, false, nil
	}
	return merged, err == nil, err
}
