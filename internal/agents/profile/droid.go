package profile

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// droid has its hooks in its settings, and not in hooks.json: versions read that file in
// different forms.
var droid = Profile{
	Name:  "droid",
	Title: "Factory Droid",
	Sources: []Source{
		{OfHooks, "https://docs.factory.ai/harness/hooks", "9/2026; payloads of Droid 0.210"},
		{OfLogs, "", "sessions of Droid 0.215.0; no page describes them"},
		{OfTools, "https://docs.factory.ai/reference/hooks-reference", "11/2026; Droid 0.215.0"},
	},
	Logs: func(m Machine, _ string) []Place {
		return []Place{{Path: filepath.Join(m.Home(), ".factory", "sessions")}}
	},
	Tools: map[fact.Kind]string{
		fact.Command:  "Execute",
		fact.FileEdit: "Create Edit MultiEdit Write ApplyPatch",
		fact.Read:     "Read",
		fact.Other: `AskUser DismissHandoffItems EndFeatureRun ExitSpecMode FetchUrl GenerateDroid GenerateImage Glob Grep LS Loop ProposeMission
			Skill StartMissionRun Task TaskOutput TaskStop TodoWrite ToolSearch WebFetch WebSearch slack_post_file`,
	},
	Subagents: "Task",
	Settings: Settings{
		File: ".factory/settings.json", Local: ".factory/settings.local.json", User: ".factory/settings.json",
		Container: "hooks", Entry: matchedEntry, Off: map[string]any{"hooksDisabled": true},
		Next: "Droid asks its user to review hooks: start droid and type /hooks",
	},
	Hooks: Hooks{
		Events: []Event{
			{Name: "SessionStart", Kind: hook.SessionStart, Can: contexts},
			{Name: "UserPromptSubmit", Kind: hook.Prompt, Can: contexts},
			{Name: "PreToolUse", Kind: hook.BeforeTool, Can: []hook.Verdict{hook.Deny, hook.Ask}},
			{Name: "PostToolUse", Kind: hook.AfterTool, Can: contexts, Note: "fires after calls that succeeded"},
			{Name: "Stop", Kind: hook.Stop, Can: stops, Note: "not after an interruption"},
		},
		Timeout: "60 s",
		OnError: "the call proceeds, except with exit status 2",
		Holes: []string{
			"if `.factory/hooks.json` exists, Droid ignores the hooks in the settings next to it",
			"calls that failed have no event, and a payload does not state how a command ended",
		},
		Silent:       true,
		Probe:        `{"session_id":"%s","hook_event_name":"PreToolUse","permission_mode":"off","tool_name":"Execute","tool_input":{"command":"true"}}`,
		RootVariable: "FACTORY_PROJECT_DIR",
		Members:      claudeMembers,
		Claims: func(p hook.Payload, argv string) Claim {
			modes := []string{"off", "spec", "auto-low", "auto-medium", "auto-high"} // those of no other agent
			switch {
			case !p.Has("hook_event_name"):
				return No
			case slices.Contains(modes, p.Text("permission_mode")), strings.Contains(p.Text("transcript_path"), "/.factory/"):
				return Certain
			case argv == "droid":
				return Possible
			}
			return No
		},
		Outcome: silentOutcome,
		Answer:  lateAnswer,
	},
}
