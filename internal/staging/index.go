package staging

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// entry is a file in the index.
type entry struct {
	mode, object string
	assumed      bool // assume-unchanged is set
	skipped      bool // skip-worktree is set
}

// newIndex returns the name of the new index.
func (s *staging) newIndex() string { return filepath.Join(s.dir, "index") }

func (s *staging) absolute(f *staged) string { return filepath.Join(s.repo.Root, f.Path) }

// stage writes the new index under the lock of the old one: a copy in which the
// entries that still match an edit's Before have the new content.
func (s *staging) stage(ctx context.Context) error {
	if err := lockIndex(ctx, s.repo.IndexFile, filepath.Join(s.dir, "mark")); err != nil {
		return err
	}
	s.lock = true
	step("index locked")
	if err := s.copyIndex(); err != nil {
		return err
	}
	if err := s.compare(ctx); err != nil || !s.index {
		return err
	}
	if err := s.store(ctx); err != nil {
		return err
	}
	step("objects stored")
	if err := s.updateEntries(ctx); err != nil {
		return err
	}
	step("index made")
	return nil
}

// copyIndex copies the index with its modification time, which git uses to detect
// changed files. Before the first git add there is no index.
func (s *staging) copyIndex() error {
	content, err := regular.ReadFile(s.repo.IndexFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(s.repo.IndexFile)
	if err != nil {
		return err
	}
	return errors.Join(
		writeSynced(s.newIndex(), content),
		os.Chtimes(s.newIndex(), info.ModTime(), info.ModTime()),
	)
}

// compare decides which files can be staged.
func (s *staging) compare(ctx context.Context) error {
	entries, err := entries(ctx, s.repo, s.newIndex())
	if err != nil {
		return err
	}
	intended, err := s.intended(ctx)
	if err != nil {
		return err
	}
	for _, f := range s.files {
		var found bool
		f.entry, found = entries[f.Path]
		object := git.BlobID(s.repo.ObjectFormat, f.edit.After)
		switch {
		case !found || intended[f.Path]:
			f.Index, f.Note = Left, "it is no longer staged"
		case f.object == object && f.mode == modeOf(f.edit.Executable):
			f.Index = Same
		case f.object != git.BlobID(s.repo.ObjectFormat, f.edit.Before), f.mode != modeOf(f.edit.WasExecutable):
			f.Index, f.Note = Left, "another change was staged in the meantime"
		default:
			f.Index, f.after, s.index = Replaced, object, true
		}
	}
	return nil
}

// modeOf returns a file's mode in the index.
func modeOf(executable bool) string {
	if executable {
		return "100755"
	}
	return "100644"
}

// entries returns the merged entries of an index by path. It lists all of them,
// because git is slower if it is given many paths.
func entries(ctx context.Context, repo *git.Repo, index string) (map[string]entry, error) {
	found := map[string]entry{}
	call := git.Call{Args: []string{"ls-files", "-s", "-v", "-z", "--full-name", "--", ":/"}, Env: []string{"GIT_INDEX_FILE=" + index}}
	res, err := repo.Do(ctx, call)
	if err != nil {
		return nil, err
	}
	for line := range bytes.SplitSeq(bytes.TrimSuffix(res.Stdout, []byte{0}), []byte{0}) {
		about, name, _ := strings.Cut(string(line), "\t")
		fields := strings.Fields(about) // tag, mode, object, stage
		if len(fields) != 4 || fields[3] != "0" {
			continue
		}
		tag := fields[0]
		found[name] = entry{
			mode: fields[1], object: fields[2],
			assumed: strings.ToLower(tag) == tag, skipped: strings.EqualFold(tag, "S"),
		}
	}
	return found, nil
}

// intended returns the paths that git add --intent-to-add has added. Their entries
// look like those of empty files, so git runs only if an edited file was empty.
func (s *staging) intended(ctx context.Context) (map[string]bool, error) {
	args := []string{"diff-files", "--raw", "-z", "--ita-invisible-in-index", "--no-renames", "--diff-filter=A", "--name-only", "--"}
	options := len(args)
	for _, f := range s.files {
		if len(f.edit.Before) == 0 {
			args = append(args, ":(top,literal)"+f.Path)
		}
	}
	found := map[string]bool{}
	if len(args) == options {
		return found, nil
	}
	res, err := s.repo.Do(ctx, git.Call{Args: args, Env: []string{"GIT_INDEX_FILE=" + s.newIndex()}})
	for name := range strings.SplitSeq(string(res.Stdout), "\x00") {
		found[name] = true
	}
	return found, err
}

// updateEntries sets the objects of entries in the new index and keeps their flags.
// Hooks are disabled, because this is not yet the user's index.
func (s *staging) updateEntries(ctx context.Context) error {
	var info, assumed, skipped strings.Builder
	for _, f := range s.files {
		if f.after == "" {
			continue
		}
		info.WriteString(modeOf(f.edit.Executable) + " " + f.after + " 0\t" + f.Path + "\x00")
		if f.assumed {
			assumed.WriteString(s.absolute(f) + "\x00")
		}
		if f.skipped {
			skipped.WriteString(s.absolute(f) + "\x00")
		}
	}
	for _, input := range []struct{ option, text string }{
		{"--index-info", info.String()}, {"--assume-unchanged", assumed.String()}, {"--skip-worktree", skipped.String()},
	} {
		if input.text == "" {
			continue
		}
		args := []string{"-c", "core.hooksPath=/dev/null", "update-index", "-z", input.option}
		if input.option != "--index-info" {
			args = append(args, "--stdin")
		}
		call := git.Call{Args: args, Stdin: strings.NewReader(input.text), Env: []string{"GIT_INDEX_FILE=" + s.newIndex()}}
		if _, err := s.repo.Do(ctx, call); err != nil {
			return err
		}
	}
	return s.syncIndex()
}

// syncIndex syncs the new index to the disk, with the permissions of the old one.
func (s *staging) syncIndex() error {
	info, err := os.Stat(s.repo.IndexFile)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(s.newIndex(), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	keepOwner(file, info)
	return errors.Join(file.Chmod(info.Mode().Perm()), file.Sync(), file.Close())
}

// replaceIndex moves the new index into place, or copies it if that is on another
// file system. It keeps the modification time that git gave it.
func (s *staging) replaceIndex() error {
	if !isOurLock(s.repo.IndexFile) {
		return errors.New("replace the index: its lock was removed while it was held")
	}
	err := os.Rename(s.newIndex(), s.repo.IndexFile)
	if err == nil {
		return nil
	}
	info, statErr := os.Stat(s.newIndex())
	content, readErr := regular.ReadFile(s.newIndex())
	if statErr != nil || readErr != nil {
		return err
	}
	near := tempIndex(s.repo.IndexFile, s.dir)
	err = errors.Join(
		writeSynced(near, content),
		os.Chmod(near, info.Mode().Perm()),
		os.Chtimes(near, info.ModTime(), info.ModTime()),
	)
	if err == nil {
		err = os.Rename(near, s.repo.IndexFile)
	}
	if err != nil {
		_ = os.Remove(near)
	}
	return err
}

// tempIndex returns a name for the new index in the directory of the old one.
func tempIndex(index, dir string) string { return index + "." + filepath.Base(dir) }
