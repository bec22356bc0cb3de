package mcp

import (
	"context"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rulecheck/rulecheck/internal/agents/phase"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// action describes an action of the tool workflow.
type action struct {
	name, about  string
	needs, takes []string // names of arguments
	run          func(ctx context.Context, f *phase.Runner, g given) (any, error)
}

var actions = []action{
	{name: "list_workflows", about: "list the workflows with their phases", run: listWorkflows},
	{
		name: "start", about: "start a workflow, or resume the open session with the same target; returns session_id and the current phase",
		needs: []string{"workflow"}, takes: []string{"target"}, run: start,
	},
	{
		name: "get_phase", about: "show the content of the current phase or of a completed one, and the evidence it requires",
		takes: []string{"session_id", "phase"}, run: getPhase,
	},
	{
		name: "complete_phase", about: "complete the current phase with evidence; a repeated call only reports that it is done",
		needs: []string{"phase"}, takes: []string{"session_id", "evidence"}, run: completePhase,
	},
	{
		name: "next", about: "make claims and take the first transition that holds; returns whether the session moved, and the next prompt or the interrupt; " +
			"with phase it is refused in any other phase, so that a repeated call does not make a second step",
		takes: []string{"session_id", "claims", "phase"}, run: next,
	},
	{name: "continue", about: "show the prompt of the current phase again, after an interrupt", takes: []string{"session_id"}, run: resume},
	{name: "get_state", about: "show the progress of a session", takes: []string{"session_id"}, run: getState},
	{name: "list_sessions", about: "list the sessions", run: listSessions},
	{
		name: "get_session", about: "show the whole state of a session, with the evidence of each phase",
		takes: []string{"session_id"}, run: getSession,
	},
	{name: "delete_session", about: "delete a session, whatever its state", needs: []string{"session_id"}, run: deleteSession},
}

func actionNames() []string {
	names := make([]string, 0, len(actions))
	for _, a := range actions {
		names = append(names, a.name)
	}
	return names
}

// describeActions lists all actions with their arguments, one per line.
func describeActions() string {
	var b strings.Builder
	for _, a := range actions {
		b.WriteString("\n- " + a.name + ": " + a.about)
		if len(a.needs) > 0 {
			b.WriteString("; requires " + strings.Join(a.needs, ", "))
		}
		if len(a.takes) > 0 {
			b.WriteString("; accepts " + strings.Join(a.takes, ", "))
		}
	}
	return b.String()
}

// workflowArguments returns the arguments of all actions.
func workflowArguments() []argument {
	return []argument{
		{name: "action", kind: text, required: true, enum: actionNames(), about: "the action, one of:" + describeActions()},
		{name: "session_id", kind: text, about: "the session, as returned by start", fallback: "the only open one"},
		{name: "workflow", kind: path, about: "the name of a workflow, or the path of its file from the repository's root"},
		{name: "target", kind: path, about: "the file or directory to work on, by its path from the repository's root"},
		{name: "phase", kind: nameOrNumber, about: "the name of a phase or its number, from 1", fallback: "the current one"},
		{name: "evidence", kind: object, about: "evidence by name, as described by required_evidence of the phase; claims count as evidence"},
		{name: "claims", kind: object, about: `claims by name, such as {"plan_complete": true}, with the evidence that the phase requires`},
	}
}

func workflowTool(open func(context.Context) (*phase.Runner, error)) tool {
	arguments := workflowArguments()
	return tool{
		name: "workflow", title: "Workflow",
		about: "Run a workflow of this repository: its phases are shown one at a time, and each must be completed with evidence. " +
			"A refusal explains what to do instead. Only people give approvals, on the command line.",
		hints:     &sdk.ToolAnnotations{DestructiveHint: new(true), OpenWorldHint: new(false)},
		arguments: arguments,
		call: func(ctx context.Context, g given) (*answer, error) {
			a, err := actionOf(g, arguments)
			if err != nil {
				return nil, err
			}
			f, err := open(ctx)
			if err != nil {
				return nil, err
			}
			data, err := a.run(ctx, f, g)
			if err != nil {
				return nil, err
			}
			reply, ok := data.(*phase.Reply)
			return &answer{data: data, refused: ok && reply.Refused}, nil
		},
	}
}

// actionOf returns the action of a call after checking its arguments.
func actionOf(g given, arguments []argument) (action, error) {
	name := g.text("action")
	i := slices.IndexFunc(actions, func(a action) bool { return a.name == name })
	if i < 0 {
		message := invalid("unknown action %q%s", cut(name), suggest.OneOf(cut(name), actionNames())).Error()
		return action{}, &refusal{Failure: phase.Failure{Code: invalidArgument, Message: message}, Actions: actionNames()}
	}
	a := actions[i]
	usable := append(slices.Clone(a.needs), a.takes...)
	for _, of := range arguments[1:] {
		switch _, there := g[of.name]; {
		case !there && slices.Contains(a.needs, of.name):
			return action{}, of.missing()
		case there && !slices.Contains(usable, of.name):
			return action{}, invalid("%s: the action %q does not accept it%s", of.name, a.name, suggest.OneOf(of.name, usable))
		}
	}
	return a, nil
}
