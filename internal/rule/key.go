package rule

import (
	"slices"
	"strings"
	"sync"

	"github.com/rulecheck/rulecheck/internal/content/language"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// Key is one row of a table of keys: of the frontmatter, of the configuration or
// of a mapping in a workflow file. The parser, its messages and the JSON Schema
// all use these rows.
type Key struct {
	policies.Param

	Doc     string                        // for people, and the schema
	Minimum int                           // of an integer
	Blank   bool                          // entries of a list may be empty texts
	Check   func(text string) *yaml.Issue // checks a text beyond its type; nil: none
	// Unread describes a value that the decoder passes on without decoding it; the
	// parameter has no type then.
	Unread string

	// Mapping are the keys of mappings that entries of a list may be, next to texts; Entry
	// checks one. Their values are in [Value.Mappings].
	Mapping []Key
	Form    string // of such a mapping, for messages
	Entry   func(Values) error

	ofMode bool  // declared by the rule's mode, so that a missing mapping is reported too
	scope  scope // of a common key
}

// The keys for triggers that every rule about changes has.
const (
	Exclude = "exclude" // files that never trigger the rule
	Safety  = "safety"  // files that silence it when they change
	Ignore  = "ignore"  // parts of files in which changes do not trigger it
)

// scope is the modes that have a common key.
type scope int

const (
	anyMode scope = iota
	ofChanges
	ofSessions // and of tool calls
	ofPhases   // those of sessions that may be limited to phases
	ofLogs     // of sessions, and not of tool calls
)

// covers reports whether a mode has keys of the scope.
func (s scope) covers(mode policies.Mode) bool {
	if s == ofPhases && mode.Session() {
		return mode.Phases()
	}
	if s == ofLogs {
		return mode.Session()
	}
	return s == anyMode || (s == ofChanges) == mode.Change()
}

// tables holds the tables of keys by mode, each built once. It may be used concurrently.
type tables struct {
	modes  policies.Modes // that a rule may have, by name
	common []Key          // that no mode declares

	mutex  sync.Mutex
	byMode map[string][]Key
}

func newTables(modes policies.Modes, common []Key) *tables {
	return &tables{modes: modes, common: common, byMode: map[string][]Key{}}
}

// of returns the table of rules with one mode.
func (t *tables) of(name string) []Key {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	rows, ok := t.byMode[name]
	if !ok {
		mode := t.modes.Of(name)
		rows = modeKeys(keysFor(mode, t.common), []policies.Mode{mode}, true)
		t.byMode[name] = rows
	}
	return rows
}

// ofAny returns the keys of several modes, none of them required.
func (t *tables) ofAny(names []string) []Key {
	modes := make([]policies.Mode, 0, len(names))
	for _, name := range names {
		modes = append(modes, t.modes.Of(name))
	}
	return modeKeys(slices.Clip(t.common), modes, false)
}

// keysFor returns the common keys that a mode has.
func keysFor(mode policies.Mode, rows []Key) []Key {
	return slices.DeleteFunc(slices.Clone(rows), func(k Key) bool { return !k.scope.covers(mode) })
}

// minimum returns the minimum of an integer.
func (k Key) minimum() int { return max(k.Minimum, k.AtLeast) }

// CommonKeys returns the names of the frontmatter keys that no mode declares, without the
// parts after a dot.
func CommonKeys() []string {
	var names []string
	for _, k := range commonKeys() {
		name, _, _ := strings.Cut(k.Name, ".")
		names = append(names, name)
	}
	return slices.Compact(names)
}

// commonKeys returns the frontmatter keys that no mode declares.
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
			Doc:   "Names of additional environment variables that the command may see.",
			Check: checkEnvName,
		},
		{
			scope: ofChanges,
			Param: policies.Param{Name: "action.fix", Type: policies.Boolean, Default: true},
			Doc:   "Whether --fix may apply the command's changes.",
		},
		{
			scope: ofChanges,
			Param: policies.Param{Name: "action.run_for", Type: policies.String, OneOf: []string{EachMatch, AllMatches}, Default: EachMatch},
			Doc:   "Run once per file ({file}) or once for all files ({files}).",
		},
		{
			scope: ofChanges,
			Param: policies.Param{Name: "action.timeout", Type: policies.Duration, Optional: true},
			Doc:   "How long the command may run; commands.timeout of the configuration unless given.",
		},
		{
			scope: ofSessions,
			Param: policies.Param{Name: "agent", Type: policies.Strings, Optional: true},
			Doc:   "The agents whose sessions or tool calls are checked, such as claude; all unless given.",
		},
		{
			scope: ofLogs,
			Param: policies.Param{Name: "branch", Type: policies.Strings, Optional: true},
			Doc:   "The git branches whose sessions are checked, such as main or release/*; all unless given.",
			Check: checkGlob,
		},
		{
			scope: ofChanges,
			Param: policies.Param{
				Name: "compare_to", Type: policies.String, Default: CompareBase,
				OneOf: []string{CompareBase, CompareDefaultTip, ComparePrompt},
			},
			Doc: "What the change is compared with.",
		},
		{
			Param: policies.Param{Name: "enabled", Type: policies.Boolean, Default: true},
			Doc:   "Whether the rule is checked.",
		},
		{
			scope: ofChanges,
			Param: policies.Param{Name: Exclude, Type: policies.Patterns, Optional: true},
			Doc:   "Files that never trigger the rule.",
		},
		{
			scope: ofChanges,
			Param: policies.Param{Name: Ignore, Type: policies.Strings, OneOf: language.Kinds(), Distinct: true, Optional: true},
			Doc:   "A file in which only these parts changed does not trigger the rule.",
		},
		{
			Param: policies.Param{Name: "level", Type: policies.String, OneOf: levels(), Default: levels()[0]},
			Doc:   "The severity of a finding.",
		},
		{
			scope: ofLogs,
			Param: policies.Param{Name: "model", Type: policies.Strings, Optional: true},
			Doc:   "The models whose sessions are checked, such as claude-opus-*: those in which one of them answered; all unless given.",
			Check: checkGlob,
		},
		{
			Param: policies.Param{Name: "name", Type: policies.String, Optional: true},
			Doc:   "The rule's name in reports; the file's name without .md unless given.",
			Check: checkName,
		},
		{
			scope: ofPhases,
			Param: policies.Param{Name: "phase", Type: policies.Strings, Optional: true},
			Doc:   "The phases that are checked; all, and sessions without phases, unless given.",
		},
		{
			scope: ofChanges,
			Param: policies.Param{Name: Safety, Type: policies.Patterns, Optional: true},
			Doc:   "Files that silence the rule when they change.",
		},
		{
			Param: policies.Param{Name: "tags", Type: policies.Strings, Optional: true},
			Doc:   "Words to select the rule by, with --tag.",
		},
		{
			Param: policies.Param{Name: "unless", Type: policies.String, Optional: true},
			Doc:   "A condition: the rule does not apply if it is true.",
			Check: CheckCondition,
		},
		{
			Param: policies.Param{Name: "url", Type: policies.String, Optional: true},
			Doc:   "Where to read more.",
			Check: checkURL,
		},
		{
			Param: policies.Param{Name: "when", Type: policies.String, Optional: true},
			Doc:   "A condition: the rule applies only if it is true.",
			Check: CheckCondition,
		},
	}
}

// modeKeys adds the keys of modes to rows. A mode may list a common key but not
// redefine it. Keys are required only if the modes are certainly the rule's own.
func modeKeys(rows []Key, modes []policies.Mode, own bool) []Key {
	for _, mode := range modes {
		for _, p := range mode.Params {
			if _, taken := lookup(rows, p.Name); taken {
				continue
			}
			p.Optional = p.Optional || !own
			rows = append(rows, Key{Param: p, ofMode: own})
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

// children returns the names directly below prefix, which is empty or ends with a
// dot, in byte order.
func children(rows []Key, prefix string) []string {
	return names(rows, prefix, func(*Key, bool) bool { return true })
}

// required returns those of the names directly below prefix, of keys and of mappings that contain
// keys, that must be present. A mapping must be if the mode requires a key in it.
func required(rows []Key, prefix string) []string {
	return names(rows, prefix, func(k *Key, inside bool) bool { return !k.Optional && k.Default == nil && (k.ofMode || !inside) })
}

// names returns the names directly below prefix for which wanted is true of a key, in byte order. Inside
// is true if the name is of a mapping that contains the key.
func names(rows []Key, prefix string, wanted func(k *Key, inside bool) bool) []string {
	var list []string
	for i := range rows { // they are large
		if rest, ok := strings.CutPrefix(rows[i].Name, prefix); ok {
			name, _, inside := strings.Cut(rest, ".")
			if wanted(&rows[i], inside) {
				list = append(list, name)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
