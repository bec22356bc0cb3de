package hooks

import (
	"strings"
	"sync"

	"github.com/rulecheck/rulecheck/internal/agents/profile"
)

// hookEvent describes an event of an agent's hooks.
type hookEvent struct {
	does   eventEffect
	source eventSource
	agent  string // if only its hooks have the event
}

type eventEffect int

const (
	nothing eventEffect = iota // that is counted
	began
	completed
	failed
	prompted
)

// eventSource distinguishes the events about the same call. Cursor has events for
// tools, and others for commands and files.
type eventSource int

const (
	toolEvents eventSource = 1 << iota
	shellEvents
	fileEvents
)

// hookEvents are the known events, by their names without regard to case and underscores.
var hookEvents = sync.OnceValue(func() map[string]hookEvent {
	events := map[string]hookEvent{
		"pretooluse":           {does: began, source: toolEvents},
		"posttooluse":          {does: completed, source: toolEvents},
		"posttoolusefailure":   {does: failed, source: toolEvents},
		"userpromptsubmit":     {does: prompted},
		"userpromptsubmitted":  {does: prompted, agent: "copilot"},
		"beforetool":           {does: began, source: toolEvents, agent: "gemini"},
		"aftertool":            {does: completed, source: toolEvents, agent: "gemini"},
		"beforeagent":          {does: prompted, agent: "gemini"},
		"beforesubmitprompt":   {does: prompted, agent: "cursor"},
		"beforeshellexecution": {does: began, source: shellEvents, agent: "cursor"},
		"aftershellexecution":  {does: completed, source: shellEvents, agent: "cursor"},
		"afterfileedit":        {does: completed, source: fileEvents, agent: "cursor"},
	}
	for agent, names := range map[string]string{
		"": `SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact Notification PostToolBatch PermissionRequest
			PermissionDenied UserPromptExpansion PreModelSwitch PostModelSwitch Setup TeammateIdle TaskCreated TaskCompleted Elicitation
			ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay
			Interrupt PreModelRequest PostModelRequest other`,
		"gemini": "AfterAgent BeforeModel AfterModel BeforeToolSelection PreCompress",
		"cursor": `beforeMCPExecution afterMCPExecution beforeReadFile beforeTabFileRead afterTabFileEdit afterAgentResponse afterAgentThought
			workspaceOpen`,
	} {
		for name := range strings.FieldsSeq(names) {
			events[profile.PlainName(name)] = hookEvent{agent: agent}
		}
	}
	return events
})
