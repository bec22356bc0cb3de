package profile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
)

// What events can get.
var (
	refusals = []hook.Verdict{hook.Deny, hook.Ask, hook.Context}
	denies   = []hook.Verdict{hook.Deny}
	contexts = []hook.Verdict{hook.Context}
	stops    = []hook.Verdict{hook.Block}
)

// claudeMembers are the members of Claude Code's payloads, which others have, too.
var claudeMembers = Members{
	Event: []string{"hook_event_name"}, Session: []string{"session_id"}, Turn: []string{"turn_id", "prompt_id"}, Stamp: []string{"timestamp"},
	Cwd: []string{"cwd"}, Transcript: []string{"transcript_path"}, Subagent: []string{"agent_id"}, Prompt: []string{"prompt"},
	Mode: []string{"permission_mode"}, Source: []string{"source"}, Tool: []string{"tool_name"}, Call: []string{"tool_use_id"},
	Input: []string{"tool_input"}, Server: "mcp_context", Continued: "stop_hook_active", Background: "background_tasks",
	Last: []string{"last_assistant_message", "prompt_response"},
}

// specific is an answer that depends on the event.
//
//nolint:tagliatelle // as Claude Code has it
type specific struct {
	HookEventName            string `json:"hookEventName,omitempty"`
	PermissionDecision       string `json:"permissionDecision,omitempty"`
	PermissionDecisionReason string `json:"permissionDecisionReason,omitempty"`
	Decision                 string `json:"decision,omitempty"`
	Reason                   string `json:"reason,omitempty"`
	AdditionalContext        string `json:"additionalContext,omitempty"`
}

// output is an answer in the form of Claude Code. Codex takes it too, and nothing else.
//
//nolint:tagliatelle // as Claude Code has it
type output struct {
	Decision      string    `json:"decision,omitempty"`
	Reason        string    `json:"reason,omitempty"`
	SystemMessage string    `json:"systemMessage,omitempty"`
	Specific      *specific `json:"hookSpecificOutput,omitempty"`
}

// claudeAnswer never allows in so many words: that would skip the user's own permissions.
func claudeAnswer(e hook.Event, d hook.Decision) hook.Answer {
	out := output{SystemMessage: d.Notice}
	switch d.Verdict {
	case hook.Deny:
		if e.Kind == hook.Prompt {
			out.Decision, out.Reason = "block", d.Reason
			break
		}
		out.Specific = &specific{HookEventName: e.Name, PermissionDecision: "deny", PermissionDecisionReason: d.Reason}
	case hook.Ask:
		out.Specific = &specific{HookEventName: e.Name, PermissionDecision: "ask", PermissionDecisionReason: d.Reason}
	case hook.Block:
		out.Decision, out.Reason = "block", d.Reason
	case hook.Context:
		if e.Kind == hook.Stop { // a context would keep the agent working
			out.SystemMessage = cmp.Or(d.Notice, d.Context)
			break
		}
		out.Specific = &specific{HookEventName: e.Name, AdditionalContext: d.Context}
	case hook.Allow:
	}
	if out == (output{}) {
		return hook.Answer{}
	}
	return reply(out)
}

// lateAnswer is for agents that take no context before a tool: it comes after the tool.
func lateAnswer(e hook.Event, d hook.Decision) hook.Answer {
	if d.Verdict == hook.Context && e.Kind == hook.BeforeTool {
		d.Verdict = hook.Allow
	}
	return claudeAnswer(e, d)
}

// confirm is the reason of a denial for an agent that cannot ask.
func confirm(reason string) string { return "needs confirmation: " + reason }

// reply returns an answer of one JSON object.
func reply(object any) hook.Answer {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(object); err != nil {
		return hook.Answer{Stderr: fmt.Sprintf("rulecheck: %v\n", err), Status: 2}
	}
	return hook.Answer{Stdout: b.String()}
}
