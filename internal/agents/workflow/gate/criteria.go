package gate

import (
	"encoding/json"
	"strings"
)

// Criteria describes the requirements of a gate in replies.
type Criteria struct {
	Strict           bool              `json:"strict"`
	RequiredEvidence map[string]Format `json:"required_evidence"`
}

// Format describes the expected form of one piece of evidence.
type Format struct {
	Type        Type   `json:"type"`
	Validator   string `json:"validator"` // the source of the check
	Required    bool   `json:"required"`
	Description string `json:"description"`
}

// Criteria returns the requirements by name.
func (g Gate) Criteria() Criteria {
	c := Criteria{Strict: g.Strict, RequiredEvidence: map[string]Format{}}
	for _, q := range g.Evidence {
		c.RequiredEvidence[q.Name] = q.format()
	}
	return c
}

func (q Requirement) format() Format {
	return Format{Type: q.Type, Validator: q.Check.String(), Required: q.Required, Description: q.Description}
}

// Incomplete describes evidence that did not pass a gate.
type Incomplete struct {
	MissingEvidence []string          `json:"missing_evidence"` // messages of all faults
	RequiredFormat  map[string]Format `json:"required_format"`
	Examples        map[string]any    `json:"examples"` // of all required evidence
	Message         string            `json:"message"`
}

// Incomplete describes the faults of a verdict and the expected form of evidence.
// Examples of a document are preferred to generated ones if they have the right
// type.
func (g Gate) Incomplete(v Validation, examples map[string]any) Incomplete {
	reply := Incomplete{
		MissingEvidence: []string{},
		RequiredFormat:  g.Criteria().RequiredEvidence,
		Examples:        map[string]any{},
		Message:         "Provide all required evidence to complete the checkpoint.",
	}
	for _, f := range v.Faults {
		reply.MissingEvidence = append(reply.MissingEvidence, f.Message)
	}
	for _, q := range g.Evidence {
		reply.Examples[q.Name] = q.Example()
		if example, ok := examples[q.Name]; ok && q.Type.has(example) {
			reply.Examples[q.Name] = example
		}
	}
	return reply
}

// Example returns a value that would pass. For regular expressions, files and
// conditions it only has the right type.
func (q Requirement) Example() any {
	length := 1
	if q.Check.atLeast != nil && q.Check.atLeast.Sign() > 0 {
		if f, _ := q.Check.atLeast.Float64(); f > maxExample && q.Type != Integer && q.Type != Number {
			length = maxExample
		} else if ceil := ceiling(q.Check.atLeast); ceil.IsInt64() {
			length = int(ceil.Int64())
		} else {
			return json.Number(ceil.String())
		}
	}
	switch q.Type {
	case Boolean:
		return true
	case Integer, Number:
		return length
	case List:
		items := make([]string, 0, length)
		for range length {
			items = append(items, "…")
		}
		return items
	case Object:
		object := map[string]string{}
		for i := range length {
			object["key"+strings.Repeat("+", i)] = "…"
		}
		return object
	default:
		return q.exampleText(length)
	}
}

// maxExample limits the length of an example, in its items or characters.
const maxExample = 20

func (q Requirement) exampleText(length int) string {
	switch q.Check.Word {
	case FileExists:
		return "path/of/the/file"
	case Matches:
		return "text that matches " + q.Check.Argument
	default:
		return "text" + strings.Repeat(".", max(0, length-len("text")))
	}
}
