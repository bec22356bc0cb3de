package diff

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// stageAll makes the private index what git add --all would, but for files that
// are too large: those it leaves out, and gives their hashes. The files are
// returned as the manifest has them.
func (p *Program) stageAll(ctx context.Context, index *privateIndex, list []SnapshotFile) ([]SnapshotFile, error) {
	set, err := p.settings(ctx)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(p.repo.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var first, add strings.Builder // entries by hand, then files by name
	var large []int
	for i := range list {
		f := &list[i]
		name := strings.TrimSuffix(string(f.Path), "/")
		nested := name != string(f.Path) || kindOf(f.Mode) == Submodule && f.State != Missing
		f.Path, f.Mode = FileName(name), ""
		info, err := lstat(root, name)
		if err != nil && !absentFile(err) {
			return nil, err
		}
		switch {
		case err != nil, info.IsDir() && !nested, !info.IsDir() && info.Mode().Type()&^fs.ModeSymlink != 0:
			first.WriteString(noEntryOf(p.repo, name)) // gone, or nothing that git would add
			continue
		case info.Mode().IsRegular() && info.Size() > LargeFile:
			first.WriteString(noEntryOf(p.repo, name))
			f.Mode, f.Size = modeOf(info.Mode(), set.fileMode), info.Size()
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
			return nil, lacking(err)
		}
	}
	return list, nil
}

const submoduleMode = "160000"

// lookInside marks the submodules that are not clean. Where the index has the
// commits of all of them, that is what git still finds to be different.
func (p *Program) lookInside(ctx context.Context, index *privateIndex, list []SnapshotFile) error {
	modules := map[string]*SnapshotFile{}
	for i := range list {
		if f := &list[i]; f.Mode == submoduleMode {
			f.Mode = ""
			modules[string(f.Path)] = f
		}
	}
	if len(modules) == 0 {
		return nil
	}
	records, _, err := p.compared(ctx, index.call(againstIndex))
	for _, r := range records {
		if f := modules[r.path]; f != nil {
			f.Unclean = true
		}
	}
	return err
}

// hashLarge fills in the objects of the files of list at the places large.
func (p *Program) hashLarge(ctx context.Context, list []SnapshotFile, large []int) error {
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

// noEntryOf is the line of --index-info that removes name.
func noEntryOf(repo *git.Repo, name string) string {
	return "0 " + strings.Repeat("0", len(emptyTrees[repo.ObjectFormat])) + "\t" + name + "\x00"
}
