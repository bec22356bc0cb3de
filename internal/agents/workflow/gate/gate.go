// Package gate reads what a phase requires as evidence and validates evidence against it.
package gate

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/lazyregexp"
	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// Gate lists the evidence that a phase requires before a run may leave it.
type Gate struct {
	// Strict rejects a gate without requirements when the workflow is loaded. It
	// makes no difference to a gate that has some.
	Strict bool `json:"strict"`
	// Evidence lists the requirements in the order they are written: those of the
	// workflow file first, then those that only the document has.
	Evidence []Requirement `json:"evidence"`
	// Open reports that there are no requirements: any evidence passes, with a
	// notice.
	Open bool `json:"open"`
}

// Names returns the names of the evidence, in the order of the gate.
func (g Gate) Names() []string {
	names := make([]string, 0, len(g.Evidence))
	for _, q := range g.Evidence {
		names = append(names, q.Name)
	}
	return names
}

// positions returns the position of each requirement by its name.
func positions(requirements []Requirement) map[string]int {
	at := make(map[string]int, len(requirements))
	for i, q := range requirements {
		at[q.Name] = i
	}
	return at
}

// New returns a gate with the requirements of a workflow file. It is open if
// there are none.
func New(strict bool, evidence []Requirement) Gate {
	return Gate{Strict: strict, Evidence: evidence, Open: len(evidence) == 0}
}

// Requirement describes one piece of evidence that a gate requires.
type Requirement struct {
	Name        string `json:"name"`
	Type        Type   `json:"type"`
	Required    bool   `json:"required"` // if false, it may be absent, but must pass if given
	Check       Check  `json:"check"`
	Description string `json:"description"`
	// Condition is the source of a check that is a condition; nil for every other
	// check. A condition of a document has no column: its problems are reported
	// on the line of the requirement.
	Condition *rule.Condition `json:"-"`
	// File and Line locate the requirement.
	File string `json:"file"`
	Line int    `json:"line"`
}

// Type names the JSON type of a piece of evidence.
type Type string

// The types of evidence.
const (
	Boolean Type = "boolean"
	Integer Type = "integer" // 21 and 21.0 are integers; true and "21" are not
	Number  Type = "number"
	String  Type = "string"
	List    Type = "list"
	Object  Type = "object"
)

// types lists all types in the order of messages.
var types = []Type{Boolean, Integer, Number, String, List, Object}

// TypeNames returns the names of all types, in the order that messages list them.
func TypeNames() []string { return names(types) }

// ParseType returns the type of a name; an unknown name is an error that lists
// the known ones.
func ParseType(text string) (Type, error) {
	if t := Type(text); slices.Contains(types, t) {
		return t, nil
	}
	return "", fmt.Errorf("unknown type of evidence %q%s", text, suggest.OneOf(text, names(types)))
}

// names converts words of a string type to strings.
func names[T ~string](words []T) []string {
	texts := make([]string, 0, len(words))
	for _, w := range words {
		texts = append(texts, string(w))
	}
	return texts
}

// evidenceName matches names of evidence, in any script. Conditions write names
// with other letters than those of ASCII as evidence["größe"].
var evidenceName = lazyregexp.New(`^[\p{L}_][\p{L}\p{M}\p{N}_-]*$`)

// CheckName returns an error unless name is a valid name of evidence.
func CheckName(name string) error {
	if !evidenceName().MatchString(name) {
		return fmt.Errorf("%s is not a valid evidence name; want a letter or \"_\", then letters, digits, \"_\" and \"-\"", strconv.Quote(name))
	}
	return nil
}
