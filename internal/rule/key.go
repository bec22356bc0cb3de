package rule

import (
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/policies"
)

// key is one row of a table of keys: of the frontmatter or of the
// configuration. What is parsed, which keys are allowed and the JSON Schema
// all come from these rows.
type key struct {
	policies.Param

	doc      string                  // for the schema
	minimum  int                     // of an integer
	blank    bool                    // entries of a list may be empty texts
	check    func(text string) *flaw // what the type alone cannot say of a text
	demanded bool                    // a mode's: missing even if nothing of its mapping is there
}

// commonKeys are the frontmatter keys of every change mode.
func commonKeys() []key {
	return []key{
		{
			Param: policies.Param{Name: "action.command", Type: policies.Strings},
			doc:   "The command to run: a text, split into words as a shell does but without expanding anything, or a list of words.",
			blank: true,
		},
		{
			Param: policies.Param{Name: "action.env", Type: policies.Strings, Optional: true},
			doc:   "Names of further environment variables the command may see.",
			check: checkEnvName,
		},
		{
			Param: policies.Param{Name: "action.fix", Type: policies.Boolean, Default: true},
			doc:   "Whether --fix may write back what the command changed.",
		},
		{
			Param: policies.Param{Name: "action.run_for", Type: policies.String, OneOf: []string{EachMatch, AllMatches}, Default: EachMatch},
			doc:   "Run once per file ({file}) or once for all files ({files}).",
		},
		{
			Param: policies.Param{Name: "action.timeout", Type: policies.Duration, Optional: true},
			doc:   "How long the command may take; commands.timeout of the configuration unless given.",
		},
		{
			Param: policies.Param{
				Name: "compare_to", Type: policies.String, Default: CompareBase,
				OneOf: []string{CompareBase, CompareDefaultTip, ComparePrompt},
			},
			doc: "What the change is compared to.",
		},
		{
			Param: policies.Param{Name: "enabled", Type: policies.Boolean, Default: true},
			doc:   "Whether the rule is judged.",
		},
		{
			Param: policies.Param{Name: "exclude", Type: policies.Patterns, Optional: true},
			doc:   "Files that never trigger the rule.",
		},
		{
			Param: policies.Param{Name: "level", Type: policies.String, OneOf: levels(), Default: levels()[0]},
			doc:   "How much a finding matters.",
		},
		{
			Param: policies.Param{Name: "name", Type: policies.String, Optional: true},
			doc:   "The rule's name for people; the file's name without .md unless given.",
			check: checkName,
		},
		{
			Param: policies.Param{Name: "safety", Type: policies.Patterns, Optional: true},
			doc:   "Files that silence the rule when they change.",
		},
		{
			Param: policies.Param{Name: "tags", Type: policies.Strings, Optional: true},
			doc:   "Words to select the rule by.",
		},
		{
			Param: policies.Param{Name: "url", Type: policies.String, Optional: true},
			doc:   "Where to read more.",
			check: checkURL,
		},
		{
			Param: policies.Param{Name: "when", Type: policies.String, Optional: true},
			doc:   "A condition: the rule applies only where it holds.",
			check: checkCondition,
		},
	}
}

// modeKeys adds the rows of modes to those that are there already: what every
// mode has, a mode may name but not redefine. Only where the modes are known to
// be the rule's own is what they require demanded.
func modeKeys(rows []key, modes []policies.Mode, demanded bool) []key {
	for _, mode := range modes {
		for _, p := range mode.Params {
			if _, taken := lookup(rows, p.Name); taken {
				continue
			}
			p.Optional = p.Optional || !demanded
			rows = append(rows, key{Param: p, demanded: demanded})
		}
	}
	return rows
}

func lookup(rows []key, name string) (key, bool) {
	i := slices.IndexFunc(rows, func(k key) bool { return k.Name == name })
	if i < 0 {
		return key{}, false
	}
	return rows[i], true
}

// children are the names that may stand directly below prefix, which is empty
// or ends with a dot, in byte order.
func children(rows []key, prefix string) []string {
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
func required(rows []key, name string) bool {
	return slices.ContainsFunc(rows, func(k key) bool {
		inside := k.demanded && strings.HasPrefix(k.Name, name+".")
		return (k.Name == name || inside) && !k.Optional && k.Default == nil
	})
}
