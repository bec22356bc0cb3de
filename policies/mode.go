package policies

import "slices"

// Mode is a way to check rules, as the package rulecheck.modes.<name> declares it in its
// METADATA. The rule parser, the list of modes, SARIF and the documentation read it here.
type Mode struct {
	Name        string // the package's last part, and the frontmatter key that selects it
	Title       string
	Description string
	Params      []Param  // in byte order of Name
	Facts       []string // names of the facts that the policy reads: matches, correspondences, …
	Project     bool     // defined by the project's policies
	// Separate reports that the policy decides each correspondence for itself.
	Separate bool
	// Counts declares what input.metrics counts, one at a time; nil if the mode does not ask for it.
	Counts []Counts
	// Listing is how reports list its findings: ListByMessage, or ListByFiles where the
	// files of a finding and the rule's instructions explain it.
	Listing string
	// Examples are rule files of the mode, with examples of changes.
	Examples []string
	// Suggestion replaces the instructions of rules that have none.
	Suggestion string
}

// How reports may list the findings of a mode.
const (
	ListByFiles   = "files"
	ListByMessage = "message" // the default
)

// Session reports whether the mode checks sessions, not changes.
func (m Mode) Session() bool { return m.Needs(NeedSession) }

// Needs reports whether a fact of the mode is made from n.
func (m Mode) Needs(n Need) bool { return anyNeeds(m.Facts, n) }

// Phases reports whether the mode checks one visit at a time, so that a rule may be limited to
// phases and be checked while the session runs.
func (m Mode) Phases() bool {
	return m.Session() && !slices.ContainsFunc(m.Counts, func(c Counts) bool { return c.Over != "" })
}

// Tool reports whether the mode checks the tool calls of agents.
func (m Mode) Tool() bool { return m.Needs(NeedCall) }

// FactsOf returns the facts that a rule with the given parameters needs: those of the mode
// without those that only other parameters need.
func (m Mode) FactsOf(params map[string]any) []string {
	needed, spared := map[string]bool{}, map[string]bool{}
	for _, p := range m.Params {
		for _, fact := range p.Facts {
			if _, set := params[p.Name]; set {
				needed[fact] = true
			} else {
				spared[fact] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(m.Facts), func(fact string) bool { return spared[fact] && !needed[fact] })
}

// Change reports whether the mode checks changes.
func (m Mode) Change() bool { return !m.Session() && !m.Tool() }

// Always reports whether the mode may find a violation although no changed file matches its
// patterns.
func (m Mode) Always() bool {
	return m.Project || m.Needs(NeedChanges) || m.Needs(NeedCommits)
}

// Alone returns the fact without which the mode finds no violation; empty if that is not known
// of any.
func (m Mode) Alone() string {
	i := slices.IndexFunc(facts, func(f Fact) bool { return f.Alone && slices.Contains(m.Facts, f.Name) })
	if m.Project || i < 0 {
		return ""
	}
	return facts[i].Name
}

// Param is one frontmatter key of a mode, or with a dot one key inside it
// ("pair.trigger").
//
// In METADATA it is either a type ("set: patterns") or a mapping
// ("{type: patterns, optional: true}") with the fields below in snake_case.
type Param struct {
	Name     string
	Type     ParamType
	Optional bool     // may be absent; implied by Default
	Default  any      // value when absent
	OneOf    []string // the only values a string may have
	AtLeast  int      // fewest entries of a list (default 1), or the least whole number (default 0)
	Distinct bool     // entries must differ
	Several  bool     // at least two patterns, or one that matches several files or keys
	Statuses []string // of files that trigger the rule; empty: any
	Parts    bool     // patterns may name parts of files, after "#"; of type files: keys
	Any      bool     // may be a mapping {any: [...]}: one of the patterns is enough
	Limits   Limit    // which changes of a file may trigger the rule; empty: the parameter is not about that
	// Checks says by its value what a rule with the parameter checks; "" stands for any value.
	Checks map[string]Check
	// Facts are those of changes that only rules with this parameter need; see [Mode.FactsOf].
	Facts []string
	// With names another parameter: this one, and its default, apply only if that is given.
	With string
	// WithAny names other parameters: this one, and its default, apply only if one of them is given.
	WithAny []string
	// Captures restricts the captures of the patterns. "same": every pattern binds the
	// same names with the same reach. The name of another parameter: that parameter binds
	// every capture. Empty: no restriction.
	Captures string
}

// ParamType is the type of a parameter's value.
type ParamType string

// Every type a parameter may have.
const (
	Pattern  ParamType = "pattern"  // one path pattern
	Patterns ParamType = "patterns" // one or a list of path patterns
	Files    ParamType = "files"    // likewise, of files whose content at head is a fact
	String   ParamType = "string"
	Strings  ParamType = "strings" // one or a list
	Integer  ParamType = "integer"
	Fraction ParamType = "fraction" // a number above 0, and at most 1
	Amount   ParamType = "amount"   // a number above 0
	Boolean  ParamType = "boolean"
	Regex    ParamType = "regex"    // RE2
	Regexes  ParamType = "regexes"  // one or a list
	Duration ParamType = "duration" // Go's: 90s, 5m
	Rules    ParamType = "rules"    // ids of other rules
)

// Limit is a way in which a parameter limits which changes of a file may trigger a rule.
type Limit string

// Every limit that a parameter may set.
const (
	LimitStatus  Limit = "status"  // the statuses
	LimitAdded   Limit = "added"   // regular expressions for added lines
	LimitRemoved Limit = "removed" // for removed lines
	LimitChanged Limit = "changed" // for both
	LimitMoved   Limit = "moved"   // whether lines that moved count
)

// Limits lists every limit that a parameter may set.
func Limits() []Limit {
	return []Limit{LimitStatus, LimitAdded, LimitRemoved, LimitChanged, LimitMoved}
}

// Check names something that a parameter has a rule check.
type Check string

// Every check that a parameter may ask for. A rule with none of them checks what changed.
const (
	CheckState     Check = "state"     // how files are, whatever the change did to them
	CheckChange    Check = "change"    // what the change did, although another parameter checks a state
	CheckExistence Check = "existence" // whether files exist that did not change, which is a state
	CheckExisting  Check = "existing"  // what the change did to the files that exist
)

// Checks lists every check that a parameter may ask for.
func Checks() []Check { return []Check{CheckState, CheckChange, CheckExistence, CheckExisting} }

// CheckOf returns what a value of the parameter makes a rule check; empty: what changed.
func (p Param) CheckOf(value any) Check {
	if text, ok := value.(string); ok && p.Checks[text] != "" {
		return p.Checks[text]
	}
	return p.Checks[""]
}

// CapturesSame is the value of Param.Captures that makes every pattern of the parameter
// bind the same names.
const CapturesSame = "same"

// ParamTypes lists every type a parameter may have.
func ParamTypes() []ParamType {
	return []ParamType{Pattern, Patterns, Files, String, Strings, Integer, Fraction, Amount, Boolean, Regex, Regexes, Duration, Rules}
}
