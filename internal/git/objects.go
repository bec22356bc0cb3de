package git

import (
	"crypto/sha1" //nolint:gosec // this is how git names objects
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"strings"
)

// The variables of git's object directories.
const (
	objectsKey    = "GIT_OBJECT_DIRECTORY"
	alternatesKey = "GIT_ALTERNATE_OBJECT_DIRECTORIES"
)

// AlsoObjects returns the environment of a call that reads the object directory dir
// in addition to the repository's objects.
func (r *Repo) AlsoObjects(dir string) []string {
	return []string{alternatesKey + "=" + join(Quote(dir), r.Env(alternatesKey))}
}

// OnlyInto returns the environment of a call that writes new objects only to the
// object directory dir, and reads the repository's objects.
func (r *Repo) OnlyInto(dir string) []string {
	own := r.Env(objectsKey)
	if own == "" {
		own = filepath.Join(r.CommonDir, "objects")
	}
	return []string{objectsKey + "=" + dir, alternatesKey + "=" + join(Quote(own), r.Env(alternatesKey))}
}

func join(first, rest string) string {
	if rest == "" {
		return first
	}
	return first + string(os.PathListSeparator) + rest
}

// Env returns the value of a variable in git's environment, or an empty string.
func (r *runner) Env(key string) string {
	value := ""
	for _, kv := range r.env {
		if v, ok := strings.CutPrefix(kv, key+"="); ok {
			value = v
		}
	}
	return value
}

// Quote quotes a name in the C style that git accepts in lists of names.
func Quote(name string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// IsObjectID reports whether s is a full SHA-1 or SHA-256 object id.
func IsObjectID(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// BlobID returns git's object id of a file's content. format is sha1 or sha256.
func BlobID(format string, content []byte) string {
	sum := NewHash(format)
	fmt.Fprintf(sum, "blob %d\x00", len(content))
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil))
}

// NewHash returns the hash of object ids. format is sha1 or sha256.
func NewHash(format string) hash.Hash {
	if format == "sha256" {
		return sha256.New()
	}
	return sha1.New() //nolint:gosec // this is how git names objects
}
