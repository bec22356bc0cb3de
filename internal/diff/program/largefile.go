package program

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/snapshot"
)

// largeFile is a file whose content was not kept, and its current state.
type largeFile struct {
	snapshot.File
	info      fs.FileInfo // nil: it was deleted, became a directory, or is ignored
	untracked bool
}

// currentState finds the large files that git still sees: those that are in the index, or
// untracked and not ignored.
func (p *Engine) currentState(ctx context.Context, files []snapshot.File) ([]largeFile, error) {
	if len(files) == 0 {
		return nil, nil
	}
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = string(f.Path)
	}
	args := []string{"ls-files", "-t", "-c", "-o", "--exclude-standard", "-z", "--full-name", "--"}
	specs := pathspecs(paths)
	if specs == nil {
		specs = []string{":/"}
	}
	res, err := p.query(ctx, git.Call{Args: append(args, specs...)})
	if err != nil {
		return nil, err
	}
	tags := map[string]string{}
	for _, line := range splitNames(res.Stdout) {
		tag, name, _ := strings.Cut(line, " ")
		tags[name] = tag
	}
	root, err := read.OpenDisk(p.repo.Root, nil)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	list := make([]largeFile, len(files))
	for i, f := range files {
		list[i] = largeFile{File: f, untracked: tags[paths[i]] == "?"}
		info, err := read.Lstat(root, paths[i])
		if err != nil && !read.Absent(err) {
			return nil, err
		}
		if err == nil && !info.IsDir() && tags[paths[i]] != "" {
			list[i].info = info
		}
	}
	return list, nil
}

// settleLarge adds the changes of large files to list. A deleted file whose content is
// unchanged under another name was renamed; a rename with edits cannot be detected.
func (p *Engine) settleLarge(ctx context.Context, list []diff.Change, large []largeFile) ([]diff.Change, error) {
	set, err := repository{p}.Settings(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range large {
		if l.info == nil {
			if list, err = p.settleDeleted(ctx, list, l); err != nil {
				return nil, err
			}
			continue
		}
		c := diff.Change{Path: string(l.Path), Status: diff.Modified, Untracked: l.untracked, Mode: diff.ModeOf(l.info.Mode(), set.FileMode)}
		c.Kind = diff.KindOf(c.Mode)
		if c.Kind != diff.File {
			c.Status = diff.TypeChanged
		} else if c.Mode == l.Mode {
			now, err := p.hash(ctx, []string{c.Path})
			if err != nil {
				return nil, err
			}
			if now[0] == l.Object {
				continue
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// settleDeleted adds the change of a large file that no longer exists.
func (p *Engine) settleDeleted(ctx context.Context, list []diff.Change, l largeFile) ([]diff.Change, error) {
	for i, c := range list {
		if c.Status != diff.Added {
			continue
		}
		if c.Path == string(l.Path) { // a submodule has taken its place
			list[i].Status = diff.TypeChanged
			return list, nil
		}
		info, err := os.Lstat(filepath.Join(p.repo.Root, c.Path))
		if err != nil || !info.Mode().IsRegular() || info.Size() != l.Size {
			continue
		}
		now, err := p.hash(ctx, []string{c.Path})
		if err != nil {
			return nil, err
		}
		if now[0] == l.Object {
			list[i].Status, list[i].OldPath, list[i].Similarity = diff.Renamed, string(l.Path), 100
			return list, nil
		}
	}
	return append(list, diff.Change{Path: string(l.Path), Status: diff.Deleted, Mode: l.Mode, Kind: diff.File}), nil
}

// hash returns the object ids of regular files, without storing them.
func (p *Engine) hash(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	var input strings.Builder
	for _, name := range paths {
		input.WriteString(git.Quote(name) + "\n")
	}
	res, err := p.repo.Do(ctx, git.Call{
		Args:  []string{"-c", "core.safecrlf=false", "hash-object", "--stdin-paths"},
		Stdin: strings.NewReader(input.String()),
	})
	if err != nil {
		return nil, err
	}
	objects := strings.Fields(string(res.Stdout))
	if len(objects) != len(paths) {
		return nil, fmt.Errorf("git hash-object: %d objects; want %d", len(objects), len(paths))
	}
	return objects, nil
}
