package program

import (
	"bytes"
	"context"
	"maps"
	"os"
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
		if files, ok := p.filesOfHEADIn(ctx, head.Commit, name); ok {
			return files, nil
		}
		return p.committedFilesIn(ctx, head.Commit, name)
	}
	var files []string
	list, err := p.indexEntries(diff.NamedIn[[]byte](name))
	if err == nil {
		for _, e := range list {
			files = append(files, e.Path)
		}
		return files, nil
	}
	in := diff.NamedIn[string](name)
	if entries := p.sparseEntries(); entries != nil {
		return p.sparseFilesIn(ctx, entries, name, in)
	}
	records, _, err := p.compare(ctx, git.Call{
		Args: append(compareArgs(p.emptyTree(), diff.Head{Kind: diff.Index}, rawForm, []string{"--no-renames"}), ":(top,icase)*"+name+"*"),
	})
	for _, r := range records {
		if r.NewMode != diff.Absent && in(r.Path) {
			files = append(files, r.Path)
		}
	}
	return files, err
}

// sparseFilesIn lists the files of a sparse index in directories with a name. All files of a
// collapsed directory that is in one, or is one itself, are among them.
func (p *Engine) sparseFilesIn(ctx context.Context, entries []indexEntry, name string, in func(string) bool) ([]string, error) {
	var within, others []indexEntry
	for _, e := range entries {
		if e.collapsed() && in(e.path+"x") {
			within = append(within, e)
		} else {
			others = append(others, e)
		}
	}
	list, err := p.filesOfSparse(ctx, others, in, ":(icase)*"+name+"*")
	if err != nil {
		return nil, err
	}
	more, err := p.filesOfSparse(ctx, within, in)
	var files []string
	for _, e := range append(list, more...) {
		files = append(files, e.Path)
	}
	slices.Sort(files)
	return files, err
}

// filesOfHEADIn lists the files of HEAD by the index and what is staged, in a tenth of the time of
// listing the commit. ok is false for another commit, and if the index is incomplete, unmerged, or
// changes meanwhile.
func (p *Engine) filesOfHEADIn(ctx context.Context, commit, name string) (files []string, ok bool) {
	before, err := os.Stat(p.repo.IndexFile)
	if err != nil || commit != p.repo.Head {
		return nil, false
	}
	list, err := p.indexEntries(diff.NamedIn[[]byte](name))
	if err != nil {
		return nil, false
	}
	staged, _, err := p.compare(ctx, git.Call{
		Args: append(compareArgs(commit, diff.Head{Kind: diff.Index}, rawForm, []string{"--no-renames"}), ":(top,icase)*"+name+"*"),
	})
	after, gone := os.Stat(p.repo.IndexFile)
	if err != nil || gone != nil || !unchanged(before, after) {
		return nil, false
	}
	added := map[string]bool{}
	in := diff.NamedIn[string](name)
	for _, r := range staged {
		switch {
		case r.Letter == 'U':
			return nil, false
		case r.Letter == 'A':
			added[r.Path] = true
		case r.Letter == 'D' && in(r.Path):
			files = append(files, r.Path)
		}
	}
	for _, e := range list {
		if !added[e.Path] {
			files = append(files, e.Path)
		}
	}
	slices.Sort(files)
	return files, true
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

// worktreeFiles lists the files of the working tree, untracked ones as they were when the changes
// were listed. It keeps which of them git searches.
func (p *Engine) worktreeFiles(ctx context.Context) ([]string, error) {
	var group conc.WaitGroup
	defer group.Wait()
	changed := async.Go(&group, func() ([]diff.Record, error) {
		args := slices.Concat([]string{"diff-files", "--diff-filter=DUT", "--no-renames"}, pinned, rawForm)
		records, _, err := p.compare(ctx, git.Call{Args: args})
		return records, err
	})
	untracked := async.Go(&group, func() ([]string, error) {
		p.seen.Lock()
		seen := p.seen.untracked
		p.seen.Unlock()
		if seen != nil {
			return slices.Collect(maps.Keys(seen)), nil
		}
		return p.untracked(ctx)
	})
	listed, err := p.query(ctx, git.Call{Args: []string{"ls-files", "-c", "-s", "-v", "-z", "--full-name", "--", ":/"}})
	if err != nil {
		return nil, err
	}
	records, err := changed()
	if err != nil {
		return nil, err
	}
	others, err := untracked()
	if err != nil {
		return nil, err
	}
	if len(listed.Stdout) > 0 && !bytes.HasSuffix(listed.Stdout, []byte{0}) {
		return nil, noAnswer("ls-files")
	}
	gone, searched := map[string]bool{}, map[string]bool{}
	lines := splitNames(listed.Stdout)
	files := make([]string, 0, len(lines)+len(others))
	for _, line := range lines { // "<tag> <mode> <object> <stage>", tab, name
		head, name, ok := strings.Cut(line, "\t")
		if !ok {
			return nil, noAnswer("ls-files")
		}
		files = append(files, name)
		if strings.HasPrefix(head, "H 100") && strings.HasSuffix(head, " 0") {
			searched[name] = true
		}
	}
	for _, r := range records { // a file in another's place is not searched as it is
		gone[r.Path] = r.NewMode == diff.Absent
		delete(searched, r.Path)
	}
	for _, name := range others {
		files = append(files, strings.TrimSuffix(name, "/"))
	}
	p.seen.Lock()
	p.seen.searched = searched
	p.seen.Unlock()
	slices.Sort(files)
	files = slices.Compact(files) // an unmerged path is listed once for each side
	return slices.DeleteFunc(files, func(name string) bool { return gone[name] }), nil
}

// searchedAsTheyAre returns the files of the working tree whose content on disk git searches: the
// tracked regular files without those that it takes from the index, leaves out or reads as
// something else.
func (p *Engine) searchedAsTheyAre(ctx context.Context) (map[string]bool, error) {
	known := func() map[string]bool {
		p.seen.Lock()
		defer p.seen.Unlock()
		return p.seen.searched
	}
	if searched := known(); searched != nil {
		return searched, nil
	}
	_, err := p.worktreeFiles(ctx)
	return known(), err
}
