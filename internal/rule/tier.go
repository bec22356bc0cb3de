package rule

import (
	"cmp"
	"io/fs"
	"path"
	"strings"
)

// Tier is where a rule comes from. Of several rules with one id that of the
// highest tier holds: the project's, then the user's, then a bundled pack's.
type Tier string

// Every tier, highest first.
const (
	ProjectTier Tier = "project"
	UserTier    Tier = "user"
	BundledTier Tier = "bundled"
)

// Source is a directory that belongs to a tier.
type Source struct {
	Tier  Tier
	FS    fs.FS
	Dir   string // in FS; it need not be there
	Shown string // what people are told instead of Dir; empty: Dir
}

// file is a file of the source as people are told of it.
func (s Source) file(name string) string { return path.Join(cmp.Or(s.Shown, s.Dir), name) }

// Content is that of a file of one of the sources, by the name that people are
// told: to show the line that a problem is about.
func Content(sources []Source, file string) ([]byte, error) {
	for _, s := range sources {
		if name, ok := strings.CutPrefix(file, s.file("")+"/"); ok {
			return fs.ReadFile(s.FS, path.Join(s.Dir, name))
		}
	}
	return nil, &fs.PathError{Op: "open", Path: file, Err: fs.ErrNotExist}
}

// Origin is where a rule is written.
type Origin struct {
	Tier Tier
	File string
}
