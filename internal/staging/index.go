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
)

// entry is a file in the index.
type entry struct {
	mode, object string
	assumed      bool // to be unchanged, as the user told git
	skipped      bool // in the working tree
}

// newIndex is the index as it is to be.
func (s *staging) newIndex() string { return filepath.Join(s.dir, "index") }

func (s *staging) absolute(f *staged) string { return filepath.Join(s.repo.Root, f.Path) }

// stage makes the new index, under the lock of the old one: a copy in which the
// entries that are still what was judged have the new content.
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
	if err := s.enter(ctx); err != nil {
		return err
	}
	step("index made")
	return nil
}

// copyIndex copies the index with its time, by which git knows the entries that
// may have changed since it was written. Before the first git add there is none.
func (s *staging) copyIndex() error {
	content, err := os.ReadFile(s.repo.IndexFile)
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

// compare settles which files may be staged.
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
		var there bool
		f.entry, there = entries[f.Path]
		object := git.BlobID(s.repo.ObjectFormat, f.edit.After)
		switch {
		case !there || intended[f.Path]:
			f.Index, f.Note = Left, "it is not staged any more"
		case f.object == object:
			f.Index = Same
		case f.object != git.BlobID(s.repo.ObjectFormat, f.edit.Before), f.mode != modeOf(f.edit):
			f.Index, f.Note = Left, "something else has been staged meanwhile"
		default:
			f.Index, f.after, s.index = Replaced, object, true
		}
	}
	return nil
}

// modeOf is a file's mode in the index.
func modeOf(e Edit) string {
	if e.Executable {
		return "100755"
	}
	return "100644"
}

// entries lists the files of an index; those that are unmerged are none. Asking
// for some of them takes git longer where they are many.
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

// intended are the paths that are only intended to be added. Their entries look
// like those of empty files, so nobody need ask unless there is one.
func (s *staging) intended(ctx context.Context) (map[string]bool, error) {
	args := []string{"diff-files", "--raw", "-z", "--ita-invisible-in-index", "--no-renames", "--diff-filter=A", "--name-only", "--"}
	asked := len(args)
	for _, f := range s.files {
		if len(f.edit.Before) == 0 {
			args = append(args, ":(top,literal)"+f.Path)
		}
	}
	found := map[string]bool{}
	if len(args) == asked {
		return found, nil
	}
	res, err := s.repo.Do(ctx, git.Call{Args: args, Env: []string{"GIT_INDEX_FILE=" + s.newIndex()}})
	for name := range strings.SplitSeq(string(res.Stdout), "\x00") {
		found[name] = true
	}
	return found, err
}

// enter puts the objects into the new index. What else an entry says is kept;
// no hook is told of an index that is not yet the user's.
func (s *staging) enter(ctx context.Context) error {
	var info, assumed, skipped strings.Builder
	for _, f := range s.files {
		if f.after == "" {
			continue
		}
		info.WriteString(f.mode + " " + f.after + " 0\t" + f.Path + "\x00")
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
	return s.settleIndex()
}

// settleIndex brings the new index to the disk with the permissions of the old.
func (s *staging) settleIndex() error {
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

// replaceIndex puts the new index in place of the old. Its time stays that at
// which git wrote it, also where it must be copied to get there.
func (s *staging) replaceIndex() error {
	if !heldByUs(s.repo.IndexFile) {
		return errors.New("replace the index: its lock was removed while it was held")
	}
	err := os.Rename(s.newIndex(), s.repo.IndexFile)
	if err == nil {
		return nil
	}
	info, statErr := os.Stat(s.newIndex())
	content, readErr := os.ReadFile(s.newIndex())
	if statErr != nil || readErr != nil {
		return err
	}
	near := besideIndex(s.repo.IndexFile, s.dir)
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

// besideIndex is the name of a copy of the new index on the old one's file system.
func besideIndex(index, dir string) string { return index + "." + filepath.Base(dir) }
