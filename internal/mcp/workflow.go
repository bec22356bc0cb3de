package mcp

import (
	"context"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rulecheck/rulecheck/internal/phase"
	"github.com/rulecheck/rulecheck/internal/suggest"
)

// action is what the tool workflow does.
type action struct {
	name, about  string
	needs, takes []string // names of arguments
	run          func(ctx context.Context, f *phase.Runner, g given) (any, error)
}

var actions = []action{
	{name: "list_workflows", about: "the workflows there are, with their phases", run: listWorkflows},
	{
		name: "start", about: "begin a workflow, or go on with the open one of the same target; answers session_id and the first phase",
		needs: []string{"workflow"}, takes: []string{"target"}, run: start,
	},
	{
		name: "get_phase", about: "the content of the current phase or of a completed one, and the evidence it asks for",
		takes: []string{"session_id", "phase"}, run: getPhase,
	},
	{
		name: "complete_phase", about: "leave the current phase with evidence; the same call again says that it is done already",
		needs: []string{"phase"}, takes: []string{"session_id", "evidence"}, run: completePhase,
	},
	{
		name: "next", about: "claim something, and go where the first transition leads that holds; answers the prompt, or what interrupts it",
		takes: []string{"session_id", "claims"}, run: next,
	},
	{name: "continue", about: "the prompt of the current phase, after an interrupt", takes: []string{"session_id"}, run: goOn},
	{name: "get_state", about: "how far a session has come", takes: []string{"session_id"}, run: getState},
	{name: "list_sessions", about: "the sessions there are", run: listSessions},
	{
		name: "get_session", about: "everything that is kept of a session, such as the evidence of each phase",
		takes: []string{"session_id"}, run: getSession,
	},
	{name: "delete_session", about: "forget a session, however it stands", needs: []string{"session_id"}, run: deleteSession},
}

func actionNames() []string {
	names := make([]string, 0, len(actions))
	for _, a := range actions {
		names = append(names, a.name)
	}
	return names
}

// actionsTold are all actions with their arguments, a line for each.
func actionsTold() string {
	var b strings.Builder
	for _, a := range actions {
		b.WriteString("\n- " + a.name + ": " + a.about)
		if len(a.needs) > 0 {
			b.WriteString("; needs " + strings.Join(a.needs, ", "))
		}
		if len(a.takes) > 0 {
			b.WriteString("; takes " + strings.Join(a.takes, ", "))
		}
	}
	return b.String()
}

// workflowArguments are those of all actions.
func workflowArguments() []argument {
	return []argument{
		{name: "action", kind: text, must: true, enum: actionNames(), about: "what to do, one of:" + actionsTold()},
		{name: "session_id", kind: text, about: "the session, as start answers it; without it the only open one"},
		{name: "workflow", kind: path, about: "the name of a workflow, or its file by the path from the repository's root"},
		{name: "target", kind: path, about: "what is worked on, by the path from the repository's root"},
		{name: "phase", kind: nameOrNumber, about: "the name of a phase or its number, from 1; without it the current one"},
		{name: "evidence", kind: object, about: "evidence by name, as required_evidence of the phase asks for; claims are evidence, too"},
		{name: "claims", kind: object, about: `claims by name, such as {"plan_complete": true}, with the evidence that the phase asks for`},
	}
}

func workflowTool(open func(context.Context) (*phase.Runner, error)) tool {
	arguments := workflowArguments()
	return tool{
		name: "workflow", title: "Workflow",
		about: "Go through a workflow of this repository: phases whose content is served one at a time, and that are left only with evidence. " +
			"A refusal says what to do instead. Approvals are given by people, on the command line.",
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

// actionOf is the action of a call, which has what that needs and nothing else.
func actionOf(g given, arguments []argument) (action, error) {
	name := g.text("action")
	i := slices.IndexFunc(actions, func(a action) bool { return a.name == name })
	if i < 0 {
		return action{}, &refusal{
			Code: invalidArgument, Actions: actionNames(),
			Message: invalid("unknown action %q%s", cut(name), suggest.OneOf(cut(name), actionNames())).Error(),
		}
	}
	a := actions[i]
	usable := append(slices.Clone(a.needs), a.takes...)
	for _, of := range arguments[1:] {
		switch _, there := g[of.name]; {
		case !there && slices.Contains(a.needs, of.name):
			return action{}, of.missing()
		case there && !slices.Contains(usable, of.name):
			return action{}, invalid("%s: the action %q has no use for it%s", of.name, a.name, suggest.OneOf(of.name, usable))
		}
	}
	return a, nil
}
