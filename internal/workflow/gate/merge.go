package gate

import (
	"fmt"
	"slices"

	"github.com/rulecheck/rulecheck/internal/finding"
)

// WithDocument adds to a gate of a workflow file what the phase's document asks
// for. Where both ask for a piece of evidence, the workflow file says how; what
// it has no words for, the description, is the document's. The notices say where
// the two differ, and which checks prove little.
func (g Gate) WithDocument(d *Document) (Gate, []finding.Problem) {
	var notices []finding.Problem
	both := len(g.Evidence) > 0 && len(d.Requirements) > 0
	differs := func(line int, format string, args ...any) {
		if both {
			notices = append(notices, finding.Problem{File: d.File, Line: line, Column: 1, Code: CodeDiffers, Message: fmt.Sprintf(format, args...)})
		}
	}
	merged := Gate{Strict: g.Strict, Evidence: slices.Clone(g.Evidence)}
	for i, q := range merged.Evidence {
		at := slices.IndexFunc(d.Requirements, func(p Requirement) bool { return p.Name == q.Name })
		if at < 0 {
			differs(1, "%q is asked for in %s:%d only, not in the document", q.Name, q.File, q.Line)
			continue
		}
		p := d.Requirements[at]
		if here, there := p.asked(), q.asked(); here != there && !p.allows(q) {
			differs(p.Line, "%q is %s here and %s in %s:%d, which holds", q.Name, here, there, q.File, q.Line)
		}
		if q.Description == "" {
			merged.Evidence[i].Description = p.Description
		}
	}
	for _, p := range d.Requirements {
		if !slices.ContainsFunc(g.Evidence, func(q Requirement) bool { return q.Name == p.Name }) {
			differs(p.Line, "%q is asked for in the document only, not in the workflow's gate", p.Name)
			merged.Evidence = append(merged.Evidence, p)
		}
	}
	merged.Open = len(merged.Evidence) == 0
	return merged, append(notices, merged.WeakChecks()...)
}

// allows reports whether a document that names no check leaves it to the
// workflow file's.
func (q Requirement) allows(other Requirement) bool {
	return q.Check.Word == Present && q.Type == other.Type && q.Required == other.Required
}

// asked is how a piece of evidence is asked for, on one line.
func (q Requirement) asked() string {
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
				Message: fmt.Sprintf("%q passes as false too; want the check %q in the workflow's gate or in a table, or evidence that can be looked at", q.Name, IsTrue),
			})
		}
	}
	return notices
}

// Refused says why the gate of a phase cannot be used: a strict one must ask for
// something.
func (g Gate) Refused(phase string) error {
	if !g.Strict || !g.Open {
		return nil
	}
	return fmt.Errorf("the gate of %q is strict, and no evidence that it asks for can be read; want \"evidence\" beside \"strict\", or a checkbox list or a table Evidence | Type | Validator | Description under a heading \"Validation Gate\" in the phase's document", phase)
}

// Notice is what is to be said of an open gate whenever it is shown or passed;
// empty where there is nothing to say.
func (g Gate) Notice(phase string) string {
	if !g.Open {
		return ""
	}
	return fmt.Sprintf("no gate for the phase %q: it asks for no evidence, and any passes", phase)
}
