package program

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/snapshot"
)

// stageAll updates the private index as git add --all would, except for files that are too
// large: those are left out and hashed. It returns the files for the manifest.
func (p *Engine) stageAll(ctx context.Context, index *privateIndex, list []snapshot.File) ([]snapshot.File, error) {
	set, err := repository{p}.Settings(ctx)
	if err != nil {
		return nil, err
	}
	root, err := read.OpenDisk(p.repo.Root, nil)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var first, add strings.Builder // entries, then names of files
	var large []int
	for i := range list {
		f := &list[i]
		name := strings.TrimSuffix(string(f.Path), "/")
		nested := name != string(f.Path) || diff.KindOf(f.Mode) == diff.Submodule && f.State != snapshot.Missing
		f.Path, f.Mode = snapshot.FileName(name), ""
		info, err := read.Lstat(root, name)
		if err != nil && !read.Absent(err) {
			return nil, err
		}
		switch {
		case err != nil, info.IsDir() && !nested, !info.IsDir() && info.Mode().Type()&^fs.ModeSymlink != 0:
			first.WriteString(noEntryOf(p.repo, name)) // deleted, or not a file that git adds
			continue
		case info.Mode().IsRegular() && info.Size() > snapshot.LargeFile:
			first.WriteString(noEntryOf(p.repo, name))
			f.Mode, f.Size = diff.ModeOf(info.Mode(), set.FileMode), info.Size()
			large = append(large, i)
			continue
		case info.IsDir():
			f.Mode = submoduleMode
			// Git update-index sets the commit of an entry that is a submodule
			// already, and leaves one without any commit as it is.
			first.WriteString(submoduleMode + " " + p.emptyTree() + " 0\t" + name + "\x00")
		}
		// Relative names would be taken from the directory git runs in.
		add.WriteString(filepath.Join(p.repo.Root, name) + "\x00")
	}
	if err := p.hashLarge(ctx, list, large); err != nil {
		return nil, err
	}
	for _, step := range []struct {
		input string
		args  []string
	}{
		{first.String(), []string{"update-index", "-z", "--index-info"}},
		{add.String(), []string{"update-index", "-z", "--add", "--remove", "--replace", "--stdin"}},
	} {
		if step.input == "" {
			continue
		}
		call := index.call(step.args)
		call.Stdin = strings.NewReader(step.input)
		if _, err := p.repo.Do(ctx, call); err != nil {
			return nil, MissingObject(err)
		}
	}
	return list, nil
}

const submoduleMode = "160000"

// markUnclean marks the submodules with uncommitted changes: those that differ although the
// index has their commits.
func (p *Engine) markUnclean(ctx context.Context, index *privateIndex, list []snapshot.File) error {
	modules := map[string]*snapshot.File{}
	for i := range list {
		if f := &list[i]; f.Mode == submoduleMode {
			f.Mode = ""
			modules[string(f.Path)] = f
		}
	}
	if len(modules) == 0 {
		return nil
	}
	records, _, err := p.compare(ctx, index.call(againstIndex))
	for _, r := range records {
		if f := modules[r.Path]; f != nil {
			f.Unclean = true
		}
	}
	return err
}

// hashLarge fills in the objects of those files of list whose positions are in large.
func (p *Engine) hashLarge(ctx context.Context, list []snapshot.File, large []int) error {
	paths := make([]string, len(large))
	for i, at := range large {
		paths[i] = string(list[at].Path)
	}
	objects, err := p.hash(ctx, paths)
	for i, object := range objects {
		list[large[i]].Object = object
	}
	return err
}
