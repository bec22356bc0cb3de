// Package fetch fills the cache of packs with git. Nothing else of the program reaches a
// server for them.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/pack"
)

// temporary begins the names of the directories that a fetch works in.
const temporary = ".fetch-"

// Fetcher fetches packs into the store of its settings.
type Fetcher struct {
	pack.Settings

	Env []string // of git
}

// Fetch returns a pack from the store, or fetches it. Fetches wait for each other, and one that
// is killed leaves nothing that counts.
func (f Fetcher) Fetch(ctx context.Context, r pack.Ref) (c pack.Content, fetched bool, err error) {
	if err := r.Check(); err != nil {
		return c, false, err
	}
	unlock, err := f.Store.Lock(ctx)
	if err != nil {
		return c, false, err
	}
	defer unlock()
	left, _ := filepath.Glob(filepath.Join(f.Store.Dir, temporary+"*")) // the pattern is well-formed
	for _, dir := range left {
		_ = os.RemoveAll(dir) // of a fetch that was killed, whose git may still write: then the next one removes it
	}
	if c, err = f.Open(ctx, r, ""); !errors.Is(err, pack.ErrMissing) {
		return c, false, err
	}
	dir, err := os.MkdirTemp(f.Store.Dir, temporary)
	if err != nil {
		return c, false, err
	}
	defer os.RemoveAll(dir)
	if c, err = f.get(ctx, dir, r); err != nil {
		return c, false, err
	}
	if f.Verify != nil {
		if err := f.Verify(ctx, c.Commit); err != nil {
			return pack.Content{}, false, err
		}
	}
	return c, true, f.Store.Put(r, c)
}

// get fetches a commit into a new repository, and reads the pack there.
func (f Fetcher) get(ctx context.Context, dir string, r pack.Ref) (pack.Content, error) {
	const sha1Hex, messages = 40, 1 << 16
	format := "sha1"
	if len(r.Rev) != sha1Hex {
		format = "sha256"
	}
	o := git.Options{Dir: dir, Env: f.Env}
	if _, err := git.Remote(ctx, o, messages, "init", "--quiet", "--bare", "--template=", "--object-format="+format, dir); err != nil {
		return pack.Content{}, err
	}
	in := "--git-dir=" + dir
	_, err := git.Remote(ctx, o, messages, in, "-c", "fetch.fsckObjects=true", "fetch", "--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head",
		"--no-recurse-submodules", "--no-auto-gc", "--end-of-options", r.Git, r.Rev)
	if err != nil {
		return pack.Content{}, fmt.Errorf("%w; check the URL, the commit id and your access", err)
	}
	kind, err := git.Remote(ctx, o, messages, in, "cat-file", "-t", r.Rev)
	if err != nil {
		return pack.Content{}, err
	}
	if kind := strings.TrimSpace(string(kind)); kind != "commit" {
		return pack.Content{}, fmt.Errorf("%s is the id of a %s; want that of a commit", r.Rev, kind)
	}
	return pack.Collect(r, func(kind, id string) ([]byte, error) {
		return git.Remote(ctx, o, pack.MaxObject+1, in, "cat-file", kind, id)
	})
}

// Resolve asks a server for the commit that a branch or a tag names; an empty name is HEAD.
func (f Fetcher) Resolve(ctx context.Context, url, name string) (rev string, tag bool, err error) {
	if err := pack.CheckURL(url); err != nil {
		return "", false, err
	}
	const most = 1 << 20
	args := []string{"ls-remote", "--end-of-options", url, "HEAD"}
	if name != "" {
		args = []string{"ls-remote", "--end-of-options", url, "refs/heads/" + name, "refs/tags/" + name, "refs/tags/" + name + "^{}"}
	}
	if err := os.MkdirAll(f.Store.Dir, 0o700); err != nil {
		return "", false, err
	}
	out, err := git.Remote(ctx, git.Options{Dir: f.Store.Dir, Env: f.Env}, most, args...)
	if err != nil {
		return "", false, err
	}
	for line := range strings.Lines(string(out)) {
		id, ref, _ := strings.Cut(strings.TrimSpace(line), "\t")
		isTag := ref == "refs/tags/"+name || ref == "refs/tags/"+name+"^{}" // which comes last
		if isTag || ref == args[3] {
			rev, tag = id, isTag
		}
	}
	if err := pack.CheckRev(rev); err != nil {
		return "", false, fmt.Errorf("%s has no branch or tag %q", url, name)
	}
	return rev, tag, nil
}
