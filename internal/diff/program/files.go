package program

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
)

// Files returns the names of all files at head in byte order. For the working tree these are
// the files of the index that exist, and untracked files that are not ignored. A submodule
// or a nested repository is one name.
func (p *Engine) Files(ctx context.Context, head diff.Head) ([]string, error) {
	if head.Kind == diff.Worktree {
		return p.worktreeFiles(ctx)
	}
	if head.Kind == diff.Commit {
		return p.committedFiles(ctx, head.Commit)
	}
	list, err := source{p, nil}.Entries(ctx, head, nil)
	if err != nil {
		return nil, err
	}
	files := make([]string, len(list))
	for i, e := range list {
		files[i] = e.Path
	}
	slices.Sort(files)
	if len(slices.Compact(slices.Clone(files))) != len(files) {
		return nil, &diff.NoVerdictError{Reason: "git lists a file of the index more than once", Fix: "git sparse-checkout reapply"}
	}
	return files, nil
}

func (p *Engine) committedFiles(ctx context.Context, commit string) ([]string, error) {
	files, err := p.listCommit(ctx, commit, "-r")
	slices.Sort(files)
	return files, err
}

// listCommit lists names of a commit. That takes half the time of a comparison with the
// empty tree.
func (p *Engine) listCommit(ctx context.Context, commit string, args ...string) ([]string, error) {
	listed, err := p.query(ctx, git.Call{Args: slices.Concat([]string{"ls-tree", "-z", "--name-only", "--full-tree", commit}, args)})
	if err != nil {
		return nil, MissingObject(err)
	}
	if len(listed.Stdout) > 0 && !bytes.HasSuffix(listed.Stdout, []byte{0}) {
		return nil, noAnswer("ls-tree")
	}
	return splitNames(listed.Stdout), nil
}

// FilesIn lists, in byte order, the tracked files at head in directories whose path ends in
// dir, except in dir itself. No character of dir may be special in a pathspec.
func (p *Engine) FilesIn(ctx context.Context, head diff.Head, dir string) ([]string, error) {
	in := isIn(dir)
	var files []string
	if head.Kind == diff.Commit {
		return p.committedFilesIn(ctx, head.Commit, dir)
	}
	index := diff.Head{Kind: diff.Index}
	list, err := localReader{source{p, nil}, nil}.indexEntries(index, in)
	if err == nil {
		for _, e := range list {
			files = append(files, e.Path)
		}
		return files, nil
	}
	records, _, err := p.compare(ctx, git.Call{
		Args: append(compareArgs(p.emptyTree(), index, rawForm, []string{"--no-renames"}), ":(top,glob)**/"+dir+"/*"),
	})
	for _, r := range records {
		if r.NewMode != diff.Absent && in(r.Path) {
			files = append(files, r.Path)
		}
	}
	return files, err
}

// isIn returns whether a file is in a directory whose path ends in dir, except in dir itself.
func isIn(dir string) func(name string) bool {
	return func(name string) bool { return strings.HasSuffix(path.Dir(name), "/"+dir) }
}

// committedFilesIn lists the directories first, of which there are fewer than files.
func (p *Engine) committedFilesIn(ctx context.Context, commit, dir string) ([]string, error) {
	dirs, err := p.listCommit(ctx, commit, "-r", "-d")
	dirs = slices.DeleteFunc(dirs, func(name string) bool { return !strings.HasSuffix(name, "/"+dir) })
	if err != nil || len(dirs) == 0 {
		return nil, err
	}
	for i := range dirs {
		dirs[i] += "/" // what is in it
	}
	files, err := p.listCommit(ctx, commit, append([]string{"-r", "--"}, dirs...)...)
	slices.Sort(files)
	in := isIn(dir)
	return slices.DeleteFunc(files, func(name string) bool { return !in(name) }), err
}

func (p *Engine) worktreeFiles(ctx context.Context) ([]string, error) {
	var group conc.WaitGroup
	defer group.Wait()
	deleted := async.Go(&group, func() ([]diff.Record, error) {
		args := slices.Concat([]string{"diff-files", "--diff-filter=DU", "--no-renames"}, pinned, rawForm)
		records, _, err := p.compare(ctx, git.Call{Args: args})
		return records, err
	})
	listed, err := p.query(ctx, git.Call{
		Args: []string{"ls-files", "-c", "-o", "--exclude-standard", "-z", "--full-name", "--", ":/"},
	})
	if err != nil {
		return nil, err
	}
	records, err := deleted()
	if err != nil {
		return nil, err
	}
	if len(listed.Stdout) > 0 && !bytes.HasSuffix(listed.Stdout, []byte{0}) {
		return nil, noAnswer("ls-files")
	}
	gone := map[string]bool{}
	for _, r := range records {
		if r.NewMode == diff.Absent {
			gone[r.Path] = true
		}
	}
	files := splitNames(listed.Stdout)
	for i, name := range files {
		files[i] = strings.TrimSuffix(name, "/")
	}
	slices.Sort(files)
	files = slices.Compact(files) // an unmerged path is listed once for each side
	return slices.DeleteFunc(files, func(name string) bool { return gone[name] }), nil
}
