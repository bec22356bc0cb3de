// Package rule reads rule files and the configuration: markdown with YAML
// frontmatter in, rules and positioned errors out.
//
// [Parse] reads one file, [LoadTiers] those of the project, the user and the packs, and
// [LoadConfig] the configuration. The METADATA of a mode's policy declares its keys; the table
// in key.go has the keys of all modes. A problem has
// the form file:line:column: what is wrong; want what would be right. A file with problems is
// no rule, and the other files are still read.
package rule

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
	"github.com/rulecheck/rulecheck/internal/rule/example"
	"github.com/rulecheck/rulecheck/internal/yaml"
	"github.com/rulecheck/rulecheck/policies"
)

// Info is the part of a rule that reports and policies see. Its JSON form is also the fact
// `input.rule`, without the fields that have the tag policy:"-".
type Info struct {
	ID     string         `json:"id"`               // stem of the rule's file, after its directory and ":" if it is about one
	Name   string         `json:"name"`             // for people; defaults to the id
	Mode   string         `json:"mode"`             // the frontmatter key that selects the policy
	Level  finding.Level  `json:"level"`            //
	Params map[string]any `json:"params"`           // parameters of the mode as written, with defaults, by dotted name
	Body   string         `json:"body" policy:"-"`  // instructions in markdown, trimmed, without the examples
	URL    string         `json:"url" policy:"-"`   // where to read more
	Tags   []string       `json:"tags" policy:"-"`  //
	File   string         `json:"file" policy:"-"`  // relative to the repository, or as the source of its tier is shown
	Below  string         `json:"below" policy:"-"` // the directory that the rule is about; empty: the whole repository
}

// Rule is one rule file.
type Rule struct {
	Info

	CompareTo string                        // base, default_tip or prompt
	Patterns  map[string][]*pattern.Pattern // compiled, by parameter; with safety and exclude
	PatternAt map[string][]yaml.Place       // where each is in the file; none of a default
	Action    *Action                       // nil: the rule shows its instructions
	When      *Condition                    // that must hold; nil: none must
	Unless    *Condition                    // that must not hold; nil: any may
	Phases    []string                      // of sessions that the rule applies to; empty: all
	Workflow  string                        // whose phases the rule is limited to, by the name in logs; empty: any
	PhasesAt  yaml.Place                    // of the key, if it is given
	Run       string                        // the same, by the name in journals of workflows
	Agents    []string                      // of sessions that the rule applies to; empty: all
	Branches  []string                      // the same, of git, with wildcards
	Models    []string                      // the same, with wildcards: one of them answered
	AgentsAt  []yaml.Place                  // of their names
	Examples  []example.Example             // in the order of the file
	Statuses  []string                      // of changes that may trigger the rule; empty: all
	Lines     *Lines                        // of a file that triggers the rule; nil: any
	Ignore    []string                      // parts of files in which changes do not trigger the rule
	Undoes    bool                          // a file can be looked for by what a filter made of its name
	Checks    []policies.Check              // that the values of its parameters ask for
	Enabled   bool
	Line      int // of the mode's key
	Tier      Tier
	Shadows   []Origin // rules with the same id that this one replaces, highest tier first
}

// Lines selects the changed lines that trigger a rule: those that one of the regular
// expressions for them matches.
type Lines struct {
	Added, Removed, Changed []string
	Moved                   bool // lines that moved, and changes of white space alone, count too
}

// Conditions returns the conditions on which it depends whether the rule applies.
func (r *Rule) Conditions() []*Condition {
	var list []*Condition
	for _, c := range []*Condition{r.When, r.Unless} {
		if c != nil {
			list = append(list, c)
		}
	}
	return list
}

// Conditional reports whether the rule applies only under conditions.
func (r *Rule) Conditional() bool { return r.When != nil || r.Unless != nil }

// Texts returns the texts of a parameter that holds one or several.
func (r *Rule) Texts(param string) []string { return Value{Data: r.Params[param]}.texts() }

// ExpectsAny reports whether one of the files that the rule expects is enough.
func (r *Rule) ExpectsAny() bool {
	for _, value := range r.Params {
		if mapping, ok := value.(map[string]any); ok && mapping[anyKey] != nil {
			return true
		}
	}
	return false
}

// Filtered returns the names that patterns of a parameter capture with a filter, in byte order.
func (r *Rule) Filtered(param string) []string {
	var names []string
	for _, p := range r.Patterns[param] {
		names = append(names, p.Filtered()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// undoes reports whether the rule is a set with filters: which file a filter wrote a name for
// can only be seen from those that exist.
func (r *Rule) undoes(mode policies.Mode) bool {
	return slices.ContainsFunc(mode.Params, func(p policies.Param) bool {
		return p.Captures == policies.CapturesSame && len(r.Filtered(p.Name)) > 0
	})
}

// AsksExistence reports whether the rule's result depends on files that did not
// change, so that all files must be listed.
func (r *Rule) AsksExistence() bool {
	return r.Undoes || r.checks(policies.CheckExistence) || r.checks(policies.CheckExisting)
}

// ChecksState reports whether the rule checks how files are, whatever the change did to
// them: that an expected one exists, or how large each is. What its command finds depends
// on the command.
func (r *Rule) ChecksState() bool {
	return r.Action == nil && !r.checks(policies.CheckChange) && (r.checks(policies.CheckState) || r.checks(policies.CheckExistence))
}

func (r *Rule) checks(what policies.Check) bool { return slices.Contains(r.Checks, what) }

// The values of compare_to.
const (
	CompareBase       = "base"
	CompareDefaultTip = "default_tip"
	ComparePrompt     = "prompt"
)
