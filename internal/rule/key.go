package rule

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// Key is one row of a table of keys: of the frontmatter, of the configuration or
// of a mapping in a workflow file. What is parsed, which keys are allowed and the
// JSON Schema all come from these rows.
type Key struct {
	policies.Param

	Doc     string                        // for people, and the schema
	Minimum int                           // of an integer
	Blank   bool                          // entries of a list may be empty texts
	Check   func(text string) *yaml.Issue // what the type alone cannot say of a text
	// Unread says in words what the value is, where it is handed on as it is for
	// somebody else to read; the parameter has no type then.
	Unread string

	demanded bool  // a mode's: missing even if nothing of its mapping is there
	scope    scope // of a key that every mode has
}

// scope is which modes have a key of all.
type scope int

const (
	anyMode scope = iota
	ofChanges
	ofSessions
)

// covers reports whether a mode has the keys of a scope.
func (s scope) covers(mode policies.Mode) bool {
	return s == anyMode || (s == ofSessions) == mode.Session()
}

// tables are those that rules are read by, each made once however many rules there
// are.
type tables struct {
	modes  map[string]policies.Mode // those a rule may have, by name
	common []Key                    // those that no mode declares
	made   map[string][]Key         // by mode
}

func newTables(modes map[string]policies.Mode, common []Key) *tables {
	return &tables{modes: modes, common: common, made: map[string][]Key{}}
}

// of is the table of a rule that has one mode.
func (t *tables) of(name string) []Key {
	rows, ok := t.made[name]
	if !ok {
		mode := t.modes[name]
		rows = modeKeys(keysFor(mode, t.common), []policies.Mode{mode}, true)
		t.made[name] = rows
	}
	return rows
}

// ofAny knows the keys of several modes, and demands none of theirs.
func (t *tables) ofAny(names []string) []Key {
	modes := make([]policies.Mode, 0, len(names))
	for _, name := range names {
		modes = append(modes, t.modes[name])
	}
	return modeKeys(slices.Clip(t.common), modes, false)
}

// keysFor are the keys that a mode has of those that all may have.
func keysFor(mode policies.Mode, rows []Key) []Key {
	return slices.DeleteFunc(slices.Clone(rows), func(k Key) bool { return !k.scope.covers(mode) })
}

// least is the least value of an integer.
func (k Key) least() int { return max(k.Minimum, k.AtLeast) }

// commonKeys are the frontmatter keys that no mode declares.
func commonKeys() []Key {
	return []Key{
		{
			scope: ofChanges,
			Param: policies.Param{Name: "action.command", Type: policies.Strings},
			Doc:   "The command to run: a text, split into words as a shell does but without expanding anything, or a list of words.",
			Blank: true,
		},
		{
			scope: ofChanges,
			Param: policies.Param{Name: "action.env", Type: policies.Strings, Optional: true},
			Doc:   "Names of further environment variables the command may see.",
			Check: checkEnvName,
		},
		{
			scope: ofChanges,
			Param: policies.Param{Name: "action.fix", Type: policies.Boolean, Default: true},
			Doc:   "Whether --fix may write back what the command changed.",
		},
		{
			scope: ofChanges,
			Param: policies.Param{Name: "action.run_for", Type: policies.String, OneOf: []string{EachMatch, AllMatches}, Default: EachMatch},
			Doc:   "Run once per file ({file}) or once for all files ({files}).",
		},
		{
			scope: ofChanges,
			Param: policies.Param{Name: "action.timeout", Type: policies.Duration, Optional: true},
			Doc:   "How long the command may take; commands.timeout of the configuration unless given.",
		},
		{
			scope: ofSessions,
			Param: policies.Param{Name: "agent", Type: policies.Strings, Optional: true},
			Doc:   "The agents whose sessions are judged, such as claude; all unless given.",
		},
		{
			scope: ofChanges,
			Param: policies.Param{
				Name: "compare_to", Type: policies.String, Default: CompareBase,
				OneOf: []string{CompareBase, CompareDefaultTip, ComparePrompt},
			},
			Doc: "What the change is compared to.",
		},
		{
			Param: policies.Param{Name: "enabled", Type: policies.Boolean, Default: true},
			Doc:   "Whether the rule is judged.",
		},
		{
			scope: ofChanges,
			Param: policies.Param{Name: "exclude", Type: policies.Patterns, Optional: true},
			Doc:   "Files that never trigger the rule.",
		},
		{
			Param: policies.Param{Name: "level", Type: policies.String, OneOf: levels(), Default: levels()[0]},
			Doc:   "How much a finding matters.",
		},
		{
			Param: policies.Param{Name: "name", Type: policies.String, Optional: true},
			Doc:   "The rule's name for people; the file's name without .md unless given.",
			Check: checkName,
		},
		{
			scope: ofSessions,
			Param: policies.Param{Name: "phase", Type: policies.Strings, Optional: true},
			Doc:   "The phases that are judged; all, and sessions without phases, unless given.",
		},
		{
			scope: ofChanges,
			Param: policies.Param{Name: "safety", Type: policies.Patterns, Optional: true},
			Doc:   "Files that silence the rule when they change.",
		},
		{
			Param: policies.Param{Name: "tags", Type: policies.Strings, Optional: true},
			Doc:   "Words to select the rule by.",
		},
		{
			Param: policies.Param{Name: "url", Type: policies.String, Optional: true},
			Doc:   "Where to read more.",
			Check: checkURL,
		},
		{
			Param: policies.Param{Name: "when", Type: policies.String, Optional: true},
			Doc:   "A condition: the rule applies only where it holds.",
			Check: CheckCondition,
		},
	}
}

// modeKeys adds the rows of modes to those that are there already: what every
// mode has, a mode may name but not redefine. Only where the modes are known to
// be the rule's own is what they require demanded.
func modeKeys(rows []Key, modes []policies.Mode, demanded bool) []Key {
	for _, mode := range modes {
		for _, p := range mode.Params {
			if _, taken := lookup(rows, p.Name); taken {
				continue
			}
			p.Optional = p.Optional || !demanded
			rows = append(rows, Key{Param: p, demanded: demanded})
		}
	}
	return rows
}

func lookup(rows []Key, name string) (Key, bool) {
	i := slices.IndexFunc(rows, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return Key{}, false
	}
	return rows[i], true
}

// children are the names that may stand directly below prefix, which is empty
// or ends with a dot, in byte order.
func children(rows []Key, prefix string) []string {
	var names []string
	for _, k := range rows {
		if rest, ok := strings.CutPrefix(k.Name, prefix); ok {
			name, _, _ := strings.Cut(rest, ".")
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// required reports whether a key, or the mapping that a dotted name's start
// stands for, must be there where the mapping around it is. A mapping must be if
// its mode demands something of it.
func required(rows []Key, name string) bool {
	return slices.ContainsFunc(rows, func(k Key) bool {
		inside := k.demanded && strings.HasPrefix(k.Name, name+".")
		return (k.Name == name || inside) && !k.Optional && k.Default == nil
	})
}
