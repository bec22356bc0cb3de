package respond_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/agents/hook/dialect"
	"github.com/rulecheck/rulecheck/internal/agents/hook/queue"
	"github.com/rulecheck/rulecheck/internal/agents/hook/respond"
	"github.com/rulecheck/rulecheck/internal/finding"
	"github.com/rulecheck/rulecheck/internal/lawtest"
	"github.com/rulecheck/rulecheck/internal/waiver"
)

// object is a JSON object.
type object = map[string]any

// speaker is an agent as far as stops go: its payloads, and how it reads an answer.
type speaker struct {
	argv               string // the agent on the command line
	promptAs, stopAs   string // the events on the command line, where payloads lack them
	toolAs             string
	base, prompt, tool object
	stop               func(refused int, answer string) object
	refusal            func(answer object) any // the text that keeps the agent at work
}

func decision(a object) any {
	if a["decision"] == "block" || a["decision"] == "deny" {
		return a["reason"]
	}
	return nil
}

// speakers are the agents whose stops can be refused.
var speakers = map[string]speaker{
	"claude": {
		argv: "claude", base: object{"session_id": "s", "prompt_id": "p", "transcript_path": "/home/a/.claude/projects/x/s.jsonl"},
		prompt: object{"hook_event_name": "UserPromptSubmit", "prompt": "do it"},
		tool:   object{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": object{"command": "make"}},
		stop: func(refused int, answer string) object {
			return object{"hook_event_name": "Stop", "stop_hook_active": refused > 0, "last_assistant_message": answer, "background_tasks": []any{}}
		},
		refusal: decision,
	},
	"codex": {
		argv: "codex", base: object{"session_id": "s", "turn_id": "t", "model": "m", "transcript_path": "/home/a/.codex/sessions/x.jsonl"},
		prompt: object{"hook_event_name": "UserPromptSubmit", "prompt": "do it"},
		tool:   object{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": object{"command": "make"}},
		stop: func(refused int, answer string) object {
			return object{"hook_event_name": "Stop", "stop_hook_active": refused > 0, "last_assistant_message": answer}
		},
		refusal: decision,
	},
	"gemini": {
		argv: "gemini", base: object{"session_id": "s", "transcript_path": "/home/a/.gemini/tmp/x/chats/s.jsonl"},
		prompt: object{"hook_event_name": "BeforeAgent", "prompt": "do it"},
		tool:   object{"hook_event_name": "BeforeTool", "tool_name": "run_shell_command", "tool_input": object{"command": "make"}},
		stop: func(refused int, answer string) object {
			return object{"hook_event_name": "AfterAgent", "prompt": "do it", "prompt_response": answer, "stop_hook_active": refused > 0}
		},
		refusal: decision,
	},
	"cursor": {
		argv: "cursor", base: object{"conversation_id": "s", "generation_id": "g", "cursor_version": "3"},
		prompt: object{"hook_event_name": "beforeSubmitPrompt", "prompt": "do it"},
		tool:   object{"hook_event_name": "beforeShellExecution", "command": "make", "cwd": "/"},
		stop: func(refused int, _ string) object {
			return object{"hook_event_name": "stop", "status": "completed", "loop_count": refused}
		},
		refusal: func(a object) any { return a["followup_message"] },
	},
	"copilot": {
		argv: "copilot", promptAs: "userPromptSubmitted", toolAs: "preToolUse", stopAs: "agentStop", base: object{"sessionId": "s", "cwd": "/"},
		prompt:  object{"prompt": "do it"},
		tool:    object{"toolName": "bash", "toolArgs": `{"command": "make"}`},
		stop:    func(int, string) object { return object{"stopReason": "end_turn"} },
		refusal: decision,
	},
	"vscode": {
		argv: "claude", base: object{"sessionId": "s", "cwd": "/"},
		prompt: object{"hookEventName": "UserPromptSubmit", "prompt": "do it"},
		tool:   object{"hookEventName": "PreToolUse", "tool_name": "runInTerminal", "tool_input": object{"command": "make"}},
		stop: func(refused int, _ string) object {
			return object{"hookEventName": "Stop", "stop_hook_active": refused > 0}
		},
		refusal: func(a object) any { inner, _ := a["hookSpecificOutput"].(object); return decision(inner) },
	},
	"opencode": {
		argv: "opencode", base: object{"session_id": "s", "cwd": "/"},
		prompt: object{"hook_event_name": "chat.message", "prompt": "do it"},
		tool:   object{"hook_event_name": "tool.execute.before", "tool_name": "bash", "tool_input": object{"command": "make"}},
		stop: func(refused int, answer string) object {
			return object{"hook_event_name": "session.idle", "stop_hook_active": refused > 0, "last_assistant_message": answer}
		},
		refusal: decision,
	},
	"antigravity": {
		argv: "antigravity", toolAs: "PreToolUse", stopAs: "Stop", base: object{"conversationId": "s"},
		tool:    object{"stepIdx": 1, "toolCall": object{"name": "run_command", "args": object{"CommandLine": "make"}}},
		stop:    func(int, string) object { return object{} },
		refusal: decision,
	},
}

// conversation is an agent in a repository, whose rules have findings of some version.
type conversation struct {
	t *testing.T
	speaker
	hooks    respond.Hooks
	random   *rand.Rand
	present  map[string]int
	calls    int
	blocked  map[string]bool
	blocks   int
	gateSaid bool // that the stop is refused
}

// send sends an event, and returns what the agent reads.
func (c *conversation) send(event string, more object) object {
	c.t.Helper()
	payload := maps.Clone(c.base)
	maps.Copy(payload, more)
	text, err := json.Marshal(payload)
	if err != nil {
		c.t.Fatal(err)
	}
	p := hook.ParsePayload(text)
	d := dialect.Of(p, c.argv)
	e := d.Event(p, event)
	c.hooks.Start = time.Now()
	decision, err := c.hooks.Respond(c.t.Context(), e)
	if err != nil {
		c.t.Fatal(err)
	}
	a := d.Answer(e, decision)
	var answer object
	if a.Status != 0 || a.Stdout != "" && json.Unmarshal([]byte(a.Stdout), &answer) != nil {
		c.t.Fatalf("%s: status %d, %q", text, a.Status, a.Stdout)
	}
	return answer
}

// gate decides as for a real check.
func (c *conversation) gate(ctx context.Context, e hook.Event, calls int, _ *hook.Base) (hook.Decision, error) {
	if calls != c.calls {
		c.t.Fatalf("%d calls; want %d", calls, c.calls)
	}
	var findings []queue.Finding
	for _, name := range slices.Sorted(maps.Keys(c.present)) {
		s := queue.Subject{Rule: name, Text: strconv.Itoa(c.present[name])}
		findings = append(findings, queue.Finding{Hash: s.Hash(), Rule: name, Name: name, Level: finding.Error})
	}
	d, _, err := queue.New(c.hooks.GitDir).Stop(ctx, queue.Stop{
		Session: e.Agent + ":" + e.Session, Findings: findings, Answer: e.Answer, Promises: waiver.Promises, Now: time.Now(),
		Moment: queue.Moment{Continued: e.Continued, ToolCalls: calls, Background: e.Background > 0},
	})
	if err != nil || len(d.Block) == 0 {
		c.gateSaid = false
		return hook.Decision{Verdict: hook.Allow}, err
	}
	for _, f := range d.Block {
		if c.blocked[f.Hash] {
			c.t.Fatalf("%s blocks again", f.Rule)
		}
		c.blocked[f.Hash] = true
	}
	c.gateSaid = true
	c.blocks++
	return hook.Decision{Verdict: hook.Block, Reason: fmt.Sprint("reason ", c.blocks)}, nil
}

// work changes findings and calls tools.
func (c *conversation) work() {
	for range c.random.IntN(3) {
		name := string(rune('a' + c.random.IntN(4)))
		if c.random.IntN(3) == 0 {
			delete(c.present, name)
		} else {
			c.present[name] = c.random.IntN(1000)
		}
		if c.random.IntN(2) == 0 {
			c.calls++
			call := maps.Clone(c.tool)
			c.number(call)
			c.send(c.toolAs, call)
		}
	}
}

// number makes a call differ from those before, in the agent's way.
func (c *conversation) number(call object) {
	switch c.argv {
	case "antigravity":
		call["stepIdx"] = c.calls
	case "cursor":
		call["command"] = fmt.Sprint("make ", c.calls)
	case "copilot", "gemini":
		call["timestamp"] = time.Unix(int64(c.calls), 0).UTC().Format(time.RFC3339)
	default:
		call["tool_use_id"] = fmt.Sprint("call-", c.calls)
	}
}

// turn is a prompt with everything until the agent stops. It returns the number of stops.
func (c *conversation) turn(n int) (stops int) {
	if c.prompt != nil {
		prompt := maps.Clone(c.prompt)
		prompt["prompt"] = fmt.Sprint("prompt ", n)
		c.send(c.promptAs, prompt)
	}
	for refused := 0; ; refused++ {
		c.work()
		answer := fmt.Sprint("answer ", n, " ", refused)
		if c.random.IntN(3) == 0 {
			answer += " <promise>" + string(rune('a'+c.random.IntN(4))) + "</promise>"
		}
		stops++
		payload := c.stop(refused, answer)
		payload["nonce"] = stops // a field that is not known
		text := c.refusal(c.send(c.stopAs, payload))
		if text == nil {
			return stops
		}
		if !c.gateSaid {
			c.t.Fatalf("the agent reads %v, and the stop was allowed", text)
		}
		if c.prompt != nil && c.random.IntN(2) == 0 { // it may come back as a prompt
			back := maps.Clone(c.prompt)
			back["prompt"] = text
			c.send(c.promptAs, back)
		}
	}
}

// TestConversationsEnd lets simulated agents of every dialect work, stop, and obey each
// refusal. CONVERSATIONS is the number of conversations.
func TestConversationsEnd(t *testing.T) {
	each := (lawtest.Cases(t, "CONVERSATIONS", 160) + len(speakers) - 1) / len(speakers)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for i, name := range slices.Sorted(maps.Keys(speakers)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			refused := 0
			for range each {
				dir := t.TempDir()
				c := &conversation{t: t, speaker: speakers[name], random: random, present: map[string]int{}, blocked: map[string]bool{}}
				c.hooks = respond.Hooks{GitDir: dir, Now: time.Now, Gate: c.gate, Capture: func(context.Context) (string, error) { return "0123456789abcdef", nil }}
				turns := 1 + random.IntN(4)
				stops := 0
				for n := range turns {
					stops += c.turn(n)
				}
				if stops > turns+queue.MaxBlocks || c.blocks > queue.MaxBlocks {
					t.Errorf("%d stops and %d refusals in %d turns", stops, c.blocks, turns)
				}
				refused += c.blocks
				if err := os.RemoveAll(dir); err != nil {
					t.Fatal(err)
				}
			}
			if refused < each/2 {
				t.Errorf("%d refusals in %d conversations; want more", refused, each)
			}
		})
	}
}
