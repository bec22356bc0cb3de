package ifchange

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/diff"
)

// Migrate rewrites the directives of the files of the working tree whose top is dir, and
// returns the names of those that it changed.
func Migrate(ctx context.Context, source Repository, head diff.Head, dir string) (rewritten []string, err error) {
	files, err := source.Search(ctx, head, prefix, nil)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for names := range slices.Chunk(files, chunk) {
		contents, err := source.Contents(ctx, head, names, diff.ContentLimit+1)
		if err != nil {
			return rewritten, err
		}
		for _, name := range names {
			before := string(contents[name])
			after := Rewrite(name, before)
			if len(before) > diff.ContentLimit || after == before {
				continue
			}
			info, err := root.Lstat(name)
			if err != nil || !info.Mode().IsRegular() {
				continue // it is a symlink, whose content is its target
			}
			if err := atomicfile.Write(filepath.Join(dir, filepath.FromSlash(name)), []byte(after)); err != nil {
				return rewritten, err
			}
			if err := root.Chmod(name, info.Mode().Perm()); err != nil {
				return rewritten, err
			}
			rewritten = append(rewritten, name)
		}
	}
	return rewritten, nil
}
