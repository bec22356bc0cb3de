// Package correspondence establishes which changed files a rule's patterns match, and
// which files belong together. Whether a rule fires is up to its policy.
//
// A [Matcher] matches the patterns of all rules with the changed names in one pass. Files
// belong together if their patterns bind the same captures: with the set src/{path}.py and
// tests/{path}_test.py, a change of src/a/b.py makes a [Correspondence] with path = a/b, of
// two members: src/a/b.py, which changed, and tests/a/b_test.py, which did or did not.
package correspondence

import (
	"github.com/rulecheck/rulecheck/internal/content/part"
	"github.com/rulecheck/rulecheck/internal/diff"
	"github.com/rulecheck/rulecheck/internal/pattern"
)

// Match is one name of one change that a pattern matches. Of a rename either
// name, or both, may match.
type Match struct {
	Path     string           `json:"path"`
	Captures pattern.Captures `json:"captures"`
	Change   diff.Change      `json:"change"`
	Parts    []part.Change    `json:"parts,omitempty"` // changed ones that patterns of parts match, up to 100
}

// Correspondence is a group of files that belong together: those whose paths bind the same
// captures.
type Correspondence struct {
	Captures pattern.Captures `json:"captures"`
	Members  []Member         `json:"members"`
}

// Member is one expected file of a correspondence, or, if the pattern has wildcards, all
// files that match it with the captures bound. A trigger that such a pattern matches is a
// separate member, with both Path and Pattern.
type Member struct {
	Param       string   `json:"param"`             // the rule's parameter it comes from
	Path        string   `json:"path,omitempty"`    // the expected file; empty if the pattern has wildcards
	Pattern     string   `json:"pattern,omitempty"` // the pattern with the captures filled in; empty if it has no wildcards
	Changed     bool     `json:"changed"`           // such a file changed
	Exists      bool     `json:"exists"`            // such a file, or part, exists at head; unchanged ones count only if the rule asks
	SatisfiedBy []string `json:"satisfied_by"`      // the changed files, in byte order; in rules with very many, the first of each member
	Part        string   `json:"part,omitempty"`    // the first changed part of a trigger that a pattern of parts matches
	Line        int      `json:"line,omitempty"`    // of that part
	Column      int      `json:"column,omitempty"`
	Trigger     bool     `json:"trigger"` // Path is a changed file that triggers the rule
}
