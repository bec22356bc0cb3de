package git

import (
	"fmt"
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
	return []string{alternatesKey + "=" + join(Quote(dir), r.value(alternatesKey))}
}

// OnlyInto is the environment of a call that writes new objects to the object
// directory dir and reads, but never writes, the repository's own.
func (r *Repo) OnlyInto(dir string) []string {
	own := r.value(objectsKey)
	if own == "" {
		own = filepath.Join(r.CommonDir, "objects")
	}
	return []string{objectsKey + "=" + dir, alternatesKey + "=" + join(Quote(own), r.value(alternatesKey))}
}

func join(first, rest string) string {
	if rest == "" {
		return first
	}
	return first + string(os.PathListSeparator) + rest
}

// value is what git finds in its environment under key.
func (r *Repo) value(key string) string {
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
