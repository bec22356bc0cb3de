package respond

import (
	"os"
	"path/filepath"

	"github.com/rulecheck/rulecheck/internal/staging"
)

// link resolves the symbolic links of a path whose last parts need not exist: a file may be
// about to be made in a directory that is a link, or where a link points to.
func link(name string) string {
	file := filepath.FromSlash(name)
	for range 40 { // as many links as Linux follows
		for dir, rest := file, ""; ; dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest) {
			resolved, err := filepath.EvalSymlinks(dir)
			if err == nil {
				return filepath.ToSlash(filepath.Join(resolved, rest))
			}
			if target, err := os.Readlink(dir); err == nil { // to what does not exist
				if !filepath.IsAbs(target) {
					target = filepath.Join(filepath.Dir(dir), target)
				}
				file = filepath.Join(target, rest)
				break
			}
			if filepath.Dir(dir) == dir {
				return name
			}
		}
	}
	return name
}

// shared reports whether a file has several names: a write to one changes the others.
func shared(name string) bool {
	info, err := os.Lstat(filepath.FromSlash(name))
	return err == nil && info.Mode().IsRegular() && staging.HardLinked(info)
}
