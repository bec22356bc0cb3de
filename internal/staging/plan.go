package staging

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
)

// plan settles what becomes of the files in the working tree.
func (s *staging) plan(ctx context.Context, head diff.HeadKind) error {
	var odd []*staged // not equal to what the commands started from
	for _, f := range s.files {
		if head == diff.Index && f.after == "" {
			continue
		}
		if s.look(f, head) {
			odd = append(odd, f)
		}
	}
	before, after := map[string][]byte{}, map[string][]byte{}
	if head == diff.Index && len(odd) > 0 {
		var err error
		if before, err = s.converted(ctx, s.repo.IndexFile, "before", odd); err != nil {
			return err
		}
		if after, err = s.converted(ctx, s.newIndex(), "after", odd); err != nil {
			return err
		}
	}
	for _, f := range odd {
		if err := s.reconcile(ctx, f, head, before[f.Path], after[f.Path]); err != nil {
			return err
		}
	}
	return nil
}

// look reads a file and settles the plain cases. It reports whether the file has
// content of its own.
func (s *staging) look(f *staged, head diff.HeadKind) (odd bool) {
	content, info, err := s.tree.read(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && head == diff.Index:
		f.Worktree, f.Note = Same, "the file is not in the working tree, and stays so"
	case errors.Is(err, fs.ErrNotExist):
		f.Worktree, f.Note = Left, "the file has been deleted meanwhile"
	case err != nil:
		f.leave(err.Error())
	case f.skipped:
		f.leave("git was told to skip it (skip-worktree)")
	default:
		f.old, f.info = content, info
		if bytes.Equal(content, f.edit.Before) {
			f.become(f.edit.After, Replaced)
			return false
		}
		return true
	}
	return false
}

// reconcile settles a file that is not what the commands started from: it may
// have been edited, or it is the same but for the conversions that git makes
// between index and working tree. before and after are converted so; nil where
// there are none.
func (s *staging) reconcile(ctx context.Context, f *staged, head diff.HeadKind, before, after []byte) error {
	if before != nil && after != nil && bytes.Equal(f.old, before) {
		f.become(after, Replaced)
		return nil
	}
	merged, clean, err := merge(ctx, s.repo, s.dir, f.edit.Before, f.old, f.edit.After)
	if err == nil && !clean && before != nil && after != nil {
		merged, clean, err = merge(ctx, s.repo, s.dir, before, f.old, after)
	}
	switch {
	case err != nil:
		return err
	case clean:
		f.become(merged, Merged)
	case head == diff.Index:
		f.leave("its unstaged changes and the command's are to the same lines")
	default:
		f.leave("it has been edited meanwhile, in the lines that the command changed")
	}
	return nil
}

// become plans new content, unless that is what the file has or it is not to be written.
func (f *staged) become(content []byte, fate Fate) {
	if bytes.Equal(content, f.old) {
		f.Worktree = Same
		return
	}
	if err := writable(f.info); err != nil {
		f.leave(err.Error())
		return
	}
	f.Worktree = fate
	f.new = &replacement{name: f.Path, content: content, old: f.info, stored: f.after != "" && fate == Replaced}
	if hardLinked(f.info) {
		f.Note = "the file in the working tree was a hard link; its other names have the old content"
	}
}

func (f *staged) leave(why string) {
	f.Worktree, f.Note = Left, "the file in the working tree is as it was: "+why
}

// converted is what git would write to the working tree for files of an index:
// with line ends, encodings and filters as configured. A file that git cannot
// convert is missing.
func (s *staging) converted(ctx context.Context, index, name string, files []*staged) (map[string][]byte, error) {
	var names strings.Builder
	for _, f := range files {
		names.WriteString(s.absolute(f) + "\x00")
	}
	dir := filepath.Join(s.dir, name)
	call := git.Call{
		Args:  []string{"checkout-index", "-q", "-z", "--stdin", "--prefix=" + filepath.ToSlash(dir) + "/"},
		Stdin: strings.NewReader(names.String()), Env: []string{"GIT_INDEX_FILE=" + index},
	}
	failed := (*git.Error)(nil)
	if _, err := s.repo.Do(ctx, call); err != nil && (!errors.As(err, &failed) || ctx.Err() != nil) {
		return nil, err
	}
	content := map[string][]byte{}
	for _, f := range files {
		if text, err := os.ReadFile(filepath.Join(dir, f.Path)); err == nil {
			content[f.Path] = text
		}
	}
	return content, nil
}
