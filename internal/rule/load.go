package rule

import (
	"errors"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// readme is the one markdown file in a directory of rules that is no rule.
const readme = "README.md"

// Load reads the rules of a project that has no other tiers. See [LoadTiers].
func Load(fsys fs.FS, dir string, modes map[string]policies.Mode) ([]*Rule, []finding.Problem) {
	loaded := LoadTiers([]Source{{Tier: ProjectTier, FS: fsys, Dir: dir}}, modes)
	return loaded.Rules, loaded.Problems
}

// Loaded is what is in the tiers.
type Loaded struct {
	Rules    []*Rule           // those that hold, in order of their sources, then in byte order of their files
	Broken   []string          // ids whose highest rule does not load; no lower one stands in for it
	Problems []finding.Problem // of every rule, shadowed ones included, source by source in order of file and line
}

// LoadTiers reads every rule file directly in the sources, which are in order
// of their tiers, highest first. Of two rules with one id the later is shadowed,
// also by one that is disabled or does not load. A directory that is not there
// holds no rules; behind one that cannot be read nothing is loaded, since what
// it shadows is unknown. Names must differ within a tier by more than case; of
// two that do not, the later is the problem.
func LoadTiers(sources []Source, modes map[string]policies.Mode) Loaded {
	t := &tiers{tables: newTables(modes, commonKeys()), named: map[Tier][]parsed{}, holders: map[string]*Rule{}}
	for _, s := range sources {
		if !t.read(s) {
			break
		}
	}
	return t.Loaded
}

// tiers are being loaded.
type tiers struct {
	Loaded

	tables  *tables
	named   map[Tier][]parsed // rules that load, shadowed or not
	holders map[string]*Rule  // by id; nil where it is broken
}

// read loads a source, and reports whether it could be listed.
func (t *tiers) read(s Source) bool {
	entries, err := fs.ReadDir(s.FS, s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil {
		l := &yaml.Log{File: s.file("")}
		l.Add(yaml.Top, yaml.CodeUnreadable, "want a directory of rules: %v", yaml.Reason(err))
		t.Problems = append(t.Problems, l.List...)
		return false
	}
	var problems []finding.Problem
	for _, e := range entries {
		if path.Ext(e.Name()) != extension || e.Name() == readme {
			continue
		}
		l := &yaml.Log{File: s.file(e.Name())}
		p := load(s, e.Name(), t.tables, l)
		if len(l.List) == 0 {
			unique(p, t.named[s.Tier], l)
		}
		if len(l.List) == 0 {
			p.rule.Tier = s.Tier
			t.named[s.Tier] = append(t.named[s.Tier], p)
		} else {
			p.rule = nil
		}
		t.take(strings.TrimSuffix(e.Name(), extension), p.rule, Origin{s.Tier, l.File})
		problems = append(problems, l.List...)
	}
	finding.SortProblems(problems)
	t.Problems = append(t.Problems, problems...)
	return true
}

// take gives an id to its first rule, which is nil if it is broken.
func (t *tiers) take(id string, r *Rule, o Origin) {
	holder, taken := t.holders[id]
	switch {
	case taken && holder != nil:
		holder.Shadows = append(holder.Shadows, o)
	case taken:
		// The one that does not load is told already.
	case r == nil:
		t.holders[id] = nil
		t.Broken = append(t.Broken, id)
	default:
		t.holders[id] = r
		t.Rules = append(t.Rules, r)
	}
}

func load(s Source, name string, t *tables, l *yaml.Log) parsed {
	id := strings.TrimSuffix(name, extension)
	if !IsID(id) {
		l.Add(yaml.Top, CodeBadID, "the file's name gives the rule the id %q; want a printable name before %s", id, extension)
		return parsed{}
	}
	source, err := fs.ReadFile(s.FS, path.Join(s.Dir, name))
	if err != nil {
		l.Unreadable(err)
		return parsed{}
	}
	return parse(l.File, source, t, l)
}

// IsID reports whether a text can be a file's stem, and be told.
func IsID(text string) bool {
	return text != "" && utf8.ValidString(text) && !strings.ContainsRune(text, '/') && !strings.ContainsFunc(text, unicode.IsControl)
}

// unique reports a name that an earlier rule has.
func unique(p parsed, earlier []parsed, l *yaml.Log) {
	for _, e := range earlier {
		if strings.EqualFold(e.rule.Name, p.rule.Name) {
			owner := e.rule.File
			if owner == l.File {
				owner = "rule " + strconv.Quote(e.rule.ID)
			}
			l.Add(p.name, CodeDuplicateName, "the name %q is taken by %s; want another", p.rule.Name, owner)
			return
		}
	}
}
