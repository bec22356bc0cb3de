package rule

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pack"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// packFiles holds the packs, each a directory of rule files.
//
//go:embed packs
var packFiles embed.FS

const packDir = "packs"

// Page is the address of the page of a rule of a pack, with ID for the rule's id. It is empty
// until the pages are published: a release sets it with -ldflags "-X", and findings have no
// address of a page that does not exist.
var Page = ""

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

// included are the packs that others begin with.
var included = map[string]string{"bundled/agents-strict": "bundled/agents"}

// withIncluded adds to the names of packs those of the packs that they begin with.
func withIncluded(names []string) []string {
	for _, name := range slices.Clone(names) {
		if other := included[name]; other != "" && !slices.Contains(names, other) {
			names = append(names, other)
		}
	}
	return names
}

// packs returns the directory of all packs.
func packs() Directory {
	return Directory{Tier: BundledTier, FS: packFiles, Dir: packDir, Shown: string(BundledTier)}
}

// UserDir is the user's own configuration directory, such as ~/.config/rulecheck.
type UserDir struct {
	FS    fs.FS  // of the directory; it may be empty
	Shown string // the directory's name in messages
}

func (u *UserDir) directory(dir string) Directory {
	return Directory{Tier: UserTier, FS: u.FS, Dir: dir, Shown: path.Join(u.Shown, dir)}
}

// Tiers returns the directories of a project's rules: its own directory, the user's
// rules, and the packs in extends. user is nil if the result must depend only on
// the repository.
func Tiers(c Config, project fs.FS, user *UserDir) []Directory {
	dirs := []Directory{{Tier: ProjectTier, FS: project, Dir: c.RulesDir}}
	if user != nil {
		dirs = append(dirs, user.directory("rules"))
	}
	for _, name := range c.Extends {
		dirs = append(dirs, Directory{Tier: BundledTier, FS: packFiles, Dir: path.Join(packDir, path.Base(name)), Shown: name})
	}
	return dirs
}

// Imports returns the directories of the rules that workflow files import by name: a
// file NAME.yaml with rule_definitions, or a directory NAME of rule files, such as
// a pack. The first source that has the name is used.
func Imports(project fs.FS, user *UserDir) []Directory {
	dirs := []Directory{{Tier: ProjectTier, FS: project, Dir: ImportsDir}}
	if user != nil {
		dirs = append(dirs, user.directory("workflows/rules"))
	}
	return append(dirs, packs())
}

// Guards returns the directory of the pack agents for hooks that the machine manages. A
// repository cannot weaken its rules.
func Guards() Directory {
	return Directory{Tier: OrganizationTier, FS: packFiles, Dir: path.Join(packDir, "agents"), Shown: "bundled/agents"}
}

// codeWeakens marks a file that would weaken the organization's pack.
const codeWeakens = "weakens_organization"

// codeReplacesGuard marks a file of the user that would replace a rule about tool calls.
const codeReplacesGuard = "replaces_guard"

// raise raises the level of a rule of the organization's pack to that of a copy of its file.
// Any other file with its id is refused: the rule stays as it is.
func (t *tiers) raise(effective, other *Rule, tier Tier, l *yaml.Log) {
	switch {
	case tier != ProjectTier && tier != UserTier: // a pack does not know of the organization's
	case t.texts[other] != t.texts[effective]:
		l.Add(yaml.Top, codeWeakens, "rule %q is that of the organization's pack and cannot be replaced; want another file name, or a copy of %s with a higher level and no other difference",
			effective.ID, effective.File)
	case !other.Level.AtLeast(effective.Level):
		l.Add(yaml.Top, codeWeakens, "rule %q is that of the organization's pack with the level %q, which can only be raised; want %q or higher",
			effective.ID, effective.Level, effective.Level)
	default:
		effective.Level = other.Level
	}
}

// withoutLevel returns the text of a rule file without the line of its level.
func withoutLevel(text string) string {
	parts, ok := split(strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n"), &yaml.Log{})
	if !ok {
		return text
	}
	lines := strings.SplitAfter(parts.yaml+"\n", "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "level:") })
	return strings.Join(lines, "") + delimiter + "\n" + parts.body
}

// Pack is an opened pack of a git repository.
type Pack struct {
	Tier    Tier
	FS      fs.FS
	Dir     string   // of the pack in FS, as messages show it
	waivers []string // ids of the rules whose findings may be waived; "*": all
}

// packKeys returns the table of pack.yml.
func packKeys() []Key {
	return []Key{{
		Param: policies.Param{Name: "waivers", Type: policies.Strings, Optional: true, Distinct: true},
		Doc:   "Ids of the rules whose findings a repository may waive, or \"*\" for all; none unless given.",
	}}
}

// NewPack reads the settings of a pack and returns every problem with them.
func NewPack(tier Tier, files fs.FS, dir string) (Pack, []finding.Problem) {
	p := Pack{Tier: tier, FS: files, Dir: dir}
	l := &yaml.Log{File: path.Join(dir, pack.Manifest)}
	source, err := regular.ReadFS(files, l.File, regular.Text)
	if err != nil {
		return p, nil // the content was checked: there is none
	}
	if text, ok := yaml.Normalize(source, l); ok {
		if root := yaml.Read(text, 1, l); root != nil {
			p.waivers = Table{Keys: packKeys()}.Decode(root, yaml.Top, l).Texts("waivers")
		}
	}
	for _, id := range p.waivers {
		if _, err := fs.Stat(files, path.Join(dir, pack.RulesDir, id+extension)); err != nil && id != anyRule {
			l.Add(yaml.Top, CodeBadValue, "\"waivers\" has %q, which is no rule of the pack; want an id, or \"*\" for all", id)
		}
	}
	return p, l.List
}

const anyRule = "*"

// Waivable reports whether findings of a rule of the pack may be waived.
func (p Pack) Waivable(id string) bool {
	return slices.Contains(p.waivers, id) || slices.Contains(p.waivers, anyRule)
}

// Directory returns the directory of the pack's rules.
func (p Pack) Directory() Directory {
	return Directory{Tier: p.Tier, FS: p.FS, Dir: path.Join(p.Dir, pack.RulesDir)}
}
