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

// The variables by which git is told of object stores.
const (
	objectsKey    = "GIT_OBJECT_DIRECTORY"
	alternatesKey = "GIT_ALTERNATE_OBJECT_DIRECTORIES"
)

// AlsoObjects is the environment of a call that reads the object directory dir
// beside the repository's own objects.
func (r *Repo) AlsoObjects(dir string) []string {
	return []string{alternatesKey + "=" + join(Quote(dir), r.Env(alternatesKey))}
}

// OnlyInto is the environment of a call that writes new objects to the object
// directory dir and reads, but never writes, the repository's own.
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

// Env is what git finds in its environment under key.
func (r *Runner) Env(key string) string {
	value := ""
	for _, kv := range r.env {
		if v, ok := strings.CutPrefix(kv, key+"="); ok {
			value = v
		}
	}
	return value
}

// Quote puts name in the C quotes that git takes where a name may hold what
// would separate it from the next.
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

// IsObjectID reports whether s is the whole id of an object, of SHA-1 or SHA-256.
func IsObjectID(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// BlobID is the id that git gives to a file's content in a repository of an object
// format, sha1 or sha256.
func BlobID(format string, content []byte) string {
	sum := NewHash(format)
	fmt.Fprintf(sum, "blob %d\x00", len(content))
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil))
}

// NewHash is what ids of an object format are made with.
func NewHash(format string) hash.Hash {
	if format == "sha256" {
		return sha256.New()
	}
	return sha1.New() //nolint:gosec // this is how git names objects
}
