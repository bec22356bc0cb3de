package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// EvidenceContext is the repository state that evidence is checked against.
type EvidenceContext struct {
	// Files is the repository. Its symbolic links must not lead outside, as with
	// the file system of an os.Root.
	Files fs.FS
	// Holds evaluates a requirement whose check is a condition.
	Holds func(ctx context.Context, q Requirement, evidence map[string]any) (bool, error)
}

// FaultKind classifies a fault.
type FaultKind string

// The kinds of faults.
const (
	FaultMissing    FaultKind = "missing"
	FaultType       FaultKind = "type"
	FaultCheck      FaultKind = "check"
	FaultArtifact   FaultKind = "artifact"    // the file does not exist
	FaultCrossField FaultKind = "cross_field" // it contradicts other evidence
)

// Fault describes one piece of evidence that does not pass.
type Fault struct {
	Field   string    `json:"field"`
	Kind    FaultKind `json:"kind"`
	Got     string    `json:"got"`
	Want    string    `json:"want"`
	Example any       `json:"example"`
	// Message summarizes the fault on one line: "n (wrong type: …)".
	Message string `json:"message"`
}

// Validation holds the faults of evidence that was checked against a gate.
type Validation struct {
	Faults []Fault `json:"faults"`
	// Notices do not prevent the evidence from passing: they report unexpected
	// fields.
	Notices []string `json:"notices"`
}

// Passed reports whether the evidence passes.
func (v Validation) Passed() bool { return len(v.Faults) == 0 }

// Validate checks evidence, decoded from JSON, against the gate. It reports all
// faults in the order of the gate, at most one per field. Null counts as absent,
// except for the check any. Evidence that cannot be checked does not pass.
func (g Gate) Validate(ctx context.Context, evidence map[string]any, against EvidenceContext) Validation {
	v := Validation{Faults: []Fault{}, Notices: []string{}}
	at := positions(g.Evidence)
	faulty := map[string]bool{}
	for _, q := range g.Evidence {
		if f, ok := q.fault(evidence, against.Files); ok {
			v.Faults = append(v.Faults, f)
			faulty[q.Name] = true
		}
	}
	for _, q := range g.Evidence {
		if f, ok := q.condition(ctx, evidence, faulty, against); ok {
			v.Faults = append(v.Faults, f)
		}
	}
	slices.SortStableFunc(v.Faults, func(x, y Fault) int { return at[x.Field] - at[y.Field] })
	for _, name := range slices.Sorted(maps.Keys(evidence)) {
		if _, required := at[name]; !required && !g.Open {
			v.Notices = append(v.Notices, fmt.Sprintf("unexpected evidence %q", name))
		}
	}
	return v
}

// fault checks a piece of evidence by itself, except for a condition.
func (q Requirement) fault(evidence map[string]any, files fs.FS) (Fault, bool) {
	value, given := evidence[q.Name]
	if f, ok := q.shape(evidence); ok || !given || value == nil {
		return f, ok
	}
	switch {
	case q.Check.Word == FileExists:
		return q.artifact(fmt.Sprint(value), files)
	case q.Check.Word == Condition, q.Check.passes(value):
		return Fault{}, false
	}
	return q.failed(FaultCheck, "validation failed", describeValue(value), q.Check.wanted()), true
}

// shape checks that evidence is given if required, and has the right type.
func (q Requirement) shape(evidence map[string]any) (Fault, bool) {
	value, given := evidence[q.Name]
	switch {
	case given && value == nil && q.Check.Word == Any:
		return Fault{}, false
	case value == nil && q.Required:
		got := "nothing"
		if given {
			got = "null"
		}
		f := q.failed(FaultMissing, "", got, q.wanted())
		f.Message = fmt.Sprintf("%s (required: %s)", q.Name, q.describe())
		return f, true
	case value == nil || q.Type.has(value):
		return Fault{}, false
	default:
		f := q.failed(FaultType, "", describeValue(value), string(q.Type))
		f.Message = fmt.Sprintf("%s (wrong type: expected %s, got %s)", q.Name, q.Type, f.Got)
		return f, true
	}
}

// condition evaluates a check that is a condition, unless it reads evidence that
// already has a fault.
func (q Requirement) condition(ctx context.Context, evidence map[string]any, faulty map[string]bool, against EvidenceContext) (Fault, bool) {
	if q.Check.Word != Condition || faulty[q.Name] || evidence[q.Name] == nil && !q.Required {
		return Fault{}, false
	}
	kind := FaultCheck
	for _, read := range q.Check.Reads() {
		if faulty[read.Name] {
			return Fault{}, false
		}
		if read.Name != q.Name {
			kind = FaultCrossField
		}
	}
	holds, err := false, errors.New("conditions cannot be evaluated here")
	if against.Holds != nil {
		holds, err = against.Holds(ctx, q, evidence)
	}
	if err != nil {
		return q.failed(kind, "validation error", err.Error(), q.Check.wanted()), true
	}
	return q.failed(kind, "validation failed", describeValue(evidence[q.Name]), q.Check.wanted()), !holds
}

// failed returns a fault with its message.
func (q Requirement) failed(kind FaultKind, reason, got, want string) Fault {
	return Fault{
		Field: q.Name, Kind: kind, Got: got, Want: want, Example: q.Example(),
		Message: fmt.Sprintf("%s (%s: got %s, want %s)", q.Name, reason, got, want),
	}
}

// describe returns the description of a requirement or, without one, its form.
func (q Requirement) describe() string {
	if q.Description != "" {
		return q.Description
	}
	return q.wanted()
}

// wanted returns the expected form of a piece of evidence.
func (q Requirement) wanted() string {
	if q.Check.Word == Present || q.Check.Word == Any {
		return string(q.Type)
	}
	return string(q.Type) + ", " + q.Check.wanted()
}
