package policies

import "slices"

// Mode is what the package rulecheck.modes.<name> declares in its METADATA.
// The rule parser, the mode list, SARIF and the documentation all read it here.
type Mode struct {
	Name        string // the package's last part, and the frontmatter key that selects it
	Title       string
	Description string
	Params      []Param  // in byte order of Name
	Facts       []string // what the policy reads of the input: matches, correspondences, …
	Project     bool     // of the project's own policies, not of the program's
	// Counts is what input.metrics is of; nil where the mode does not ask for it.
	Counts *Counts
	// Listing is how reports list its findings: ListByMessage, or ListByFiles where the
	// files of a finding and the rule's instructions explain it.
	Listing string
	// Suggestion is what to do about a violation, where the rule itself says nothing.
	Suggestion string
}

// How reports may list the findings of a mode.
const (
	ListByFiles   = "files"
	ListByMessage = "message" // the default
)

// Session reports whether the mode judges sessions, not changes.
func (m Mode) Session() bool {
	return slices.ContainsFunc(m.Facts, func(fact string) bool { return isFact(fact, Fact.ofSession) })
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
	// Captures says how the captures of the patterns must agree: "same", every
	// pattern binds the same names with the same reach; the name of another
	// parameter, every capture must be bound by that one. Empty: no demand.
	Captures string
}

// ParamType is the type of a parameter's value.
type ParamType string

// Every type a parameter may have.
const (
	Pattern  ParamType = "pattern"  // one path pattern
	Patterns ParamType = "patterns" // one or a list of path patterns
	String   ParamType = "string"
	Strings  ParamType = "strings" // one or a list
	Integer  ParamType = "integer"
	Boolean  ParamType = "boolean"
	Regex    ParamType = "regex"    // RE2
	Duration ParamType = "duration" // Go's: 90s, 5m
	Rules    ParamType = "rules"    // ids of other rules
)

// CapturesSame is the value of Param.Captures by which every pattern of the
// parameter binds the same names.
const CapturesSame = "same"

// ParamTypes lists every type a parameter may have.
func ParamTypes() []ParamType {
	return []ParamType{Pattern, Patterns, String, Strings, Integer, Boolean, Regex, Duration, Rules}
}
