package staging

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// plan decides how to write the files in the working tree.
func (s *staging) plan(ctx context.Context, head diff.HeadKind) error {
	var edited []*staged // differ from the edit's Before
	blind, err := s.ignoresModes(ctx, head)
	if err != nil {
		return err
	}
	for _, f := range s.files {
		if head == diff.Index && f.after == "" {
			continue
		}
		if blind && f.edit.changesMode() {
			f.leave("core.fileMode is false, so git does not see that its executable bit changes; see git update-index --chmod")
			continue
		}
		if s.inspect(f, head) {
			edited = append(edited, f)
		}
	}
	before, after := map[string][]byte{}, map[string][]byte{}
	if head == diff.Index && len(edited) > 0 {
		var err error
		if before, err = s.converted(ctx, s.repo.IndexFile, "before", edited); err != nil {
			return err
		}
		if after, err = s.converted(ctx, s.newIndex(), "after", edited); err != nil {
			return err
		}
	}
	for _, f := range edited {
		if err := s.reconcile(ctx, f, head, before[f.Path], after[f.Path]); err != nil {
			return err
		}
	}
	return nil
}

// ignoresModes reports whether git takes the executable bits of the working tree from the index,
// if an edit changes one.
func (s *staging) ignoresModes(ctx context.Context, head diff.HeadKind) (bool, error) {
	if head != diff.Worktree || !slices.ContainsFunc(s.files, func(f *staged) bool { return f.edit.changesMode() }) {
		return false, nil
	}
	out, err := s.repo.Run(ctx, "config", "--type=bool", "--default=true", "core.fileMode")
	return strings.TrimSpace(string(out)) == "false", err
}

// inspect reads a file and decides the simple cases. It reports whether the file
// differs from the edit's Before.
func (s *staging) inspect(f *staged, head diff.HeadKind) (edited bool) {
	content, info, err := s.tree.read(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && head == diff.Index:
		f.Worktree, f.Note = Same, "the file is not in the working tree and was not created there"
	case errors.Is(err, fs.ErrNotExist):
		f.Worktree, f.Note = Left, "the file is not in the working tree"
	case err != nil:
		f.leave(err.Error())
	case f.skipped:
		f.leave("skip-worktree is set")
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

// reconcile decides a file that differs from the edit's Before: it was edited, or
// it differs only by the conversions of git between index and working tree. before
// and after are the converted contents of the edit; nil: there are none.
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
		f.leave("its unstaged changes affect the same lines as the command")
	default:
		f.leave("it was edited in the meantime, in the lines that the command changed")
	}
	return nil
}

// become plans new content, unless the file has it already or cannot be written.
func (f *staged) become(content []byte, status Status) {
	perm := f.permissions()
	if bytes.Equal(content, f.old) && perm == f.info.Mode().Perm() {
		f.Worktree = Same
		return
	}
	if err := writable(f.info); err != nil {
		f.leave(err.Error())
		return
	}
	f.Worktree = status
	f.new = &replacement{name: f.Path, content: content, perm: perm, old: f.info, stored: f.after != "" && status == Replaced}
	if HardLinked(f.info) {
		f.Note = "the file in the working tree was a hard link; its other names keep the old content"
	}
}

// permissions returns the new permissions of the file: with another executable bit, if the edit
// changes it and the file had it as before, for those who may read the file.
func (f *staged) permissions() fs.FileMode {
	perm := f.info.Mode().Perm()
	if !f.edit.changesMode() || isExecutable(f.info) != f.edit.WasExecutable || !hasExecutableBit {
		return perm
	}
	if f.edit.Executable {
		return perm | perm&0o444>>2
	}
	return perm &^ 0o111
}

// isExecutable reports whether the owner may execute a file, as git does.
func isExecutable(info fs.FileInfo) bool { return info.Mode().Perm()&0o100 != 0 }

// hasExecutableBit is false on systems whose files have none.
const hasExecutableBit = runtime.GOOS != "windows"

func (f *staged) leave(why string) {
	f.Worktree, f.Note = Left, "the file in the working tree is unchanged: "+why
}

// converted returns what git would write to the working tree for files of an
// index, by path: with line ends, encodings and filters as configured. Files that
// git cannot convert are missing.
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
		if text, err := regular.ReadFile(filepath.Join(dir, f.Path)); err == nil {
			content[f.Path] = text
		}
	}
	return content, nil
}
