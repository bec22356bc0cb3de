package snapshot

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/git"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/shell"
)

const (
	manifestVersion = 1
	manifestFile    = "manifest.json"
)

var snapshotID = lazyregexp.New(`^[0-9a-f]{16}$`)

// IsID reports whether ref has the form of a snapshot's id.
func IsID(ref string) bool { return snapshotID().MatchString(ref) }

// FromPrefix begins the ref of a [diff.From] base that is a snapshot: prompt:ID.
const FromPrefix = "prompt:"

// IDOf returns the id of the snapshot that a base was taken from; empty for another base.
func IDOf(base diff.Base) string {
	id, named := strings.CutPrefix(base.Ref, FromPrefix)
	if (base.ID == diff.Prompt && !named || base.ID == diff.From && named) && IsID(id) {
		return id
	}
	return ""
}

// Read reads one snapshot's manifest. The error is fs.ErrNotExist if there is no such
// snapshot, and a *diff.NoVerdictError if the manifest cannot be used.
func Read(gitDir, id string) (*Snapshot, error) {
	if err := validID(id); err != nil {
		return nil, err
	}
	if err := ownDirs(gitDir, id); err != nil {
		return nil, err
	}
	text, err := regular.ReadFile(filepath.Join(dirOf(gitDir), id, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("prompt %s: no such snapshot: %w", id, fs.ErrNotExist)
	}
	s := &Snapshot{}
	if err == nil {
		err = json.Unmarshal(text, s)
	}
	if err == nil {
		err = s.valid(id)
	}
	if err != nil {
		return nil, &diff.NoVerdictError{
			Reason: fmt.Sprintf("the snapshot of prompt %s cannot be read: %v", id, err),
			Fix:    shell.Line("rulecheck", "snapshot", "drop", id),
			Err:    err,
		}
	}
	return s, nil
}

func validID(id string) error {
	if !snapshotID().MatchString(id) {
		return fmt.Errorf("%q is not the id of a snapshot; want 16 hexadecimal digits, as rulecheck snapshot list shows", id)
	}
	return nil
}

// valid rejects a manifest that this program has not written: objects become arguments of git.
func (s *Snapshot) valid(id string) error {
	if s.Version != manifestVersion {
		return fmt.Errorf("version %d; want %d", s.Version, manifestVersion)
	}
	if s.ID != id {
		return fmt.Errorf("id %q; want %q", s.ID, id)
	}
	objects := []string{s.Tree}
	for _, o := range []string{s.Commit, s.IndexTree} {
		if o != "" {
			objects = append(objects, o)
		}
	}
	for _, f := range s.Large() {
		objects = append(objects, f.Object)
	}
	for _, o := range objects {
		if !git.IsObjectID(o) {
			return fmt.Errorf("object %q; want 40 or 64 hexadecimal digits", o)
		}
	}
	return nil
}

// FileName is a path in git's bytes. In JSON a percent sign and every byte that is not UTF-8
// are percent-encoded.
type FileName string

// MarshalText encodes the name.
func (n FileName) MarshalText() ([]byte, error) {
	var b []byte
	for rest := string(n); rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		if r == '%' || r == utf8.RuneError && size == 1 {
			b = fmt.Appendf(b, "%%%02X", rest[0])
		} else {
			b = append(b, rest[:size]...)
		}
		rest = rest[size:]
	}
	return b, nil
}

// UnmarshalText decodes what MarshalText encoded.
func (n *FileName) UnmarshalText(text []byte) error {
	var name []byte
	for rest := text; len(rest) > 0; {
		if rest[0] != '%' {
			name, rest = append(name, rest[0]), rest[1:]
			continue
		}
		if len(rest) < len("%00") {
			return notEncoded(text)
		}
		value, err := hex.DecodeString(string(rest[1:3]))
		if err != nil {
			return notEncoded(text)
		}
		name, rest = append(name, value...), rest[3:]
	}
	*n = FileName(name)
	return nil
}

func notEncoded(text []byte) error {
	return fmt.Errorf("name %q has a percent sign that encodes nothing; want two hexadecimal digits behind it", text)
}
