package program

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/git"
)

var (
	// grepFiles are the options of every search: binary files as text, and nothing that configuration
	// could change.
	grepFiles = []string{"grep", "--files-with-matches", "--null", "--text", "--full-name", "--no-color", "--no-recurse-submodules"}
	// grepArgs search for a text, letters in any case, no pattern.
	grepArgs = slices.Concat(grepFiles, []string{"--fixed-strings", "--ignore-case", "-e"})
)

// Search lists, in byte order, the files at head that contain a text, its letters in any
// case; see [diff.Engine].
func (p *Engine) Search(ctx context.Context, head diff.Head, text string, below []string) ([]string, error) {
	var group conc.WaitGroup
	defer group.Wait()
	untracked := func() ([]string, error) { return nil, nil }
	if head.Kind == diff.Worktree { // git grep --untracked skips tracked files that are ignored
		untracked = async.Go(&group, func() ([]string, error) { return p.searchUntracked(ctx, text) })
	}
	specs := pathspecs(below)
	if len(specs) == 0 {
		specs = []string{":/"}
	}
	found, err := p.grepAt(ctx, head, append(slices.Clone(grepArgs), text), specs)
	if err != nil {
		return nil, err
	}
	more, err := untracked()
	if err != nil {
		return nil, err
	}
	wanted := read.Below[string](below)
	found = slices.DeleteFunc(append(found, more...), func(name string) bool { return !wanted(name) })
	if head.Kind == diff.Worktree {
		if found, err = p.regular(found); err != nil {
			return nil, err
		}
		left, err := p.searchLeftOut(ctx, text, below)
		if err != nil {
			return nil, err
		}
		found = append(found, left...)
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// regular returns those of the names that are regular files: git searches below symlinks too.
func (p *Engine) regular(names []string) ([]string, error) {
	root, err := read.OpenDisk(p.repo.Root, nil)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var list []string
	for _, name := range names {
		info, err := read.Lstat(root, name)
		if err != nil && !read.Absent(err) {
			return nil, err
		}
		if err == nil && info.Mode().IsRegular() {
			list = append(list, name)
		}
	}
	return list, nil
}

// grepAt runs git grep on the files at head.
func (p *Engine) grepAt(ctx context.Context, head diff.Head, args, specs []string) ([]string, error) {
	var at []string // by default the files on disk
	prefix := ""
	switch head.Kind {
	case diff.Commit:
		at, prefix = []string{head.Commit}, head.Commit+":"
	case diff.Index:
		at = []string{"--cached"}
	case diff.Worktree:
	}
	found, err := p.grep(ctx, git.Call{Args: slices.Concat(args, at, []string{"--"}, specs)})
	for i, name := range found {
		found[i] = strings.TrimPrefix(name, prefix)
	}
	return found, err
}

// grep runs a search. Git exits with 1 if it found nothing; it skips files that it cannot
// read, prints an error and goes on.
func (p *Engine) grep(ctx context.Context, c git.Call) ([]string, error) {
	res, err := p.query(ctx, c)
	none := exited(err, 1) && len(res.Stdout) == 0
	if none {
		err = git.Incomplete(c.Args, res.Stderr)
	}
	if err != nil {
		return nil, MissingObject(err)
	}
	if !none && !bytes.HasSuffix(res.Stdout, []byte{0}) {
		return nil, noAnswer("grep")
	}
	return splitNames(res.Stdout), nil
}

// searchLeftOut searches the files that the checkout leaves out, in an index of them alone.
func (p *Engine) searchLeftOut(ctx context.Context, text string, below []string) ([]string, error) {
	left, err := source{p, nil}.Skipped(ctx, below)
	left = slices.DeleteFunc(left, func(e read.Entry) bool { return diff.KindOf(e.Mode) != diff.File })
	if err != nil || len(left) == 0 {
		return nil, err
	}
	index, err := p.newIndexWith(ctx, diff.Base{}, &indexEntries{known: left})
	if err != nil {
		return nil, err
	}
	defer index.remove()
	return p.grep(ctx, index.call(slices.Concat(grepArgs, []string{text, "--cached", "--", ":/"})))
}

func (p *Engine) searchUntracked(ctx context.Context, text string) ([]string, error) {
	names, err := p.untracked(ctx)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	root, err := read.OpenDisk(p.repo.Root, nil)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return read.Containing(ctx, root, names, text)
}
