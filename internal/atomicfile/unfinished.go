package atomicfile

import (
	"path"
	"strings"
)

// Unfinished returns the path under which a rule file is written before it gets its name: a
// hidden one, which is never read as a rule.
func Unfinished(file string) string {
	dir, name := path.Split(file)
	return dir + "." + strings.TrimSuffix(name, ".md") + ".new"
}
