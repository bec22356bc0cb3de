package rule

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// Tier is the origin of a rule. Of several rules with the same id the one of the
// highest tier is effective: that of the organization's pack, then the project's, the
// user's, and a pack's.
type Tier string

// The tiers, highest first.
const (
	OrganizationTier Tier = "organization" // cannot be weakened by the others
	ProjectTier      Tier = "project"
	UserTier         Tier = "user"
	PackTier         Tier = "pack" // from a git repository
	BundledTier      Tier = "bundled"
)

// Directory is a directory of rule files.
type Directory struct {
	Tier  Tier
	FS    fs.FS
	Dir   string // in FS; it may be missing
	Shown string // the directory's name in messages; empty: Dir

	Below   string             // the directory that the rules are about; empty: the whole repository
	Exclude []*pattern.Pattern // files that are no rules
}

// NestedDirectories returns the directories of nested rules, each of which has its
// rules in rulesDir below it. Files that the configuration excludes are no rules.
func NestedDirectories(c Config, project fs.FS, rulesDir string, directories []string) []Directory {
	dirs := make([]Directory, len(directories))
	for i, dir := range directories {
		dirs[i] = Directory{Tier: ProjectTier, FS: project, Dir: path.Join(dir, rulesDir), Below: dir, Exclude: c.Exclude}
	}
	return dirs
}

// id returns the id of the rule in a file of the source.
func (d Directory) id(name string) string {
	stem := strings.TrimSuffix(name, extension)
	if d.Below == "" {
		return stem
	}
	return d.Below + ":" + stem
}

// excludes reports whether an entry of the directory is no rule.
func (d Directory) excludes(name string) bool {
	file := d.file(name)
	return slices.ContainsFunc(d.Exclude, func(p *pattern.Pattern) bool {
		_, matches := p.Match(file)
		return matches
	})
}

// file returns the name of a file of the source in messages.
func (d Directory) file(name string) string { return path.Join(cmp.Or(d.Shown, d.Dir), name) }

// Content returns the content of a file of one of the directories by its name in
// messages, to show the line of a problem.
func Content(dirs []Directory, file string) ([]byte, error) {
	for _, d := range dirs {
		if name, ok := strings.CutPrefix(file, d.file("")+"/"); ok {
			return regular.ReadFS(d.FS, path.Join(d.Dir, name), regular.Text)
		}
	}
	return nil, &fs.PathError{Op: "open", Path: file, Err: fs.ErrNotExist}
}

// Origin is the file of a rule.
type Origin struct {
	Tier Tier
	File string
}

// nest limits a rule to a directory: its patterns, and those of its condition, match paths
// below it. Sessions and tool calls are not those of one directory.
func nest(r *Rule, dir string, mode policies.Mode, l *yaml.Log) {
	if !mode.Change() {
		l.Add(yaml.Place{Line: max(r.Line, 1), Column: 1}, codeNestedMode,
			"the mode %q is not about files of a directory; want the rule in the directory of rules at the root", mode.Name)
		return
	}
	r.Below = dir
	for _, c := range r.Conditions() {
		c.Below = dir
	}
	for _, patterns := range r.Patterns {
		for i, p := range patterns {
			below, err := p.Under(dir)
			if err != nil {
				l.Add(yaml.Place{Line: max(r.Line, 1), Column: 1}, codeInvalidPattern, "below %q: %v", dir, err)
				return
			}
			patterns[i] = below
		}
	}
}

// isScope reports whether the path of a directory can be part of a rule's id.
func isScope(dir string) bool {
	return utf8.ValidString(dir) && !strings.ContainsFunc(dir, func(r rune) bool { return unicode.IsControl(r) || separates(r) })
}
