package program

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sourcegraph/conc"

	"github.com/rulecheck/rulecheck/internal/async"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/git"
)

// worktree returns the net diff from base to the working tree, untracked files included, as
// git reports it for an index to which each untracked file was added. If no file was deleted
// or renamed, no untracked file can be its new name, and the two lists are joined instead.
//
// Files named in hidden are left out.
func (p *Engine) worktree(
	ctx context.Context, base diff.Base, head diff.Head, hidden []string,
) (set diff.Changeset, err error) {
	var group conc.WaitGroup
	defer group.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	listed := async.Go(&group, func() ([]string, error) {
		names, err := p.untracked(ctx)
		if len(names) > 0 { // for their modes and filters; the error is for what needs them
			group.Go(func() { _, _ = repository{p}.Settings(ctx) })
		}
		return names, err
	})
	searched := async.Go(&group, func() (struct{}, error) { return struct{}{}, p.confirmSearchable(ctx) })

	index, err := p.copyOfSparse(ctx, base)
	if err != nil {
		return set, err
	}
	defer index.remove()
	if len(hidden) > 0 {
		if err := index.forget(ctx, hidden); err != nil {
			return set, err
		}
	}
	args := compareArgs(base.Commit, head, rawForm, withRenames)
	records, notices, err := p.compare(ctx, index.call(args))
	if err != nil {
		return set, err
	}
	if len(records) == 0 && len(hidden) == 0 {
		if err := p.confirmNone(ctx, base, head); err != nil {
			return set, err
		}
	}
	untracked, err := listed()
	if err != nil {
		return set, err
	}
	if untracked, err = p.withoutUnborn(ctx, base, head, untracked); err != nil {
		return set, err
	}
	untracked = slices.DeleteFunc(untracked, func(name string) bool { return slices.Contains(hidden, name) })
	files := pairsIn(records, untracked)
	// In a sparse checkout an untracked file may be in the place of a directory that git leaves out.
	if len(untracked) > 0 && (len(files.deleted) > 0 || p.sparseCheckout()) {
		if records, notices, err = p.withUntracked(ctx, base, index, files, args); err != nil {
			return set, err
		}
	}
	set = diff.Changeset{Base: base, Head: head}
	if set.Changes, err = p.join(ctx, diff.ChangesOf(records), untracked, files.deleted); err != nil {
		return set, err
	}
	if err := p.confirmDeleted(set.Changes); err != nil {
		return set, err
	}
	if _, err := searched(); err != nil {
		return set, err
	}
	changed := make(map[string]bool, len(set.Changes))
	for i := range set.Changes {
		changed[set.Changes[i].Path] = true
	}
	for _, name := range untracked {
		if !changed[strings.TrimSuffix(name, "/")] {
			set.Unindexed = append(set.Unindexed, name)
		}
	}
	more, err := p.hiddenNotice(ctx, func(name string) bool { return changed[name] })
	set.Notices = slices.Concat(notices, more)
	return set, err
}

// confirmDeleted makes sure that what git calls deleted is not on disk: git also does so with a
// file that it cannot look at.
func (p *Engine) confirmDeleted(list []diff.Change) error {
	for i := range list {
		if list[i].Status != diff.Deleted {
			continue
		}
		_, err := os.Lstat(filepath.Join(p.repo.Root, filepath.FromSlash(list[i].Path)))
		if err != nil && !read.Absent(err) {
			return fmt.Errorf("%q may not be deleted: %w", list[i].Path, err)
		}
	}
	return nil
}

// untracked lists the files of the working tree that are neither in the index nor ignored. A
// nested repository is listed as its directory with a final slash. If there are none, git
// fails because of --error-unmatch, so that success without output is no answer.
func (p *Engine) untracked(ctx context.Context) ([]string, error) {
	res, err := p.query(ctx, git.Call{
		Args: slices.Concat(p.asItIs(), []string{"ls-files", "-o", "--exclude-standard", "-z", "--full-name", "--error-unmatch", "--", ":/"}),
	})
	switch {
	case exited(err, 1) && len(res.Stdout) == 0 && bytes.Contains(res.Stderr, []byte("did not match any file")):
		res.Stdout, err = nil, nil
	case err == nil && !bytes.HasSuffix(res.Stdout, []byte{0}):
		return nil, noAnswer("ls-files -o")
	}
	names := splitNames(res.Stdout)
	if err == nil {
		p.seen.Lock()
		defer p.seen.Unlock()
		p.seen.untracked = make(map[string]bool, len(names))
		for _, name := range names {
			p.seen.untracked[name] = true
		}
	}
	return names, err
}

// withoutUnborn leaves out untracked repositories without a commit, which git does not add. Git
// leaves their entries in an index as they are.
func (p *Engine) withoutUnborn(ctx context.Context, base diff.Base, head diff.Head, untracked []string) ([]string, error) {
	var nested []string
	for _, name := range untracked {
		if strings.HasSuffix(name, "/") {
			nested = append(nested, name)
		}
	}
	if len(nested) == 0 || base.ID == diff.Prompt { // a snapshot has an entry for each
		return untracked, nil
	}
	index, err := p.copyOfIndex(ctx, base)
	if err != nil {
		return nil, err
	}
	defer index.remove()
	if err := index.add(ctx, p.emptyTree(), nested, nil); err != nil {
		return nil, err
	}
	args := append(compareArgs(p.emptyTree(), head, rawForm, []string{"--no-renames"}), pathspecs(nested)...)
	records, _, err := p.compare(ctx, index.call(args))
	if err != nil {
		return nil, err
	}
	unborn := map[string]bool{}
	for _, r := range records {
		unborn[r.Path+"/"] = r.NewObject == p.emptyTree()
	}
	return slices.DeleteFunc(untracked, func(name string) bool { return unborn[name] }), nil
}

// join marks the untracked files in list and adds those that the comparison left out. An
// untracked file that the index alone would show as deleted, and that the comparison left
// out, is unchanged since base.
func (p *Engine) join(ctx context.Context, list []diff.Change, untracked []string, deleted map[string]diff.Record) ([]diff.Change, error) {
	if len(untracked) == 0 {
		return list, nil
	}
	listed := make(map[string]int, len(list))
	for i, c := range list {
		listed[c.Path] = i
	}
	var missing []string
	for _, name := range untracked {
		name = strings.TrimSuffix(name, "/")
		if i, ok := listed[name]; ok {
			list[i].Untracked = true
		} else if _, ok := deleted[name]; !ok {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return list, nil
	}
	modes, err := p.modes(ctx, missing)
	if err != nil {
		return nil, err
	}
	for _, name := range missing {
		if mode, ok := modes[name]; ok {
			list = append(list, diff.Change{Path: name, Status: diff.Added, Untracked: true, Mode: mode, Kind: diff.KindOf(mode)})
		}
	}
	slices.SortStableFunc(list, func(a, b diff.Change) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// splitNames splits a list of names that end with NUL. The names share their memory.
func splitNames(out []byte) []string {
	text := string(out)
	list := make([]string, 0, strings.Count(text, "\x00"))
	for name := range strings.SplitSeq(text, "\x00") {
		if name != "" {
			list = append(list, name)
		}
	}
	return list
}

// modes returns the modes that git would give to untracked files, without files that were
// deleted meanwhile.
func (p *Engine) modes(ctx context.Context, paths []string) (map[string]string, error) {
	s, err := repository{p}.Settings(ctx)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(p.repo.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	modes := make(map[string]string, len(paths))
	for _, name := range paths {
		info, err := root.Lstat(name)
		if read.Absent(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		modes[name] = diff.ModeOf(info.Mode(), s.FileMode)
	}
	return modes, nil
}
