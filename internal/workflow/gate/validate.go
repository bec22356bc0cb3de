package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// EvidenceContext is what evidence is held against beside its gate.
type EvidenceContext struct {
	// Files is the repository; it must not lead out of itself by symbolic
	// links, as an os.Root's file system does not.
	Files fs.FS
	// Holds judges a requirement whose check is a condition.
	Holds func(ctx context.Context, q Requirement, evidence map[string]any) (bool, error)
}

// FaultKind is what is wrong with a piece of evidence.
type FaultKind string

// The kinds of faults.
const (
	FaultMissing    FaultKind = "missing"
	FaultType       FaultKind = "type"
	FaultCheck      FaultKind = "check"
	FaultArtifact   FaultKind = "artifact"    // the file is not there
	FaultCrossField FaultKind = "cross_field" // it does not agree with other evidence
)

// Fault is one piece of evidence that does not pass.
type Fault struct {
	Field   string    `json:"field"`
	Kind    FaultKind `json:"kind"`
	Got     string    `json:"got"`
	Want    string    `json:"want"`
	Example any       `json:"example"`
	// Message says all of it on one line: "n (wrong type: …)".
	Message string `json:"message"`
}

// Verdict is what a gate says of evidence.
type Verdict struct {
	Faults []Fault `json:"faults"`
	// Notices are what does not keep the evidence from passing: fields that
	// nobody asks for.
	Notices []string `json:"notices"`
}

// Passed reports whether the evidence passes.
func (v Verdict) Passed() bool { return len(v.Faults) == 0 }

// Validate holds evidence, decoded from JSON, against the gate: everything that
// is wrong with it at once, in the order of the gate, at most one fault a field.
// A value of null is as good as none, but for the check any. What cannot be
// judged does not pass.
func (g Gate) Validate(ctx context.Context, evidence map[string]any, a EvidenceContext) Verdict {
	v := Verdict{Faults: []Fault{}, Notices: []string{}}
	bad := map[string]bool{}
	for _, q := range g.Evidence {
		if f, ok := q.fault(evidence, a.Files); ok {
			v.Faults = append(v.Faults, f)
			bad[q.Name] = true
		}
	}
	for _, q := range g.Evidence {
		if f, ok := q.condition(ctx, evidence, bad, a); ok {
			v.Faults = append(v.Faults, f)
		}
	}
	slices.SortStableFunc(v.Faults, func(x, y Fault) int { return g.index(x.Field) - g.index(y.Field) })
	for _, name := range slices.Sorted(maps.Keys(evidence)) {
		if g.index(name) < 0 && !g.Open {
			v.Notices = append(v.Notices, fmt.Sprintf("nobody asks for %q", name))
		}
	}
	return v
}

// index is the place of a piece of evidence in the gate; -1 where it is not
// asked for.
func (g Gate) index(name string) int {
	return slices.IndexFunc(g.Evidence, func(q Requirement) bool { return q.Name == name })
}

// fault is what is wrong with a piece of evidence by itself; its condition, if
// its check is one, is not asked.
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

// shape says that evidence is missing, or of the wrong type.
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
		f.Message = fmt.Sprintf("%s (required: %s)", q.Name, q.told())
		return f, true
	case value == nil || q.Type.has(value):
		return Fault{}, false
	default:
		f := q.failed(FaultType, "", describeValue(value), string(q.Type))
		f.Message = fmt.Sprintf("%s (wrong type: expected %s, got %s)", q.Name, q.Type, f.Got)
		return f, true
	}
}

// condition says that a condition does not hold. One that reads evidence with a
// fault of its own is not asked: that fault comes first.
func (q Requirement) condition(ctx context.Context, evidence map[string]any, bad map[string]bool, a EvidenceContext) (Fault, bool) {
	if q.Check.Word != Condition || bad[q.Name] || evidence[q.Name] == nil && !q.Required {
		return Fault{}, false
	}
	kind := FaultCheck
	for _, name := range q.Check.reads() {
		if bad[name] {
			return Fault{}, false
		}
		if name != q.Name {
			kind = FaultCrossField
		}
	}
	holds, err := false, errors.New("there is nothing to judge it by")
	if a.Holds != nil {
		holds, err = a.Holds(ctx, q, evidence)
	}
	if err != nil {
		return q.failed(kind, "validation error", err.Error(), q.Check.wanted()), true
	}
	return q.failed(kind, "validation failed", describeValue(evidence[q.Name]), q.Check.wanted()), !holds
}

// failed makes a fault.
func (q Requirement) failed(kind FaultKind, what, got, want string) Fault {
	return Fault{
		Field: q.Name, Kind: kind, Got: got, Want: want, Example: q.Example(),
		Message: fmt.Sprintf("%s (%s: got %s, want %s)", q.Name, what, got, want),
	}
}

// told is the description of a piece of evidence, or, without one, its form.
func (q Requirement) told() string {
	if q.Description != "" {
		return q.Description
	}
	return q.wanted()
}

// wanted is the form of a piece of evidence.
func (q Requirement) wanted() string {
	if q.Check.Word == Present || q.Check.Word == Any {
		return string(q.Type)
	}
	return string(q.Type) + ", " + q.Check.wanted()
}
