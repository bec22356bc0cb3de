package record

// Foreign returns the name of a format that has no reader and resembles one that has; empty: it is no
// such format.
func Foreign(first First) string {
	switch {
	case first.Has("qwen_code_version"):
		return "the output of Qwen Code (--output-format stream-json)"
	case first.Kind == "tool_call" && first.Has("subtype", "call_id", "tool_call"):
		return "the output of Cursor's agent without its first line"
	case (first.Kind == "user" || first.Kind == "assistant") && first.Has("session_id", "message") && !first.Has("sessionId"):
		return "the output of an agent in the form stream-json without its first line, which would show the agent"
	}
	return ""
}
