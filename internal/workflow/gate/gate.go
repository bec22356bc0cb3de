package gate

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/rulecheck/rulecheck/internal/rule"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// Gate is what a phase asks for before it may be left.
type Gate struct {
	// Strict refuses a phase whose requirements cannot be read. With
	// requirements a strict gate and a lenient one hold alike.
	Strict bool `json:"strict"`
	// Evidence is what must be shown, in the order it is written in: that of
	// the workflow file first, then what only the document asks for.
	Evidence []Requirement `json:"evidence"`
	// Open says that nothing is asked for: any evidence passes, and whoever
	// passes it is told so.
	Open bool `json:"open"`
}

// New makes a gate of the requirements of a workflow file. It is open where
// there are none.
func New(strict bool, evidence []Requirement) Gate {
	return Gate{Strict: strict, Evidence: evidence, Open: len(evidence) == 0}
}

// Requirement is one piece of evidence that a gate asks for.
type Requirement struct {
	Name        string `json:"name"`
	Type        Type   `json:"type"`
	Required    bool   `json:"required"` // else it may be absent, but what is there must pass
	Check       Check  `json:"check"`
	Description string `json:"description"`
	// Condition is the text of a check that is a condition, for whoever compiles
	// it; nil for every other check. One of a document does not know its place
	// in the line: a problem with it is on the requirement's.
	Condition *rule.Condition `json:"-"`
	// File and Line say where the requirement is written.
	File string `json:"file"`
	Line int    `json:"line"`
}

// Type is what a piece of evidence is in JSON.
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

// types are all of them, as messages list them.
var types = []Type{Boolean, Integer, Number, String, List, Object}

// TypeNames returns the names of all types, in the order that messages list them.
func TypeNames() []string { return names(types) }

// ParseType reads the name of a type of evidence.
func ParseType(text string) (Type, error) {
	if t := Type(text); slices.Contains(types, t) {
		return t, nil
	}
	return "", fmt.Errorf("unknown type of evidence %q%s", text, suggest.OneOf(text, names(types)))
}

// names are words of a kind as texts.
func names[T ~string](words []T) []string {
	texts := make([]string, 0, len(words))
	for _, w := range words {
		texts = append(texts, string(w))
	}
	return texts
}

// evidenceName is what a piece of evidence may be called: the start of a name
// that conditions can read.
var evidenceName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// CheckName says what is wrong with the name of a piece of evidence, if
// anything.
func CheckName(name string) error {
	if !evidenceName.MatchString(name) {
		return fmt.Errorf("%s is no name of evidence; want a letter or \"_\", then letters, digits, \"_\" and \"-\"", strconv.Quote(name))
	}
	return nil
}
