package program

import (
	"bytes"
	"context"
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
	listed, err := p.listCommit(ctx, commit)
	files := splitNames(listed)
	slices.Sort(files)
	return files, err
}

// listCommit lists the names of all files of a commit, each with a NUL after it. That takes
// half the time of a comparison with the empty tree.
func (p *Engine) listCommit(ctx context.Context, commit string) ([]byte, error) {
	listed, err := p.repo.Run(ctx, "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
	if err != nil {
		return nil, MissingObject(err)
	}
	if len(listed) > 0 && !bytes.HasSuffix(listed, []byte{0}) {
		return nil, noAnswer("ls-tree")
	}
	return listed, nil
}

// FilesIn lists, in byte order, the tracked files at head with a name; see [diff.Engine].
func (p *Engine) FilesIn(ctx context.Context, head diff.Head, name string) ([]string, error) {
	if head.Kind == diff.Commit {
		return p.committedFilesIn(ctx, head.Commit, name)
	}
	in := diff.NamedIn[string](name)
	var files []string
	index := diff.Head{Kind: diff.Index}
	list, err := localReader{source{p, nil}, nil}.indexEntries(index, in)
	if err == nil {
		for _, e := range list {
			files = append(files, e.Path)
		}
		return files, nil
	}
	if entries := p.sparseEntries(); entries != nil {
		list, err := p.filesOfSparse(ctx, entries, in, ":(icase)*"+name+"*")
		for _, e := range list {
			files = append(files, e.Path)
		}
		return files, err
	}
	records, _, err := p.compare(ctx, git.Call{
		Args: append(compareArgs(p.emptyTree(), index, rawForm, []string{"--no-renames"}), ":(top,icase)*"+name+"*"),
	})
	for _, r := range records {
		if r.NewMode != diff.Absent && in(r.Path) {
			files = append(files, r.Path)
		}
	}
	return files, err
}

// committedFilesIn searches the list of all files: one of directories alone has no symbolic
// links, and pathspecs take twice as long.
func (p *Engine) committedFilesIn(ctx context.Context, commit, name string) ([]string, error) {
	listed, err := p.listCommit(ctx, commit)
	if err != nil {
		return nil, err
	}
	var files []string
	in := diff.NamedIn[[]byte](name)
	for file := range bytes.SplitSeq(bytes.TrimSuffix(listed, []byte{0}), []byte{0}) {
		if in(file) {
			files = append(files, string(file))
		}
	}
	slices.Sort(files)
	return files, nil
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
