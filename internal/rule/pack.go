package rule

import (
	"embed"
	"io/fs"
	"path"
)

// packFiles are the packs: each a directory of rule files.
//
//go:embed packs
var packFiles embed.FS

const packDir = "packs"

// Packs are the names of the packs that come with the program, as extends has
// them, in byte order.
func Packs() []string {
	entries, _ := fs.ReadDir(packFiles, packDir) // embedded, hence there
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, packs().file(e.Name()))
	}
	return names
}

// packs is the directory of all packs.
func packs() Source {
	return Source{Tier: BundledTier, FS: packFiles, Dir: packDir, Shown: string(BundledTier)}
}

// UserDir is the user's own configuration directory, such as ~/.config/rulecheck.
type UserDir struct {
	FS    fs.FS  // of the directory; nothing need be there
	Shown string // what people are told in its place
}

func (u *UserDir) source(dir string) Source {
	return Source{Tier: UserTier, FS: u.FS, Dir: dir, Shown: path.Join(u.Shown, dir)}
}

// Tiers are the sources of a project's rules: its own directory, the user's
// rules, and the packs that the configuration extends, the first named first.
// The user is nil where a verdict must depend on the repository alone.
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

// Imports are the sources in which a project's workflow files find what they
// import by name: a file NAME.yaml whose one key, rule_definitions, has rules by
// id, or a directory NAME of rule files, as every pack is one. The first source
// that has the name gives the whole file.
func Imports(project fs.FS, user *UserDir) []Source {
	sources := []Source{{Tier: ProjectTier, FS: project, Dir: ".rulecheck/workflows/rules"}}
	if user != nil {
		sources = append(sources, user.source("workflows/rules"))
	}
	return append(sources, packs())
}
