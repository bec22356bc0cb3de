package diff

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
)

// storeless runs a process that reads an index or compares commits. To look at all of
// a sparse index, git computes its trees and stores those that are new; they go where
// nobody keeps them.
func (p *Program) storeless(ctx context.Context, c git.Call) (git.Result, error) {
	c.Large = p.largeIndex()
	special := slices.ContainsFunc(c.Env, func(kv string) bool { return strings.Contains(kv, "OBJECT_DIRECTOR") })
	if special || !p.sparse() {
		return p.repo.Do(ctx, c)
	}
	dir, err := tempDir()
	if err != nil {
		return git.Result{}, err
	}
	defer os.RemoveAll(dir)
	c.Env = slices.Concat(p.repo.OnlyInto(dir), c.Env)
	return p.repo.Do(ctx, c)
}

// sparse reports whether the index may be sparse: by its extension of that name,
// which has no content.
func (p *Program) sparse() bool {
	if !p.sparseCheckout() {
		return false
	}
	index, err := os.ReadFile(p.repo.IndexFile)
	return err == nil && bytes.Contains(index, []byte("sdir\x00\x00\x00\x00"))
}

// sparseCheckout reports whether files may be left out of the working tree, those
// with attributes among them, which git then reads from the index.
func (p *Program) sparseCheckout() bool {
	_, err := os.Stat(filepath.Join(p.repo.GitDir, "info", "sparse-checkout"))
	return err == nil
}
