package dialect

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/lazyregexp"
)

// probePrefix begins the ids of sessions that no agent has: of probes, which are refused and
// not recorded.
const probePrefix = "rulecheck-probe-"

// probes are payloads of a call that does nothing, by the names of dialects; %s is the id of
// the session.
var probes = map[string]string{
	"claude":      `{"session_id":"%s","hook_event_name":"PreToolUse","prompt_id":"p","tool_name":"Bash","tool_input":{"command":"true"},"tool_use_id":"probe"}`,
	ClaudeLike:    `{"session_id":"%s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"true"},"tool_use_id":"probe"}`,
	"codex":       `{"session_id":"%s","hook_event_name":"PreToolUse","turn_id":"t","tool_name":"Bash","tool_input":{"command":"true"},"tool_use_id":"probe"}`,
	"gemini":      `{"session_id":"%s","hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"true"}}`,
	"cursor":      `{"conversation_id":"%s","generation_id":"g","cursor_version":"3.0","hook_event_name":"preToolUse","tool_name":"Shell","tool_input":{"command":"true"},"tool_use_id":"probe"}`,
	"copilot":     `{"sessionId":"%s","timestamp":1775624404000,"toolName":"bash","toolArgs":"{\"command\":\"true\"}"}`,
	"windsurf":    `{"agent_action_name":"pre_run_command","trajectory_id":"%s","execution_id":"e","tool_info":{"command_line":"true"}}`,
	"antigravity": `{"conversationId":"%s","modelName":"m","stepIdx":1,"toolCall":{"name":"run_command","args":{"CommandLine":"true"}}}`,
	"opencode":    `{"hook_event_name":"tool.execute.before","session_id":"%s","tool_name":"bash","tool_input":{"command":"true"},"tool_use_id":"probe"}`,
}

// Probe returns the payload of a probe, and the name of its event.
func (d Dialect) Probe(id string) (payload []byte, event string) {
	for _, e := range d.Events {
		if e.Kind == hook.BeforeTool {
			event = e.Name
			break
		}
	}
	return fmt.Appendf(nil, probes[d.Name], probePrefix+id), event
}

// IsProbe reports whether an event is a probe.
func IsProbe(e hook.Event) bool {
	return strings.HasPrefix(e.Session, probePrefix)
}

// Probed describes the program that answered a probe.
type Probed struct {
	Version string `json:"version"`
	Program string `json:"program"` // its path
	Root    string `json:"root"`    // of the repository that it checks; empty: it finds none
	Observe bool   `json:"observe"` // nothing is refused
}

// probed begins the reason of the answer to a probe.
const probed = "rulecheck-probe "

var reasonOfProbe = lazyregexp.New(probed + `<([^>]*)>`)

// Reason returns the reason with which a probe is refused.
func (p Probed) Reason() string {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // it is made of texts
	}
	return probed + "<" + hex.EncodeToString(text) + ">"
}

// ReadProbe reads the answer to a probe; ok is false if it does not have the form of the
// agent.
func (d Dialect) ReadProbe(payload []byte, event string, a Answer) (p Probed, ok bool) {
	found := reasonOfProbe().FindStringSubmatch(a.Stdout + a.Stderr)
	if found == nil {
		return p, false
	}
	var text []byte
	if _, err := fmt.Sscanf(found[1], "%x", &text); err != nil || json.Unmarshal(text, &p) != nil {
		return p, false
	}
	want := d.Answer(d.Event(Parse(payload), event), hook.Decision{Verdict: hook.Deny, Reason: p.Reason()})
	return p, want == a
}
