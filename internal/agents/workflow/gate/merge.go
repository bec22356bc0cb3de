package gate

import (
	"fmt"
	"slices"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// WithDocument adds the requirements of the phase's document to a gate of a
// workflow file. If both require the same evidence, the workflow file takes
// precedence and the document provides the description. The notices report
// differences and weak checks.
func (g Gate) WithDocument(d *Document) (Gate, []finding.Problem) {
	var notices []finding.Problem
	both := len(g.Evidence) > 0 && len(d.Requirements) > 0
	differs := func(line int, format string, args ...any) {
		if both {
			notices = append(notices, finding.Problem{File: d.File, Line: line, Column: 1, Code: CodeDiffers, Message: fmt.Sprintf(format, args...)})
		}
	}
	merged := Gate{Strict: g.Strict, Evidence: slices.Clone(g.Evidence)}
	documented, written := positions(d.Requirements), positions(g.Evidence)
	for i, q := range merged.Evidence {
		at, ok := documented[q.Name]
		if !ok {
			differs(1, "%q is required in %s:%d but not in the document", q.Name, q.File, q.Line)
			continue
		}
		p := d.Requirements[at]
		if here, there := p.summary(), q.summary(); here != there && !p.allows(q) {
			differs(p.Line, "%q is %s here and %s in %s:%d, which takes precedence", q.Name, here, there, q.File, q.Line)
		}
		if q.Description == "" {
			merged.Evidence[i].Description = p.Description
		}
	}
	for _, p := range d.Requirements {
		if _, ok := written[p.Name]; !ok {
			differs(p.Line, "%q is required in the document but not in the workflow's gate", p.Name)
			merged.Evidence = append(merged.Evidence, p)
		}
	}
	merged.Open = len(merged.Evidence) == 0
	return merged, append(notices, merged.WeakChecks()...)
}

// allows reports whether q, a requirement of a document, leaves the check to the
// workflow file.
func (q Requirement) allows(other Requirement) bool {
	return q.Check.Word == Present && q.Type == other.Type && q.Required == other.Required
}

// summary returns the type and check of a requirement on one line.
func (q Requirement) summary() string {
	if q.Required {
		return fmt.Sprintf("%s, %s", q.Type, q.Check)
	}
	return fmt.Sprintf("optional %s, %s", q.Type, q.Check)
}

// WeakChecks returns a notice for each required boolean that also passes as false.
func (g Gate) WeakChecks() []finding.Problem {
	var notices []finding.Problem
	for _, q := range g.Evidence {
		if q.Type == Boolean && q.Required && q.Check.Word == Present {
			notices = append(notices, finding.Problem{
				File: q.File, Line: q.Line, Column: 1, Code: CodeWeakCheck,
				Message: fmt.Sprintf("%q also passes when false; want the check %q in the workflow's gate or in a table, or evidence that can be inspected", q.Name, IsTrue),
			})
		}
	}
	return notices
}

// StrictError returns an error if the gate of a phase is strict but requires
// nothing.
func (g Gate) StrictError(phase string) error {
	if !g.Strict || !g.Open {
		return nil
	}
	return fmt.Errorf("the gate of %q is strict but requires no evidence; want \"evidence\" next to \"strict\", or a checkbox list or a table Evidence | Type | Validator | Description under a heading \"Validation Gate\" in the phase's document", phase)
}

// Notice returns the notice to show with an open gate; empty for any other gate.
func (g Gate) Notice(phase string) string {
	if !g.Open {
		return ""
	}
	return fmt.Sprintf("no gate for the phase %q: it requires no evidence, and any evidence passes", phase)
}
