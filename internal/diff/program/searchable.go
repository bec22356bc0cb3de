package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/diff/read"
	"github.com/rulecheck/rulecheck/internal/git"
)

// confirmSearchable makes sure that git can look at the files in each directory of the index. It
// silently leaves out a file that base does not have and that it cannot look at.
func (p *Engine) confirmSearchable(ctx context.Context) error {
	index, err := p.readIndex()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var last []byte
	var failed error
	visit := func(name []byte) {
		dir := name[:max(bytes.LastIndexByte(name, '/'), 0)]
		if failed != nil || len(dir) == 0 || bytes.Equal(dir, last) {
			return
		}
		last = dir
		place := filepath.Join(p.repo.Root, filepath.FromSlash(string(dir))) + string(filepath.Separator)
		if _, err := os.Lstat(place + "."); err != nil && !read.Absent(err) {
			failed = fmt.Errorf("%q may be new or changed: %w", name, err)
		}
	}
	rest, err := glance(index, p.repo.ObjectFormat, func(g glimpse) { visit(g.name) })
	if err == nil && isSplit(rest) {
		res, err := p.repo.Do(ctx, git.Call{Args: []string{"ls-files", "-z", "--full-name", "--", ":/"}})
		if err != nil {
			return err
		}
		for _, name := range splitNames(res.Stdout) {
			visit([]byte(name))
		}
		return failed
	}
	return failed // git reports what is wrong with the index
}
