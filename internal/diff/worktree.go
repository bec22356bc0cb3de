package diff

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/sourcegraph/conc/pool"
)

// worktree is the net diff from base to the working tree, untracked files
// included: what git says of an index to which each of them was added. Where
// nothing is gone, an untracked file can be neither the new place of another
// nor one that only left the index, and the two lists need only be joined.
//
// Files by the names hidden are left out.
func (p *Program) worktree(ctx context.Context, base Base, head Head, hidden []string) ([]Change, []string, error) {
	var (
		index     *privateIndex
		args      = compare(base.Commit, head, rawForm, withRenames)
		records   []record
		notices   []string
		untracked []string
	)
	defer func() {
		if index != nil {
			index.discard()
		}
	}()
	both := pool.New().WithContext(ctx).WithCancelOnError().WithFirstError()
	both.Go(func(ctx context.Context) (err error) {
		if index, err = p.privately(base); err != nil {
			return err
		}
		if len(hidden) > 0 {
			if err := index.forget(ctx, hidden); err != nil {
				return err
			}
		}
		records, notices, err = p.compared(ctx, index.call(args))
		return err
	})
	both.Go(func(ctx context.Context) (err error) {
		untracked, err = p.untracked(ctx)
		untracked = slices.DeleteFunc(slices.Clone(untracked), func(name string) bool { return slices.Contains(hidden, name) })
		return err
	})
	if err := both.Wait(); err != nil {
		return nil, nil, err
	}
	// An untracked file may be a better match for a rename than the one git has
	// found, so what was renamed is as open as what was deleted.
	deleted := map[string]bool{}
	for _, r := range records {
		switch r.letter {
		case 'D':
			deleted[r.path] = true
		case 'R':
			deleted[r.oldPath] = true
		}
	}
	if len(untracked) > 0 && len(deleted) > 0 {
		if err := index.add(ctx, base.Commit, untracked, nil); err != nil {
			return nil, nil, err
		}
		var err error
		if records, notices, err = p.compared(ctx, index.call(args)); err != nil {
			return nil, nil, err
		}
	}
	p.remember(base, head, records)
	list, err := p.join(ctx, changes(records), untracked, deleted)
	return list, notices, err
}

// join marks the untracked among list and adds those that git did not tell of.
// An untracked file that would be deleted if only the index counted, and of which
// git says nothing, is as it was in the base.
func (p *Program) join(ctx context.Context, list []Change, untracked []string, deleted map[string]bool) ([]Change, error) {
	if len(untracked) == 0 {
		return list, nil
	}
	told := make(map[string]int, len(list))
	for i, c := range list {
		told[c.Path] = i
	}
	var missing []string
	for _, name := range untracked {
		name = strings.TrimSuffix(name, "/")
		if i, ok := told[name]; ok {
			list[i].Untracked = true
		} else if !deleted[name] {
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
			list = append(list, Change{Path: name, Status: Added, Untracked: true, Mode: mode, Kind: kindOf(mode)})
		}
	}
	slices.SortStableFunc(list, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// names splits a list of names ended by NUL.
func names(out []byte) []string {
	var list []string
	for name := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		if len(name) > 0 {
			list = append(list, string(name))
		}
	}
	return list
}

// modes are the modes git would give to untracked files; one that is gone by now is
// left out.
func (p *Program) modes(ctx context.Context, paths []string) (map[string]string, error) {
	s, err := p.settings(ctx)
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
		if absentFile(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		modes[name] = modeOf(info.Mode(), s.fileMode)
	}
	return modes, nil
}

func modeOf(m fs.FileMode, fileMode bool) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "120000"
	case m.IsDir():
		return "160000" // git lists a directory only where it is a repository of its own
	case fileMode && m&0o100 != 0:
		return "100755"
	default:
		return "100644"
	}
}
