package pack

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Store is a directory that keeps fetched packs, one file each. It need not be trusted: each
// file is proved by the commit id when it is read.
type Store struct{ Dir string }

// NextFetch is the advice for a pack that is not there.
const NextFetch = "run: rulecheck packs fetch"

// File returns the file of a pack.
func (s Store) File(r Ref) string {
	sum := sha256.Sum256([]byte(r.Rev + "\x00" + r.Dir()))
	return filepath.Join(s.Dir, hex.EncodeToString(sum[:])+".pack")
}

// Open reads a fetched pack. digest is that of a lock file; empty: the commit id proves the
// content alone.
func (s Store) Open(r Ref, digest string) (Content, error) {
	if err := r.Check(); err != nil {
		return Content{}, err
	}
	file := s.File(r)
	text, err := regular.ReadAtMost(file, maxSize+maxSize/2)
	if errors.Is(err, fs.ErrNotExist) {
		return Content{}, fmt.Errorf("%w: %s", ErrMissing, NextFetch)
	}
	var c Content
	var get Get
	if err == nil {
		get, err = parse(text, len(r.Rev))
	}
	if err == nil {
		c, err = Collect(r, get)
	}
	if err == nil && !bytes.Equal(c.Text, text) {
		err = errors.New("has more than the pack")
	}
	if err != nil {
		return Content{}, fmt.Errorf("%s: %w; remove the file, then %s", file, err, NextFetch)
	}
	if digest != "" && c.Digest() != digest {
		return Content{}, fmt.Errorf("the pack has the digest %s, and %s has %s; restore that file", c.Digest(), LockFile, digest)
	}
	return c, nil
}

// ErrMissing is the error of a pack that was not fetched.
var ErrMissing = errors.New("the pack is not in the cache")

// Put stores a pack.
func (s Store) Put(r Ref, c Content) error { return atomicfile.WritePrivate(s.File(r), c.Text) }

// Lock makes the directory for its owner alone, and waits for others that fetch.
func (s Store) Lock(ctx context.Context) (unlock func(), err error) {
	const private = 0o700
	if err := os.MkdirAll(s.Dir, private); err != nil {
		return nil, err
	}
	if err := os.Chmod(s.Dir, private); err != nil {
		return nil, err
	}
	return atomicfile.Lock(ctx, filepath.Join(s.Dir, "lock"))
}
