package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/git"
)

// Git does not look at the file of an index entry that is marked assume-unchanged or
// skip-worktree. Here the first mark counts for nothing, and the second one only for files that
// the checkout leaves out: those with nothing in their place on disk, as git itself has it in a
// sparse checkout. The list of changes and every fact about a file are then from the same place.

// marked is an entry of the index with one of the marks.
type marked struct {
	read.Entry
	assumed, skipped bool
}

// marks lists the marked entries of the index in byte order. Collapsed directories of a sparse
// index are left out unless something is in the place of one.
func (p *Engine) marks(ctx context.Context) ([]marked, error) {
	now, err := p.indexNow()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	now.marking.Lock()
	defer now.marking.Unlock()
	if !now.isMarked {
		if now.marked, err = p.readMarks(ctx, now.bytes); err != nil {
			return nil, err
		}
		now.isMarked = true
	}
	return now.marked, nil
}

// unchanged reports whether a file has the size and time that it had before.
func unchanged(before, now fs.FileInfo) bool {
	return now.Size() == before.Size() && now.ModTime().Equal(before.ModTime())
}

func (p *Engine) readMarks(ctx context.Context, index []byte) ([]marked, error) {
	entries, err := markedEntries(index, p.repo.ObjectFormat)
	if errors.Is(err, errSplitIndex) {
		return p.listMarks(ctx)
	}
	if err != nil {
		return nil, nil //nolint:nilerr // git reports what is wrong with it
	}
	if p.sparse() && p.sparseEntries() == nil {
		if entries, err = p.expand(ctx, entries); err != nil {
			return nil, err
		}
	}
	var list []marked
	for _, e := range entries {
		if !e.collapsed() {
			list = append(list, marked{e.entry(), e.flags&assumeUnchanged != 0, e.skipped()})
		}
	}
	return list, nil
}

// errSplitIndex is the error for an index that has only a part of its entries.
var errSplitIndex = errors.New("it is split")

// markedEntries returns the entries of an index that are marked, and collapsed directories.
func markedEntries(index []byte, format string) (list []indexEntry, err error) {
	rest, err := glance(index, format, func(g glimpse) {
		if g.flags&flagStage == 0 && (g.flags&assumeUnchanged != 0 || g.skipped()) {
			list = append(list, g.entry())
		}
	})
	if err == nil && isSplit(rest) {
		err = errSplitIndex
	}
	return list, err
}

// isSplit reports whether an index is split, by the extensions after its entries.
func isSplit(extensions []byte) bool { return bytes.HasPrefix(extensions, []byte("link")) } // git writes it first

// listMarks asks git for the marked entries.
func (p *Engine) listMarks(ctx context.Context) ([]marked, error) {
	res, err := p.repo.Do(ctx, git.Call{Args: []string{"ls-files", "-s", "-v", "-z", "--full-name", "--", ":/"}})
	if err != nil {
		return nil, err
	}
	var list []marked
	for _, line := range splitNames(res.Stdout) {
		head, name, ok := strings.Cut(line, "\t")
		field := strings.Fields(head) // tag, mode, object, stage
		if !ok || len(field) != 4 {
			return nil, fmt.Errorf("git ls-files -s -v: unexpected answer %q; want \"<tag> <mode> <object> <stage>\", tab, name", line)
		}
		m := marked{
			Entry:   read.Entry{Path: name, Mode: field[1], Object: field[2]},
			assumed: field[0] == strings.ToLower(field[0]), skipped: strings.EqualFold(field[0], "s"),
		}
		if field[3] == "0" && (m.assumed || m.skipped) {
			list = append(list, m)
		}
	}
	return list, nil
}

// hiding lists the marked entries whose file on disk counts.
func (p *Engine) hiding(ctx context.Context) ([]marked, error) {
	if p.repo.Root == "" {
		return nil, nil
	}
	return p.filterMarks(ctx, func(_ marked, leftOut bool) bool { return !leftOut })
}

// filterMarks lists the marked entries for which keep is true. keep gets whether the
// checkout leaves out the file.
func (p *Engine) filterMarks(ctx context.Context, keep func(m marked, leftOut bool) bool) ([]marked, error) {
	all, err := p.marks(ctx)
	if err != nil {
		return nil, err
	}
	var list []marked
	disk := presence{top: p.repo.Root}
	for _, m := range all {
		leftOut := false
		if m.skipped {
			present, err := disk.has(m.Path)
			if err != nil {
				return nil, err
			}
			leftOut = !present
		}
		if keep(m, leftOut) {
			list = append(list, m)
		}
	}
	return list, nil
}

// presence reports whether something is in the place of files. It is asked in byte order.
type presence struct{ top, missing string }

// has reports whether something is at a path or, as a file, in the place of one of its
// directories.
func (d *presence) has(path string) (bool, error) {
	if d.missing != "" && strings.HasPrefix(path, d.missing) {
		return false, nil
	}
	_, err := os.Lstat(filepath.Join(d.top, filepath.FromSlash(path)))
	switch {
	case err == nil:
		return true, nil
	case !read.Absent(err):
		return false, err
	case !errors.Is(err, fs.ErrNotExist):
		return true, nil // a file is in the place of a directory
	}
	for at := strings.LastIndexByte(path, '/'); at > 0; at = strings.LastIndexByte(path[:at], '/') {
		if _, err := os.Lstat(filepath.Join(d.top, filepath.FromSlash(path[:at]))); err == nil {
			break
		}
		d.missing = path[:at+1]
	}
	return false, nil
}

// reveal replaces the entries that hide files in a copy of the index, by ones that git compares
// by content.
func (p *Engine) reveal(ctx context.Context, x *privateIndex) error {
	list, err := p.hiding(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	var info strings.Builder
	for _, m := range list {
		info.WriteString(m.Mode + " " + m.Object + " 0\t" + m.Path + "\x00")
	}
	x.config = append(slices.Clip(x.config), isolated...)
	return x.update(ctx, info.String())
}

// hiddenNotice names the changed files that git status would not show.
func (p *Engine) hiddenNotice(ctx context.Context, changed func(name string) bool) ([]string, error) {
	list, err := p.hiding(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range list {
		if changed(m.Path) {
			names = append(names, m.Path)
		}
	}
	return diff.HiddenNotice(names), nil
}

// findTracked sets those of names that are in an index. Of an index that it cannot read whole it
// finds fewer.
func findTracked(index []byte, format string, names map[string]bool) {
	_, _ = glance(index, format, func(g glimpse) {
		if _, asked := names[string(g.name)]; asked {
			names[string(g.name)] = true
		}
	})
}
