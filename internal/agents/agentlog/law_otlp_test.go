package agentlog_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestOTLPLaw compares the counts of sessions with a model that exports random sessions of
// agents as collectors do: in batches of several sessions, some of them delivered twice, and as
// events, as spans, or as both; or as Copilot itself writes spans to a file.
func TestOTLPLaw(t *testing.T) {
	checkArchives(t, func(w *archive) bool {
		var records []telemetry
		agents, write := []string{"claude", "codex", "copilot"}, (*archive).collect
		if w.chance("a file of Copilot", 3) {
			agents, write = agents[2:], (*archive).exported
		}
		for range rapid.IntRange(1, 4).Draw(w.t, "sessions") {
			agent := rapid.SampledFrom(agents).Draw(w.t, "agent")
			s := &exporter{w: w, agent: agent, account: w.newAccount(w.id("session")), trace: w.id("trace")}
			s.visits[wholeSession] = newVisitAccount()
			s.run()
			records = append(records, s.records...)
		}
		return write(w, records)
	})
}

// telemetry is a log record or a span.
type telemetry struct {
	service string
	span    bool
	data    map[string]any
}

// exporter is an agent that exports a session.
type exporter struct {
	*account

	w            *archive
	agent, trace string
	records      []telemetry
	both         bool // events and spans
}

var services = map[string]string{"claude": "claude-code", "codex": "codex_cli_rs", "copilot": "github-copilot"}

// attribute values are numbers as numbers, as texts, or texts.
func (e *exporter) attributes(of map[string]any) []any {
	var list []any
	for _, key := range slices.Sorted(maps.Keys(of)) {
		value := map[string]any{}
		switch v := of[key].(type) {
		case int64:
			switch rapid.IntRange(0, 2).Draw(e.w.t, "form") {
			case 0:
				value["intValue"] = v
			case 1:
				value["intValue"] = strconv.FormatInt(v, 10)
			default:
				value["stringValue"] = strconv.FormatInt(v, 10)
			}
		default:
			value["stringValue"] = v
		}
		list = append(list, map[string]any{"key": key, "value": value})
	}
	return list
}

func nano(at time.Time) string { return strconv.FormatInt(at.UnixNano(), 10) }

// event exports an event of Claude Code or Codex at the present time.
func (e *exporter) event(name string, of map[string]any) {
	e.visits[wholeSession].saw(e.w.now)
	of = maps.Clone(of)
	data := map[string]any{"timeUnixNano": nano(e.w.now)}
	if e.agent == "claude" {
		of["session.id"], of["event.name"] = e.ids[0], name
		data["body"] = map[string]any{"stringValue": "claude_code." + name}
	} else {
		of["conversation.id"], of["event.name"], of["event.timestamp"] = e.ids[0], "codex."+name, stamp(e.w.now)
		if e.w.chance("time of the collector", 2) {
			data["timeUnixNano"], data["observedTimeUnixNano"] = "0", nano(e.w.now.Add(time.Hour))
		}
	}
	data["attributes"] = e.attributes(of)
	e.records = append(e.records, telemetry{services[e.agent], false, data})
}

// span exports an operation that ends now.
func (e *exporter) span(start time.Time, failed bool, of map[string]any) {
	e.visits[wholeSession].saw(start)
	e.visits[wholeSession].saw(e.w.now)
	of = maps.Clone(of)
	if e.agent != "copilot" {
		of["session.id"] = e.ids[0]
	} else if of["gen_ai.operation.name"] == "invoke_agent" || e.w.chance("names its session", 2) {
		of["gen_ai.conversation.id"] = e.ids[0]
	}
	data := map[string]any{"traceId": e.trace, "spanId": e.w.id("span"), "name": "x", "startTimeUnixNano": nano(start), "endTimeUnixNano": nano(e.w.now), "attributes": e.attributes(of)}
	if failed {
		data["status"] = map[string]any{"code": 2}
	}
	e.records = append(e.records, telemetry{services[e.agent], true, data})
}

func (e *exporter) run() {
	w := e.w
	e.both = e.agent == "claude" && w.chance("events and spans", 2)
	if e.agent == "codex" { // it does not record what was written to the cache
		e.lose("cache_write")
	}
	start := w.now
	for range rapid.IntRange(1, 4).Draw(w.t, "turns") {
		w.pass()
		if e.agent != "copilot" && w.chance("prompt", 2) {
			e.event("user_prompt", map[string]any{"prompt_length": int64(3)})
		}
		e.answer()
		for range rapid.IntRange(0, 2).Draw(w.t, "calls") {
			e.call()
		}
		if !w.harmless && e.agent != "copilot" && w.chance("event of a future type", 20) {
			e.event("tool_result_v2", map[string]any{})
			e.loseAll()
			e.unknown["seconds"] = false // its time is known
		}
	}
	if e.agent == "copilot" {
		w.pass()
		e.span(start, false, map[string]any{"gen_ai.operation.name": "invoke_agent", "gen_ai.usage.input_tokens": int64(1 << 40), "gen_ai.usage.output_tokens": int64(1 << 40)})
	}
}

// answer exports a call of the model.
func (e *exporter) answer() {
	w, start := e.w, e.w.now
	w.pass()
	t := w.tokens()
	if e.agent == "codex" || e.agent == "copilot" && w.chance("nothing written to the cache", 2) {
		t[3] = 0
	}
	for i, part := range tokenParts {
		e.visits[wholeSession].counts[part] += t[i]
	}
	span := map[string]any{
		"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": t[0] + t[2] + t[3], "gen_ai.usage.output_tokens": t[1],
		"gen_ai.usage.cache_read.input_tokens": t[2], "gen_ai.usage.cache_creation.input_tokens": t[3],
	}
	switch e.agent {
	case "claude":
		of := map[string]any{"model": "m", "input_tokens": t[0], "output_tokens": t[1], "cache_read_tokens": t[2], "cache_creation_tokens": t[3]}
		if w.chance("request id", 2) {
			of["request_id"] = w.id("req")
			span["gen_ai.response.id"] = of["request_id"]
		}
		e.event("api_request", of)
		if e.both {
			e.span(start, false, span)
		}
	case "codex":
		e.event("sse_event", map[string]any{"event.kind": "response.completed"})
		e.event("sse_event", map[string]any{
			"event.kind": "response.completed", "input_token_count": t[0] + t[2], "output_token_count": t[1], "cached_token_count": t[2], "reasoning_token_count": t[1] / 2,
		})
	default:
		if w.chance("version of 9/2026", 2) {
			span["gen_ai.usage.cache_write.input_tokens"] = t[3]
			delete(span, "gen_ai.usage.cache_creation.input_tokens")
		}
		if t[3] == 0 { // Copilot leaves it out
			delete(span, "gen_ai.usage.cache_write.input_tokens")
			delete(span, "gen_ai.usage.cache_creation.input_tokens")
		}
		e.span(start, false, span)
	}
}

// call exports a call of a tool.
func (e *exporter) call() {
	w := e.w
	kind := rapid.SampledFrom([]string{"commands", "commands", "edits", ""}).Draw(w.t, "kind")
	outcomes := []string{"ok", "failed", "rejected"}
	if !w.harmless {
		outcomes = append(outcomes, "running", "without input")
	}
	outcome := rapid.SampledFrom(outcomes).Draw(w.t, "outcome")
	id, start := w.id("call"), w.now
	w.pass()
	v := e.visits[wholeSession]
	if outcome == "rejected" && e.agent == "copilot" {
		outcome = "failed"
	}
	if outcome == "running" && (e.both || e.agent == "copilot") { // a span has ended
		outcome = "ok"
	}
	switch {
	case kind == "":
	case outcome == "running", outcome == "without input":
		e.lose("commands", "edits")
	case outcome == "ok", outcome == "failed" && kind == "commands":
		v.counts[kind]++
	}
	tool := map[string]map[string]string{
		"claude": {"commands": "Bash", "edits": "Edit", "": "Grep"}, "codex": {"commands": "shell", "edits": "apply_patch", "": "update_plan"},
		"copilot": {"commands": "bash", "edits": "edit", "": "report_intent"},
	}[e.agent][kind]
	input := map[string]string{
		"commands": `{"command":"make"}`, "edits": `{"file_path":"/repo/a.go"}`, "": `{}`,
	}[kind]
	if e.agent == "codex" && kind == "edits" {
		input = "*** Begin Patch\n*** Update File: a.go\n*** End Patch"
	}
	if outcome == "without input" {
		input = ""
	}
	failed := outcome == "failed" || outcome == "rejected"
	span := map[string]any{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool, "gen_ai.tool.call.id": id, "gen_ai.tool.call.arguments": input}
	milliseconds := w.now.Sub(start).Milliseconds()
	success := map[bool]string{true: "false", false: "true"}[failed]
	switch e.agent {
	case "claude":
		decision := map[bool]string{true: "reject", false: "accept"}[outcome == "rejected"]
		e.event("tool_decision", map[string]any{"tool_name": tool, "tool_use_id": id, "decision": decision})
		of := map[string]any{"tool_name": tool, "tool_use_id": id, "success": success, "duration_ms": milliseconds, "tool_input": input}
		if kind == "commands" && input != "" && w.chance("parameters", 2) {
			of["tool_input"] = `{"command":"ma…"}`
			of["tool_parameters"] = `{"bash_command":"make","full_command":"make"}`
		}
		if outcome != "running" {
			e.visits[wholeSession].saw(start)
			e.event("tool_result", of)
		}
		if e.both {
			e.span(start, failed, span)
		}
	case "codex":
		decision := map[bool]string{true: "denied", false: "approved"}[outcome == "rejected"]
		e.event("tool_decision", map[string]any{"tool_name": tool, "call_id": id, "decision": decision})
		if outcome != "running" {
			e.visits[wholeSession].saw(start)
			e.event("tool_result", map[string]any{"tool_name": tool, "call_id": id, "success": success, "duration_ms": milliseconds, "arguments": input, "output": "Exit code: 1\n"})
		}
	default:
		if kind == "commands" && outcome != "without input" {
			code := int64(0)
			if failed {
				code = 2
			}
			if w.chance("exit status in the result", 2) {
				span["gen_ai.tool.call.result"] = fmt.Sprintf("x\n<shellId: 0 completed with exit code %d>", code)
			} else {
				span["process.exit.code"] = code
			}
			failed = failed && w.chance("a failed span", 2)
		}
		e.span(start, failed, span)
	}
}

// exported writes spans as Copilot does if its telemetry goes to a file.
func (w *archive) exported(records []telemetry) (torn bool) {
	at := func(nano any) []int64 {
		n, err := strconv.ParseInt(nano.(string), 10, 64)
		if err != nil {
			w.t.Fatal(err)
		}
		return []int64{n / 1e9, n % 1e9}
	}
	lines := [][]byte{[]byte(`{"type":"metric","name":"gen_ai.client.operation.duration","dataPoints":[]}`)}
	for _, r := range records {
		members := map[string]any{}
		for _, a := range r.data["attributes"].([]any) {
			of := a.(map[string]any)
			for _, value := range of["value"].(map[string]any) {
				members[of["key"].(string)] = value
			}
		}
		span := map[string]any{
			"type": "span", "traceId": r.data["traceId"], "spanId": r.data["spanId"], "name": "x", "startTime": at(r.data["startTimeUnixNano"]), "endTime": at(r.data["endTimeUnixNano"]),
			"attributes": members, "status": map[string]any{"code": 0}, "resource": map[string]any{"attributes": map[string]any{"service.name": r.service}},
		}
		if r.data["status"] != nil {
			span["status"] = r.data["status"]
		}
		if w.chance("VS Code", 2) {
			delete(span, "type")
			span["instrumentationScope"] = map[string]any{"name": "copilot-chat"}
		}
		line, err := json.Marshal(span)
		if err != nil {
			w.t.Fatal(err)
		}
		lines = append(lines, line)
	}
	if torn = !w.harmless && w.chance("torn", 5); torn {
		i := rapid.IntRange(1, len(lines)-1).Draw(w.t, "torn line")
		lines[i] = lines[i][:rapid.IntRange(1, len(lines[i])-1).Draw(w.t, "torn at")]
		for _, a := range w.accounts {
			a.loseAll()
			a.mentions = nil
		}
	}
	w.write("copilot/otel.jsonl", append(bytes.Join(lines, []byte("\n")), '\n'))
	return torn
}

// collect writes the records as a collector does.
func (w *archive) collect(records []telemetry) (torn bool) {
	var lines [][]byte
	for len(records) > 0 {
		n := rapid.IntRange(1, len(records)).Draw(w.t, "batch")
		var logs, spans []any
		for _, r := range records[:n] {
			resource := map[string]any{"attributes": []any{map[string]any{"key": "service.name", "value": map[string]any{"stringValue": r.service}}}}
			if r.span {
				spans = append(spans, map[string]any{"resource": resource, "scopeSpans": []any{map[string]any{"spans": []any{r.data}}}})
			} else {
				logs = append(logs, map[string]any{"resource": resource, "scopeLogs": []any{map[string]any{"logRecords": []any{r.data}}}})
			}
		}
		records = records[n:]
		for key, list := range map[string][]any{"resourceLogs": logs, "resourceSpans": spans} {
			if list == nil {
				continue
			}
			line, err := json.Marshal(map[string]any{key: list})
			if err != nil {
				w.t.Fatal(err)
			}
			lines = append(lines, line)
			if w.chance("delivered twice", 5) {
				lines = append(lines, line)
			}
		}
	}
	lines = append(lines, []byte(`{"resourceMetrics":[]}`))
	if torn = !w.harmless && w.chance("torn", 5); torn {
		i := rapid.IntRange(0, len(lines)-2).Draw(w.t, "torn line")
		lines[i] = lines[i][:rapid.IntRange(1, len(lines[i])-1).Draw(w.t, "torn at")]
		for _, a := range w.accounts {
			a.loseAll()
			a.mentions = nil
		}
	}
	var text []byte
	for _, line := range lines {
		text = append(append(text, line...), '\n')
	}
	w.write("collector/telemetry.jsonl", text)
	return torn
}
