package policy

import (
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/rulecheck/rulecheck/policies"
)

// SessionFacts is what a policy may know of whose log is judged. What the log
// does not say is empty.
type SessionFacts struct {
	ID        string `json:"id"`
	Agent     string `json:"agent"`
	Cwd       string `json:"cwd"`
	GitBranch string `json:"git_branch"`
}

// VisitFacts is the stay in a phase that is judged.
type VisitFacts struct {
	Index    int       `json:"index"` // of the session's stays, from 0
	Phase    string    `json:"phase"` // empty: the session has no phases
	Workflow string    `json:"workflow"`
	Start    time.Time `json:"start"`
	End      time.Time `json:"end"`
	Open     bool      `json:"open"` // the log ends before the visit does
}

// ofSession are the facts of a session, of those that the mode asks for.
func ofSession(in Input, fact string) (value any, ok bool) {
	switch fact {
	case policies.FactSession:
		return in.Session, in.Session != nil
	case policies.FactVisit:
		return in.Visit, in.Visit != nil
	case policies.FactMetrics:
		return in.Metrics, in.Metrics != nil
	default:
		return nil, false
	}
}

// instant is a time as policies have it; RFC 3339, without zeros at its end.
func instant(t time.Time) *ast.Term { return ast.StringTerm(t.UTC().Format(time.RFC3339Nano)) }
