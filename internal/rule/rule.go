// Package rule reads rule files and the configuration: markdown with YAML
// frontmatter in, rules and positioned errors out.
package rule

import (
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// Rule is one rule file.
type Rule struct {
	ID        string                        // the file's stem
	Name      string                        // for people; defaults to the id
	Mode      string                        // the frontmatter key that says how it is judged
	Level     finding.Level                 //
	CompareTo string                        // base, default_tip or prompt
	Params    map[string]any                // the mode's parameters as written, defaults filled in, by dotted name
	Patterns  map[string][]*pattern.Pattern // every parameter that holds patterns, compiled; with safety and exclude
	Action    *Action                       // nil: the body is the answer
	When      *Condition                    // nil: the rule always applies
	Phases    []string                      // of a session, that the rule is limited to; empty: all
	Agents    []string                      // whose sessions the rule is limited to; empty: all
	Body      string                        // markdown, trimmed, without the examples
	Examples  []Example                     // in the order of the file
	Enabled   bool
	Tags      []string
	URL       string
	File      string // relative to the repository, or as the source of its tier is shown; for messages and placement
	Line      int    // of the mode's key
	Tier      Tier
	Shadows   []Origin // rules of the same id that this one takes the place of, the highest first
}

// AsksExistence reports whether the rule's verdict depends on files that did
// not change, so that somebody must list them.
func (r *Rule) AsksExistence() bool { return r.Params["require"] == "exists" }

// The values of compare_to.
const (
	CompareBase       = "base"
	CompareDefaultTip = "default_tip"
	ComparePrompt     = "prompt"
)
