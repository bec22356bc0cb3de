package rule

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sourcegraph/conc/iter"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/regular"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// readme is the name of the markdown file that is not a rule.
const readme = "README.md"

// Load reads the rules of a project without other tiers. See [LoadTiers].
func Load(fsys fs.FS, dir string, modes policies.Modes) ([]*Rule, []finding.Problem) {
	loaded := LoadTiers([]Directory{{Tier: ProjectTier, FS: fsys, Dir: dir}}, modes)
	return loaded.Rules, loaded.Problems
}

// Loaded is the rules of all tiers.
type Loaded struct {
	Rules    []*Rule           // effective rules, by source, then in byte order of their files
	Broken   []string          // ids whose highest rule has problems; lower tiers do not replace it
	Problems []finding.Problem // of all rules, including shadowed ones; by source, file and line
}

// LoadTiers reads the rule files of directories, which are ordered by tier, highest
// first. Of two rules with the same id the later one is shadowed, even if the
// first is disabled or has problems. A missing directory has no rules. Sources
// after one that cannot be read are not loaded, because it may shadow their rules.
// Names must differ within a tier by more than case; the later of two is reported.
// A file of the user replaces no rule about tool calls that a pack has.
func LoadTiers(dirs []Directory, modes policies.Modes) Loaded {
	t := &tiers{tables: newTables(modes, commonKeys()), good: map[Tier][]parsed{}, byID: map[string]*Rule{}, texts: map[*Rule]string{}}
	t.organization = slices.ContainsFunc(dirs, func(d Directory) bool { return d.Tier == OrganizationTier })
	sources := make([]source, len(dirs))
	for i, d := range dirs {
		sources[i] = t.open(d)
	}
	t.guards = guards(sources, modes)
	for _, s := range sources {
		if !t.add(s) {
			break
		}
	}
	return t.Loaded
}

// tiers is the state of loading tiers.
type tiers struct {
	Loaded

	tables *tables
	good   map[Tier][]parsed // rules without problems, shadowed or not
	byID   map[string]*Rule  // effective rule; nil: it has problems
	guards map[string]*Rule  // rules of packs that the user's files do not replace

	organization bool             // there is a pack of an organization
	texts        map[*Rule]string // of the files without their levels, if there is one
}

// source is a directory of rules that was read.
type source struct {
	Directory

	entries []fs.DirEntry
	files   []loadedFile // of the entries
	problem *yaml.Log    // why it cannot be listed; nil: it can, or is missing
}

// open reads a directory.
func (t *tiers) open(d Directory) source {
	s := source{Directory: d}
	entries, err := fs.ReadDir(d.FS, d.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		if _, linked := fs.Lstat(d.FS, d.Dir); linked != nil {
			return s
		}
		err = errors.New("a symbolic link to a directory that does not exist")
	}
	if err != nil {
		s.problem = &yaml.Log{File: d.file("")}
		s.problem.Add(yaml.Top, yaml.CodeUnreadable, "cannot read the directory of rules: %v", yaml.Reason(err))
		return s
	}
	s.entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return d.excludes(e.Name()) })
	s.files = iter.Map(s.entries, func(e *fs.DirEntry) loadedFile { return t.load(d, *e) })
	return s
}

// guards returns the rules about tool calls in packs, by their ids.
func guards(sources []source, modes policies.Modes) map[string]*Rule {
	guards := map[string]*Rule{}
	for _, s := range sources {
		if s.Tier != PackTier && s.Tier != BundledTier {
			continue
		}
		for _, f := range s.files {
			if f.isRule && len(f.log.List) == 0 && guards[f.rule.ID] == nil && f.rule.Enabled && modes.Of(f.rule.Mode).Tool() {
				guards[f.rule.ID] = f.rule
			}
		}
	}
	return guards
}

// add adds the rules of a source and reports whether its directory could be listed.
func (t *tiers) add(d source) bool {
	if d.problem != nil {
		t.Problems = append(t.Problems, d.problem.List...)
		return false
	}
	var problems []finding.Problem
	for i, f := range d.files {
		e, p, l := d.entries[i], f.parsed, f.log
		if !f.isRule {
			lookAlike(e, d.entries, l)
			problems = append(problems, l.List...)
			continue
		}
		id := d.id(e.Name())
		effective, known := t.byID[id]
		if known && d.Below != "" {
			l.Add(yaml.Top, CodeBadID, "duplicate rule id %q; want another file name", id)
			problems = append(problems, l.List...)
			continue
		}
		if guard := t.guards[id]; guard != nil && !known && d.Tier == UserTier {
			guard.Shadows = append(guard.Shadows, Origin{d.Tier, l.File})
			l.Add(yaml.Top, codeReplacesGuard, "rule %q guards tool calls for %s, and a rule of the user cannot replace it; want another file name: a stricter rule is added to it",
				id, guard.File)
			problems = append(problems, l.List...)
			continue
		}
		if len(l.List) == 0 {
			unique(p, t.good[d.Tier], l)
		}
		if len(l.List) == 0 {
			p.rule.Tier = d.Tier
			if d.Tier == BundledTier && Page != "" {
				p.rule.URL = cmp.Or(p.rule.URL, strings.ReplaceAll(Page, "ID", p.rule.ID))
			}
			t.texts[p.rule] = p.text
			t.good[d.Tier] = append(t.good[d.Tier], p)
		} else {
			p.rule = nil
		}
		if effective != nil && effective.Tier == OrganizationTier && p.rule != nil {
			t.raise(effective, p.rule, d.Tier, l)
		}
		t.decide(id, p.rule, Origin{d.Tier, l.File})
		problems = append(problems, l.List...)
	}
	finding.SortProblems(problems)
	t.Problems = append(t.Problems, problems...)
	return true
}

// loadedFile is a file in a directory of rules.
type loadedFile struct {
	parsed

	isRule bool
	log    *yaml.Log // of its problems
}

func (t *tiers) load(d Directory, e fs.DirEntry) loadedFile {
	f := loadedFile{isRule: IsRuleFile(e.Name()) && !e.IsDir(), log: &yaml.Log{File: d.file(e.Name())}}
	if f.isRule {
		f.parsed = load(d, e.Name(), t.tables, t.organization, f.log)
	}
	return f
}

// decide records a rule, or nil for one with problems. The first with an id is
// effective.
func (t *tiers) decide(id string, r *Rule, o Origin) {
	effective, known := t.byID[id]
	switch {
	case known && effective != nil:
		effective.Shadows = append(effective.Shadows, o)
	case known:
		// The effective rule has problems: it is reported already.
	case r == nil:
		t.byID[id] = nil
		t.Broken = append(t.Broken, id)
	default:
		t.byID[id] = r
		t.Rules = append(t.Rules, r)
	}
}

func load(d Directory, name string, t *tables, organization bool, l *yaml.Log) parsed {
	id := strings.TrimSuffix(name, extension)
	switch {
	case d.Below != "" && !isScope(d.Below):
		l.Add(yaml.Top, CodeBadID, "bad directory %q; want rules in a directory whose path is printable and has no blanks and commas: it is part of their ids", d.Below)
		return parsed{}
	case !IsID(id):
		l.Add(yaml.Top, CodeBadID, "bad rule id %q; want a printable file name before %s", id, extension)
		return parsed{}
	case strings.ContainsFunc(id, separates): // no waiver could name it
		without := strings.Join(strings.FieldsFunc(id, separates), "-")
		l.Add(yaml.Top, CodeBadID, "bad rule id %q; want no blanks and commas in the file name, such as %q", id, without+extension)
		return parsed{}
	}
	source, err := regular.ReadFS(d.FS, path.Join(d.Dir, name), regular.Text)
	if err != nil {
		l.Unreadable(err)
		return parsed{}
	}
	p := parse(d.id(name), source, t, l)
	if organization && p.rule != nil {
		p.text = withoutLevel(string(source))
	}
	if d.Below != "" && p.rule != nil && len(l.List) == 0 {
		nest(p.rule, d.Below, t.modes.Of(p.rule.Mode), l)
	}
	return p
}

// IsRuleFile reports whether a file name in a directory of rules is that of a rule.
func IsRuleFile(name string) bool { return path.Ext(name) == extension && name != readme }

// IsID reports whether text can be a rule's id: a printable file name.
func IsID(text string) bool {
	return text != "" && utf8.ValidString(text) && !strings.ContainsRune(text, '/') && !strings.ContainsFunc(text, unicode.IsControl)
}

// separates reports whether a character ends an id in a waiver or in a list of ids.
func separates(r rune) bool { return unicode.IsSpace(r) || r == ',' }

// unique reports a name that an earlier rule of the tier has.
func unique(p parsed, earlier []parsed, l *yaml.Log) {
	for _, e := range earlier {
		if strings.EqualFold(e.rule.Name, p.rule.Name) {
			owner := e.rule.File
			if owner == l.File {
				owner = "rule " + strconv.Quote(e.rule.ID)
			}
			l.Add(p.name, CodeDuplicateName, "duplicate name %q, which %s has too; want another", p.rule.Name, owner)
			return
		}
	}
}
