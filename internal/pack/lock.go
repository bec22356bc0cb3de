package pack

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/rulecheck/rulecheck/internal/regular"
)

// LockFile is the file of a repository with the digests of its packs.
const LockFile = ".rulecheck/packs.lock"

// Locked is a pack in a lock file.
type Locked struct {
	Ref

	Digest string `json:"digest"`
	Name   string `json:"name,omitempty"` // the tag or branch that an update found the commit by
}

// Lock is the content of a lock file.
type Lock struct {
	Version int      `json:"version"`
	Packs   []Locked `json:"packs"`
}

const lockVersion = 1

// ReadLock reads the lock file of a repository; without one it is empty.
func ReadLock(tree fs.FS) (Lock, error) {
	text, err := regular.ReadFS(tree, LockFile, regular.Text)
	if errors.Is(err, fs.ErrNotExist) {
		return Lock{Version: lockVersion}, nil
	}
	var l Lock
	if err == nil {
		err = json.Unmarshal(text, &l)
	}
	if err == nil && l.Version != lockVersion {
		err = fmt.Errorf("version %d; want %d", l.Version, lockVersion)
	}
	if err != nil {
		return Lock{}, fmt.Errorf("%s: %w; remove the file, then %s", LockFile, err, NextFetch)
	}
	return l, nil
}

// Find returns the entry of a pack.
func (l Lock) Find(r Ref) (Locked, bool) {
	i := slices.IndexFunc(l.Packs, func(e Locked) bool { return e.Ref == r })
	if i < 0 {
		return Locked{}, false
	}
	return l.Packs[i], true
}

// Encode returns the text of the lock file.
func (l Lock) Encode() []byte {
	l.Version = lockVersion
	text, _ := json.MarshalIndent(l, "", "  ") //nolint:errchkjson // of texts: cannot fail
	return append(text, '\n')
}
