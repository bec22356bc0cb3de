package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/agents/workflow/store"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/plain"
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
	structured := plain.JSON(data.Bytes())
	text := a.text
	if text == "" {
		text = strings.TrimSuffix(string(structured), "\n")
	}
	return &sdk.CallToolResult{
		Content:           []sdk.Content{&sdk.TextContent{Text: text}},
		StructuredContent: json.RawMessage(structured),
		IsError:           a.refused,
	}, nil
}

// invalidArgument is the code of refusals of this package.
const invalidArgument = string(store.InvalidArgument)

// remedies are the actions that help instead of a command. For other codes only the
// command line can help.
var remedies = map[store.Code]string{
	store.InvalidArgument: "call the action list_sessions",
	store.NotFound:        "call the action list_sessions",
	store.NoneOpen:        "call the action start with a workflow",
	store.Ambiguous:       "pass session_id",
	store.Closed:          "call the action start with a workflow",
}

// refusal is the answer to a rejected call.
type refusal struct {
	phase.Failure

	Actions []string `json:"actions,omitempty"` // the known actions
}

func (r *refusal) Error() string { return r.Message }

// refuse converts an error to an answer.
func refuse(err error) *answer {
	own, ok := errors.AsType[*refusal](err)
	if ok {
		own.Message = finding.Printable(err.Error())
		return &answer{data: own, refused: true}
	}
	own = &refusal{Failure: *phase.NewFailure(err, phase.NotEvaluated)}
	if state, ok := errors.AsType[*store.Error](err); ok {
		if action, ok := remedies[state.Code]; ok {
			own.Message, own.RequiredAction = finding.Printable(state.What()), action
		}
	}
	return &answer{data: own, refused: true}
}
