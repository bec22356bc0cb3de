package queue

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/rulecheck/rulecheck/internal/regular"
)

// hashDigits is the length of a hash in hexadecimal digits.
const hashDigits = 12

// Subject identifies a finding: while nothing of it changes, an
// agent gets it once.
type Subject struct {
	Rule     string // its id
	Text     string // of the rule
	Triggers []File
	Expected []string
	Base     string
}

// File is a file with a digest of its content; empty: it does not exist.
type File struct{ Path, Digest string }

// Hash returns the hash of a subject. The order of files does not matter, and no two
// subjects have the same encoding.
func (s Subject) Hash() string {
	h := sha256.New()
	write(h, "rulecheck queue 1", s.Rule, s.Text, s.Base)
	files := slices.Clone(s.Triggers)
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	length(h, len(files))
	for _, f := range files {
		write(h, f.Path, f.Digest)
	}
	expected := slices.Sorted(slices.Values(s.Expected))
	length(h, len(expected))
	write(h, expected...)
	return hex.EncodeToString(h.Sum(nil))[:hashDigits]
}

// write adds texts with their lengths, so that what one ends with cannot begin another.
func write(h hash.Hash, texts ...string) {
	for _, text := range texts {
		length(h, len(text))
		_, _ = io.WriteString(h, text) // never fails
	}
}

func length(h hash.Hash, n int) {
	_, _ = h.Write(binary.AppendUvarint(nil, uint64(n))) //nolint:gosec // a length is not negative
}

// Worktree returns a function that digests a file of a working tree.
func Worktree(root string) func(path string) (File, error) {
	return func(path string) (File, error) {
		digest, err := digestOf(filepath.Join(root, filepath.FromSlash(path)))
		return File{path, digest}, err
	}
}

// Files are many and small, so that a buffer for each would cost more than reading it.
const bufferSize = 32 << 10

var buffers = sync.Pool{New: func() any { return new([bufferSize]byte) }}

// digestOf digests the kind and the content of a file. Of a directory, such as a
// submodule, there is no content.
func digestOf(name string) (string, error) {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	}
	h := sha256.New()
	write(h, info.Mode().Type().String())
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(name)
		if err != nil {
			return "", err
		}
		write(h, target)
	case info.Mode().IsRegular():
		f, err := regular.Open(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		buffer := buffers.Get().(*[bufferSize]byte) //nolint:forcetypeassert // nothing else is put
		defer buffers.Put(buffer)
		if _, err := io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{f}, buffer[:]); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
