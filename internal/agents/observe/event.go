package observe

import (
	"encoding/json"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/hook"
	"github.com/rulecheck/rulecheck/internal/fact"
)

// events are the names of the kinds of events in workflow files.
var events = map[hook.Kind]string{
	hook.SessionStart: "session_start", hook.Prompt: "before_agent", hook.BeforeTool: "before_tool", hook.AfterTool: "after_tool", hook.Stop: "stop",
}

// others are the names of events that have no effect, by their names in agents without case
// and underscores.
var others = map[string]string{
	"sessionend": "session_end", "precompact": "pre_compact", "precompress": "pre_compact", "subagentstart": "subagent_start", "subagentstop": "subagent_stop",
	"notification": "notification",
}

// Name returns the name of an event in workflow files; empty for one that has none.
func Name(e hook.Event) string {
	if name, ok := events[e.Kind]; ok {
		return name
	}
	return others[strings.ToLower(strings.ReplaceAll(e.Name, "_", ""))]
}

// Output returns the result of a tool call, and how the call ended. The results of MCP tools are
// unwrapped: text that holds JSON is that JSON, and it shows whether the call failed. The result is
// nil if the agent does not pass it.
func Output(e hook.Event) (output any, status fact.Status) {
	status = e.Call.Status
	if len(e.Output) == 0 || json.Unmarshal(e.Output, &output) != nil {
		return nil, status
	}
	if e.Server == "" && e.Tool == "" && e.Call.Kind != fact.MCP {
		return output, status
	}
	output, wrong := unwrap(output, 0)
	switch {
	case status == fact.Error || wrong || reportsFailure(output):
		return output, fact.Error
	case output != nil:
		return output, fact.OK
	}
	return nil, status
}

// unwrap returns the content of an MCP tool's result.
func unwrap(v any, depth int) (inner any, failed bool) {
	const most = 4 // a result in a text in a result …
	if depth > most {
		return v, false
	}
	switch v := v.(type) {
	case string:
		var parsed any
		if json.Unmarshal([]byte(v), &parsed) == nil {
			if _, ok := parsed.(map[string]any); ok {
				return unwrap(parsed, depth+1)
			}
		}
		return v, false
	case []any:
		if text, ok := textOf(v); ok {
			return unwrap(text, depth+1)
		}
		return v, false
	case map[string]any:
		failed = v["isError"] == true || v["is_error"] == true
		for _, key := range []string{"structuredContent", "structured_content", "llmContent", "content", "textResultForLlm"} {
			if content, ok := v[key]; ok && content != nil {
				inner, wrong := unwrap(content, depth+1)
				if failed = failed || wrong; failed {
					return asError(inner), true
				}
				return inner, false
			}
		}
		return v, failed
	}
	return v, false
}

// asError returns the result of a failed call as an object with an error.
func asError(v any) any {
	if object, ok := v.(map[string]any); ok {
		return object
	}
	return map[string]any{"error": v}
}

// textOf joins the texts of an MCP result; ok is false if the value is not such a list.
func textOf(list []any) (text string, ok bool) {
	var b strings.Builder
	for _, e := range list {
		block, isObject := e.(map[string]any)
		part, isText := block["text"].(string)
		if !isObject || !isText {
			return "", false
		}
		b.WriteString(part)
	}
	return b.String(), len(list) > 0
}

// reportsFailure reports whether a result describes a failure.
func reportsFailure(v any) bool {
	object, ok := v.(map[string]any)
	if !ok {
		return false
	}
	switch text := object["error"].(type) {
	case nil:
	case string:
		if text != "" {
			return true
		}
	case bool:
		if text {
			return true
		}
	default:
		return true
	}
	status, _ := object["status"].(string)
	return object["success"] == false || status == "error" || status == "failed" || reportsFailure(object["result"])
}
