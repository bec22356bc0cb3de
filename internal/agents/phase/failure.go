package phase

import (
	"errors"

	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/shell"
)

// Failure is an error as data. A refusal is a [Reply], not a failure.
type Failure struct {
	Code           string            `json:"error"`
	Message        string            `json:"message"`
	RequiredAction string            `json:"required_action,omitempty"`
	Session        string            `json:"session_id,omitempty"`
	Node           string            `json:"node_name,omitempty"` // of NodeNotFound
	Problems       []finding.Problem `json:"problems,omitempty"`
}

// The codes of failures besides those of the store.
const (
	MalformedWorkflow = "malformed_workflow"
	NodeNotFound      = "NodeNotFound"
)

// NewFailure returns an error as data. An error that it does not know has the code other.
func NewFailure(err error, other string) *Failure {
	f := &Failure{Code: other, Message: finding.Printable(err.Error())}
	if state, ok := errors.AsType[*store.Error](err); ok {
		f.Code, f.RequiredAction, f.Session = string(state.Code), string(state.Fix), state.ID
	} else if gone, ok := errors.AsType[*NodeError](err); ok {
		f.Code, f.Node, f.Session = NodeNotFound, gone.Phase, gone.Session
		f.RequiredAction = "rulecheck workflow abort --session " + shell.Quote(gone.Session)
	} else if bad, ok := errors.AsType[*ProblemsError](err); ok {
		f.Code, f.Problems = MalformedWorkflow, bad.Problems
	} else if _, ok := errors.AsType[*setup.SelectionError](err); ok {
		f.Code = string(store.InvalidArgument)
	}
	return f
}

// NotEvaluated is the code of a failure that is not the caller's.
const NotEvaluated = report.NotEvaluated
