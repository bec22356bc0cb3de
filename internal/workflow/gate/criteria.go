package gate

import (
	"encoding/json"
	"strings"
)

// Criteria are what a gate asks for, as replies tell it.
type Criteria struct {
	Strict           bool              `json:"strict"`
	RequiredEvidence map[string]Format `json:"required_evidence"`
}

// Format is how one piece of evidence must look.
type Format struct {
	Type        Type   `json:"type"`
	Validator   string `json:"validator"` // the check, as it is written
	Required    bool   `json:"required"`
	Description string `json:"description"`
}

// Criteria are what the gate asks for.
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

// Incomplete is what is told to whoever did not pass a gate.
type Incomplete struct {
	MissingEvidence []string          `json:"missing_evidence"` // the messages of all faults
	RequiredFormat  map[string]Format `json:"required_format"`
	Examples        map[string]any    `json:"examples"` // of all evidence that is asked for
	Message         string            `json:"message"`
}

// Incomplete says what is wrong with evidence and how the gate wants it. An
// example that a document gives goes before one that is made up, if it is of the
// right type.
func (g Gate) Incomplete(v Verdict, examples map[string]any) Incomplete {
	told := Incomplete{
		MissingEvidence: []string{},
		RequiredFormat:  g.Criteria().RequiredEvidence,
		Examples:        map[string]any{},
		Message:         "Provide all required evidence to complete the checkpoint.",
	}
	for _, f := range v.Faults {
		told.MissingEvidence = append(told.MissingEvidence, f.Message)
	}
	for _, q := range g.Evidence {
		told.Examples[q.Name] = q.Example()
		if example, ok := examples[q.Name]; ok && q.Type.has(example) {
			told.Examples[q.Name] = example
		}
	}
	return told
}

// Example is a value that would pass, as far as one can be made up: not of a
// regular expression, a file or a condition.
func (q Requirement) Example() any {
	least := 1
	if q.Check.atLeast != nil && q.Check.atLeast.Sign() > 0 {
		if f, _ := q.Check.atLeast.Float64(); f > longestExample && q.Type != Integer && q.Type != Number {
			least = longestExample
		} else if ceil := ceiling(q.Check.atLeast); ceil.IsInt64() {
			least = int(ceil.Int64())
		} else {
			return json.Number(ceil.String())
		}
	}
	switch q.Type {
	case Boolean:
		return true
	case Integer, Number:
		return least
	case List:
		items := make([]string, 0, least)
		for range least {
			items = append(items, "…")
		}
		return items
	case Object:
		object := map[string]string{}
		for i := range least {
			object["key"+strings.Repeat("+", i)] = "…"
		}
		return object
	default:
		return q.exampleText(least)
	}
}

// longestExample is how long an example is made at most.
const longestExample = 20

func (q Requirement) exampleText(least int) string {
	switch q.Check.Word {
	case FileExists:
		return "path/of/the/file"
	case Matches:
		return "text in which " + q.Check.Argument + " is found"
	default:
		return "text" + strings.Repeat(".", max(0, least-len("text")))
	}
}
