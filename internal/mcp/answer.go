package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/phase"
	"github.com/rulecheck/rulecheck/internal/report"
	"github.com/rulecheck/rulecheck/internal/setup"
	"github.com/rulecheck/rulecheck/internal/workflow/store"
)

// answer is the result of a call.
type answer struct {
	data    any    // for programs
	text    string // for readers; empty: data as JSON
	refused bool   // the call was rejected
}

// result converts the answer to the SDK's type.
func (a *answer) result() (*sdk.CallToolResult, error) {
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetEscapeHTML(false) // for models
	if err := enc.Encode(a.data); err != nil {
		return nil, err
	}
	text := a.text
	if text == "" {
		text = strings.TrimSuffix(data.String(), "\n")
	}
	return &sdk.CallToolResult{
		Content:           []sdk.Content{&sdk.TextContent{Text: text}},
		StructuredContent: json.RawMessage(data.Bytes()),
		IsError:           a.refused,
	}, nil
}

// The codes of refusals of this package.
const (
	invalidArgument   = string(store.InvalidArgument)
	malformedWorkflow = "malformed_workflow"
)

// refusal is the answer to a rejected call.
type refusal struct {
	Code           string            `json:"error"`
	Message        string            `json:"message"`
	RequiredAction string            `json:"required_action,omitempty"`
	Session        string            `json:"session_id,omitempty"`
	Actions        []string          `json:"actions,omitempty"` // the known actions
	Problems       []finding.Problem `json:"problems,omitempty"`
}

func (r *refusal) Error() string { return r.Message }

// refuse converts an error to an answer.
func refuse(err error) *answer {
	r := &refusal{Code: report.NotEvaluated}
	if own, ok := errors.AsType[*refusal](err); ok {
		r = own
	} else if state, ok := errors.AsType[*store.Error](err); ok {
		r.Code, r.RequiredAction, r.Session = string(state.Code), state.Fix, state.ID
	} else if bad, ok := errors.AsType[*phase.ProblemsError](err); ok {
		r.Code, r.Problems = malformedWorkflow, bad.Problems
	} else if _, ok := errors.AsType[*setup.SelectionError](err); ok {
		r.Code = invalidArgument
	}
	r.Message = finding.Printable(err.Error())
	return &answer{data: r, refused: true}
}
