package diff

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// largeFile is a file whose content was not kept, and what is there now.
type largeFile struct {
	SnapshotFile
	info      fs.FileInfo // nil: it is gone, or a directory, or ignored now
	untracked bool
}

// lookAgain says what became of large files: git counts one that is in the index
// or untracked, and not ignored.
func (p *Program) lookAgain(ctx context.Context, files []SnapshotFile) ([]largeFile, error) {
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
	out, err := p.repo.Run(ctx, append(args, specs...)...)
	if err != nil {
		return nil, err
	}
	tags := map[string]string{}
	for _, line := range names(out) {
		tag, name, _ := strings.Cut(line, " ")
		tags[name] = tag
	}
	root, err := os.OpenRoot(p.repo.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	list := make([]largeFile, len(files))
	for i, f := range files {
		list[i] = largeFile{SnapshotFile: f, untracked: tags[paths[i]] == "?"}
		info, err := lstat(root, paths[i])
		if err != nil && !absentFile(err) {
			return nil, err
		}
		if err == nil && !info.IsDir() && tags[paths[i]] != "" {
			list[i].info = info
		}
	}
	return list, nil
}

// settleLarge adds to list what became of large files. One that is gone and stands
// unchanged in another place was renamed; whether it was renamed and edited
// nobody can tell any more.
func (p *Program) settleLarge(ctx context.Context, list []Change, large []largeFile) ([]Change, error) {
	set, err := p.settings(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range large {
		if l.info == nil {
			if list, err = p.settleGone(ctx, list, l); err != nil {
				return nil, err
			}
			continue
		}
		c := Change{Path: string(l.Path), Status: Modified, Untracked: l.untracked, Mode: modeOf(l.info.Mode(), set.fileMode)}
		c.Kind = kindOf(c.Mode)
		if c.Kind != File {
			c.Status = TypeChanged
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

// settleGone makes a change of a large file that is no longer there.
func (p *Program) settleGone(ctx context.Context, list []Change, l largeFile) ([]Change, error) {
	for i, c := range list {
		if c.Status != Added {
			continue
		}
		if c.Path == string(l.Path) { // a submodule has taken its place
			list[i].Status = TypeChanged
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
			list[i].Status, list[i].OldPath, list[i].Similarity = Renamed, string(l.Path), 100
			return list, nil
		}
	}
	return append(list, Change{Path: string(l.Path), Status: Deleted, Mode: l.Mode, Kind: File}), nil
}

// hash gives the objects that regular files would be, without storing them.
func (p *Program) hash(ctx context.Context, paths []string) ([]string, error) {
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
