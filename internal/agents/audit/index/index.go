// Package index keeps results of audits, so that logs that did not change need not be read
// again.
package index

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/atomicfile"
	"github.com/rulecheck/rulecheck/internal/regular"
)

// Digest identifies what a result depends on.
type Digest = [sha256.Size]byte

// Store keeps results in a directory that only its owner may access. What cannot be read or
// written there counts as absent.
type Store struct{ Dir string }

// The most results that are kept, and their most bytes.
const (
	maxResults = 32
	maxResult  = 64 << 20
	maxBytes   = 256 << 20
)

// format begins every file. It changes with the encoding of values.
const format = "rulecheck audit 2\n"

const suffix = ".result"

// header is the format, the digest of the state, and that of the value.
const header = len(format) + 2*sha256.Size

// file returns where the result of a question is.
func (s Store) file(question Digest) string {
	return filepath.Join(s.Dir, hex.EncodeToString(question[:])+suffix)
}

// Get reads the result of a question into value, a pointer. It returns false if there is
// none for this state, or if it is damaged; then value is unspecified.
func (s Store) Get(question, state Digest, value any) bool {
	if !s.isPrivate() {
		return false
	}
	text, err := regular.ReadAtMost(s.file(question), maxResult+int64(header))
	if err != nil || len(text) < header || string(text[:len(format)]) != format {
		return false
	}
	rest := text[len(format):]
	sum := sha256.Sum256(text[header:])
	if !bytes.Equal(rest[:sha256.Size], state[:]) || !bytes.Equal(rest[sha256.Size:2*sha256.Size], sum[:]) {
		return false
	}
	return decode(text[header:], value) == nil
}

// Put keeps the result of a question for a state instead of an older one. It does nothing
// if another process is writing.
func (s Store) Put(question, state Digest, value any) error {
	text, err := encode(make([]byte, header), value)
	if err != nil || len(text) > header+maxResult {
		return err
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil || !s.isPrivate() {
		return err
	}
	unlock, ok, err := atomicfile.TryLock(filepath.Join(s.Dir, "lock"))
	if err != nil || !ok {
		return err
	}
	defer unlock()
	s.prune(s.file(question), int64(len(text)-header))
	sum := sha256.Sum256(text[header:])
	copy(text, slices.Concat([]byte(format), state[:], sum[:]))
	return atomicfile.WritePrivate(s.file(question), text)
}

// isPrivate reports whether the directory is closed to other users.
func (s Store) isPrivate() bool {
	info, err := os.Lstat(s.Dir)
	return err == nil && info.IsDir() && isOwn(info)
}

// prune removes what killed processes left, and the oldest results until there is room for
// one more in a file.
func (s Store) prune(file string, size int64) {
	entries, _ := os.ReadDir(s.Dir) // a directory that cannot be read has nothing to remove
	type old struct {
		name string
		info fs.FileInfo
	}
	var results []old
	for _, e := range entries {
		name := filepath.Join(s.Dir, e.Name())
		info, err := e.Info()
		switch {
		case err != nil || !info.Mode().IsRegular() || e.Name() == "lock":
		case !strings.HasSuffix(e.Name(), suffix):
			_ = os.Remove(name)
		case name != file:
			results = append(results, old{name, info})
			size += info.Size()
		}
	}
	slices.SortFunc(results, func(a, b old) int {
		return cmp.Or(a.info.ModTime().Compare(b.info.ModTime()), cmp.Compare(a.name, b.name))
	})
	for n := len(results); n >= maxResults || size > maxBytes && n > 0; n-- {
		oldest := results[len(results)-n]
		_ = os.Remove(oldest.name)
		size -= oldest.info.Size()
	}
}
