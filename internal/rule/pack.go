package rule

import (
	"embed"
	"io/fs"
	"path"
)

// packFiles holds the packs, each a directory of rule files.
//
//go:embed packs
var packFiles embed.FS

const packDir = "packs"

// Packs returns the names of the packs that come with the program, as in extends,
// in byte order.
func Packs() []string {
	entries, _ := fs.ReadDir(packFiles, packDir) // cannot fail: it is embedded
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, packs().file(e.Name()))
	}
	return names
}

// packs returns the directory of all packs.
func packs() Source {
	return Source{Tier: BundledTier, FS: packFiles, Dir: packDir, Shown: string(BundledTier)}
}

// UserDir is the user's own configuration directory, such as ~/.config/rulecheck.
type UserDir struct {
	FS    fs.FS  // of the directory; it may be empty
	Shown string // the directory's name in messages
}

func (u *UserDir) source(dir string) Source {
	return Source{Tier: UserTier, FS: u.FS, Dir: dir, Shown: path.Join(u.Shown, dir)}
}

// Tiers returns the sources of a project's rules: its own directory, the user's
// rules, and the packs in extends. user is nil if the result must depend only on
// the repository.
func Tiers(c Config, project fs.FS, user *UserDir) []Source {
	sources := []Source{{Tier: ProjectTier, FS: project, Dir: c.RulesDir}}
	if user != nil {
		sources = append(sources, user.source("rules"))
	}
	for _, name := range c.Extends {
		sources = append(sources, Source{Tier: BundledTier, FS: packFiles, Dir: path.Join(packDir, path.Base(name)), Shown: name})
	}
	return sources
}

// Imports returns the sources of the rules that workflow files import by name: a
// file NAME.yaml with rule_definitions, or a directory NAME of rule files, such as
// a pack. The first source that has the name is used.
func Imports(project fs.FS, user *UserDir) []Source {
	sources := []Source{{Tier: ProjectTier, FS: project, Dir: ".rulecheck/workflows/rules"}}
	if user != nil {
		sources = append(sources, user.source("workflows/rules"))
	}
	return append(sources, packs())
}
