package diff

import (
	"context"
	"slices"
	"strings"

	"github.com/sourcegraph/conc/pool"

	"github.com/rulecheck/rulecheck/internal/git"
)

// Files are the names of all files at head in byte order. Of the working tree:
// what is in the index and not deleted, and untracked files that are not ignored.
// A submodule, and a repository within this one, is one name.
func (p *Program) Files(ctx context.Context, head Head) ([]string, error) {
	if head.Kind == Worktree {
		return p.worktreeFiles(ctx)
	}
	list, err := p.entries(ctx, head, nil)
	if err != nil {
		return nil, err
	}
	files := make([]string, len(list))
	for i, e := range list {
		files[i] = e.path
	}
	slices.Sort(files)
	return files, nil
}

func (p *Program) worktreeFiles(ctx context.Context) ([]string, error) {
	var listed git.Result
	gone := map[string]bool{}
	both := pool.New().WithContext(ctx).WithCancelOnError().WithFirstError()
	both.Go(func(ctx context.Context) (err error) {
		listed, err = p.storeless(ctx, git.Call{
			Args: []string{"ls-files", "-c", "-o", "--exclude-standard", "-z", "--full-name", "--", ":/"},
		})
		return err
	})
	both.Go(func(ctx context.Context) error {
		args := slices.Concat([]string{"diff-files", "--diff-filter=DU", "--no-renames"}, pinned, rawForm)
		records, _, err := p.compared(ctx, git.Call{Args: args})
		for _, r := range records {
			if r.newMode == absent {
				gone[r.path] = true
			}
		}
		return err
	})
	if err := both.Wait(); err != nil {
		return nil, err
	}
	files := names(listed.Stdout)
	for i, name := range files {
		files[i] = strings.TrimSuffix(name, "/")
	}
	slices.Sort(files)
	files = slices.Compact(files) // an unmerged path is listed once for each side
	return slices.DeleteFunc(files, func(name string) bool { return gone[name] }), nil
}
