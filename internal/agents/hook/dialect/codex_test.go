package dialect_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
	"github.com/rulecheck/rulecheck/internal/lawtest"
)

// The answers that Codex accepts: an unknown member makes an answer void, and the agent
// goes on as if there were none.
//
//nolint:tagliatelle // as Codex has them
type (
	codexCommon struct {
		Continue       *bool   `json:"continue"`
		StopReason     *string `json:"stopReason"`
		SuppressOutput bool    `json:"suppressOutput"`
		SystemMessage  string  `json:"systemMessage"`
	}
	codexBlock struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
	}
	codexContext struct {
		HookEventName     string `json:"hookEventName"`
		AdditionalContext string `json:"additionalContext"`
	}
	codexPermission struct {
		HookEventName            string          `json:"hookEventName"`
		PermissionDecision       string          `json:"permissionDecision"`
		PermissionDecisionReason string          `json:"permissionDecisionReason"`
		UpdatedInput             json.RawMessage `json:"updatedInput"`
		AdditionalContext        string          `json:"additionalContext"`
	}
	codexAnswer struct {
		codexCommon
		codexBlock

		Specific *codexPermission `json:"hookSpecificOutput"`
	}
)

// codexReads returns what Codex does with an answer. An error is an answer that it ignores.
//
//nolint:tagliatelle // as Codex has it
func codexReads(event, stdout string) (hook.Verdict, error) {
	if strings.TrimSpace(stdout) == "" {
		return hook.Allow, nil
	}
	var a codexAnswer
	var err error
	read := func(into any) {
		d := json.NewDecoder(strings.NewReader(stdout))
		d.DisallowUnknownFields()
		err = d.Decode(into)
		if _, more := d.Token(); err == nil && more != io.EOF {
			err = fmt.Errorf("text after the answer: %w", more)
		}
	}
	switch event {
	case "PreToolUse":
		only := struct {
			codexCommon
			codexBlock

			Specific *codexPermission `json:"hookSpecificOutput"`
		}{}
		read(&only)
		a.codexCommon, a.codexBlock, a.Specific = only.codexCommon, only.codexBlock, only.Specific
	case "Stop":
		only := struct {
			codexCommon
			codexBlock
		}{}
		read(&only)
		a.codexCommon, a.codexBlock = only.codexCommon, only.codexBlock
	default:
		only := struct {
			codexCommon
			codexBlock

			Specific *codexContext `json:"hookSpecificOutput"`
		}{}
		read(&only)
		a.codexCommon, a.codexBlock = only.codexCommon, only.codexBlock
		if only.Specific != nil {
			a.Specific = &codexPermission{HookEventName: only.Specific.HookEventName, AdditionalContext: only.Specific.AdditionalContext}
		}
		if event == "SessionStart" && a.Decision != "" {
			err = fmt.Errorf("decision %q at %s", a.Decision, event)
		}
	}
	switch s := a.Specific; {
	case err != nil:
		return "", err
	case a.Continue != nil || a.StopReason != nil || a.SuppressOutput:
		return "", fmt.Errorf("continue, stopReason or suppressOutput in %s", stdout)
	case a.Decision == "block" && strings.TrimSpace(a.Reason) != "":
		return hook.Block, nil
	case a.Decision != "" || a.Reason != "":
		return "", fmt.Errorf("decision %q with reason %q", a.Decision, a.Reason)
	case s == nil:
		return hook.Allow, nil
	case s.HookEventName != event:
		return "", fmt.Errorf("hookEventName %q at %s", s.HookEventName, event)
	case s.PermissionDecision == "deny" && strings.TrimSpace(s.PermissionDecisionReason) != "":
		return hook.Deny, nil
	case s.PermissionDecision != "":
		return "", fmt.Errorf("permissionDecision %q with reason %q", s.PermissionDecision, s.PermissionDecisionReason)
	case s.AdditionalContext != "":
		return hook.Context, nil
	}
	return hook.Allow, nil
}

// TestCodexAccepts gives Codex every verdict with any text: it is never void, and Codex
// does what was decided.
func TestCodexAccepts(t *testing.T) {
	events := map[string]map[hook.Verdict]hook.Verdict{
		"SessionStart":     {hook.Deny: hook.Context, hook.Ask: hook.Context, hook.Block: hook.Context, hook.Context: hook.Context},
		"UserPromptSubmit": {hook.Deny: hook.Block, hook.Ask: hook.Block, hook.Block: hook.Block, hook.Context: hook.Context},
		"PreToolUse":       {hook.Deny: hook.Deny, hook.Ask: hook.Deny, hook.Block: hook.Deny, hook.Context: hook.Context},
		"PostToolUse":      {hook.Deny: hook.Context, hook.Ask: hook.Context, hook.Block: hook.Context, hook.Context: hook.Context},
		"Stop":             {hook.Deny: hook.Block, hook.Ask: hook.Block, hook.Block: hook.Block, hook.Context: hook.Allow},
		"PreModelRequest":  {},
	}
	lawtest.Check(t, func(t *rapid.T) {
		event := rapid.SampledFrom([]string{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "PreModelRequest"}).Draw(t, "event")
		verdict := rapid.SampledFrom(hook.Verdicts()).Draw(t, "verdict")
		words := rapid.OneOf(rapid.StringOf(rapid.SampledFrom([]rune(". \nR"))), rapid.String(), rapid.SampledFrom([]string{"", " ", ".", ". . ", "R", "a\nb", "</x>&\u2028", "\xff"}))
		text := words.Draw(t, "text")
		p := dialect.Parse(fmt.Appendf(nil, `{"hook_event_name":%q,"session_id":"s","turn_id":"t","tool_name":"Bash","tool_input":{"command":"ls"}}`, event))
		d := dialect.Of(p, "codex")
		e := d.Event(p, "")
		a := d.Answer(e, hook.Decision{Verdict: verdict, Reason: text, Context: text, Notice: rapid.SampledFrom([]string{"", "N"}).Draw(t, "notice")})
		got, err := codexReads(event, a.Stdout)
		if err != nil || a.Status != 0 {
			t.Fatalf("Codex ignores %s (exit status %d): %v", a.Stdout, a.Status, err)
		}
		want, ok := events[event][verdict]
		if !ok || want == hook.Context && text == "" {
			want = hook.Allow
		}
		if got != want {
			t.Fatalf("Codex takes %s for %s; want %s", a.Stdout, got, want)
		}
	})
}

// TestCodexFaults refuses by standard error, which Codex reads only if there is some, and
// only without an answer next to it.
func TestCodexFaults(t *testing.T) {
	for _, event := range []string{"PreToolUse", "Stop", "UserPromptSubmit", "PostToolUse", "SessionStart"} {
		p := dialect.Parse(fmt.Appendf(nil, `{"hook_event_name":%q,"session_id":"s","turn_id":"t"}`, event))
		d := dialect.Of(p, "codex")
		for _, closed := range []bool{true, false} {
			a := d.Fault(d.Event(p, ""), "", closed)
			if _, err := codexReads(event, a.Stdout); err != nil || a.Status == 2 && (a.Stdout != "" || strings.TrimSpace(a.Stderr) == "") || a.Status == 1 {
				t.Errorf("%s, closed %v: %+v, %v", event, closed, a, err)
			}
		}
	}
}
