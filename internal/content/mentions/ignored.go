package mentions

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/gitfile"
)

const ignoreFile = ".gitignore"

// ignores answers whether head's ignore files match names.
type ignores struct {
	files map[string]*gitfile.Ignores // by directory, with a slash at the end; the top is empty
}

// readIgnores reads the ignore files that apply to names.
func (r *Reader) readIgnores(ctx context.Context, names []string) (*ignores, error) {
	places := map[string]bool{}
	for _, name := range names {
		for _, dir := range directoriesAbove(name) {
			places[dir+ignoreFile] = true
		}
	}
	paths := make([]string, 0, len(places))
	for p := range places {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	contents, err := r.source.Contents(ctx, r.set.Head, paths, diff.ContentLimit)
	if err != nil {
		return nil, err
	}
	found := &ignores{map[string]*gitfile.Ignores{}}
	for _, p := range paths { // those of higher directories first
		dir := strings.TrimSuffix(p, ignoreFile)
		above := found.of(dir)
		found.files[dir] = add(above, dir, string(contents[p]))
	}
	return found, nil
}

// add adds the lines of an ignore file one by one: those that gits read differently match
// nothing.
func add(to *gitfile.Ignores, dir, text string) *gitfile.Ignores {
	for line := range strings.Lines(text) {
		if more, err := to.Add(dir, line); err == nil {
			to = more
		}
	}
	return to
}

// of returns the ignore files that apply in a directory.
func (i *ignores) of(dir string) *gitfile.Ignores {
	for {
		if files, ok := i.files[dir]; ok || dir == "" {
			return files
		}
		dir = dir[:strings.LastIndexByte(strings.TrimSuffix(dir, "/"), '/')+1]
	}
}

// match reports whether a name, or a directory above it, is ignored.
func (i *ignores) match(name string) bool {
	file := strings.TrimSuffix(name, "/")
	for at := range file {
		if file[at] == '/' && i.of(parent(file[:at])).Ignored(file[:at], true) {
			return true
		}
	}
	return i.of(parent(file)).Ignored(file, file != name)
}

// parent returns the directory of a name, with a slash at the end; the top is empty.
func parent(name string) string { return name[:strings.LastIndexByte(name, '/')+1] }

// directoriesAbove lists the directories above a name, as parent returns them, the top first.
func directoriesAbove(name string) []string {
	dirs := []string{""}
	for dir := path.Dir(strings.TrimSuffix(name, "/")); dir != "."; dir = path.Dir(dir) {
		dirs = slices.Insert(dirs, 1, dir+"/")
	}
	return dirs
}
