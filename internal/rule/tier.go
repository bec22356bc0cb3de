package rule

import (
	"cmp"
	"io/fs"
	"path"
	"strings"

	"github.com/rulecheck/rulecheck/internal/regular"
)

// Tier is the origin of a rule. Of several rules with the same id the one of the
// highest tier is effective: the project's, then the user's, then a pack's.
type Tier string

// The tiers, highest first.
const (
	ProjectTier Tier = "project"
	UserTier    Tier = "user"
	BundledTier Tier = "bundled"
)

// Source is a directory of rule files.
type Source struct {
	Tier  Tier
	FS    fs.FS
	Dir   string // in FS; it may be missing
	Shown string // the directory's name in messages; empty: Dir
}

// file returns the name of a file of the source in messages.
func (s Source) file(name string) string { return path.Join(cmp.Or(s.Shown, s.Dir), name) }

// Content returns the content of a file of one of the sources by its name in
// messages, to show the line of a problem.
func Content(sources []Source, file string) ([]byte, error) {
	for _, s := range sources {
		if name, ok := strings.CutPrefix(file, s.file("")+"/"); ok {
			return regular.ReadFS(s.FS, path.Join(s.Dir, name), regular.Text)
		}
	}
	return nil, &fs.PathError{Op: "open", Path: file, Err: fs.ErrNotExist}
}

// Origin is the file of a rule.
type Origin struct {
	Tier Tier
	File string
}
