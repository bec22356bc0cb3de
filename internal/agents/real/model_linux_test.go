package real_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// object is a JSON object.
type object = map[string]any

// call is a call of a tool that the model makes.
type call struct {
	name, namespace string
	args            object
	input           string // of a tool of Codex that takes text instead of args
}

// reply is one answer of the model: calls, or the text that ends a turn.
type reply struct {
	calls []call
	text  string
	never bool // the model does not reply, and the agent gives up the request
}

// model answers as a script says, in the protocols of all agents.
type model struct {
	server *httptest.Server
	// isMain reports whether a request is for the conversation, and not for a title.
	isMain func(body object) bool
	dir    string // is put before paths of files; empty: they stay relative

	mu       sync.Mutex
	script   func(turn int, received string) reply
	turn     int
	received string // every text in the requests of the conversation
	tools    map[string]bool
}

// replies returns a script. After its end the model repeats the last reply.
func replies(list ...reply) func(int, string) reply {
	return func(turn int, _ string) reply { return list[min(turn, len(list)-1)] }
}

func does(c ...call) reply   { return reply{calls: c} }
func ends(text string) reply { return reply{text: text} }

func newModel(t *testing.T, isMain func(object) bool, script func(int, string) reply) *model {
	t.Helper()
	m := &model{script: script, isMain: isMain, tools: map[string]bool{}}
	m.server = httptest.NewServer(m)
	t.Cleanup(m.server.Close)
	return m
}

// restart begins another script.
func (m *model) restart(script func(int, string) reply) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.script, m.turn = script, 0
}

// heard returns how many requests the conversation had, and all their texts.
func (m *model) heard() (turns int, received string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.turn, m.received
}

// offered returns the tools that the agent offered.
func (m *model) offered() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.tools))
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body object
	raw, err := io.ReadAll(r.Body)
	write := map[string]func(http.ResponseWriter, object, reply, int){"responses": responses, "completions": completions}[r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]]
	if strings.Contains(strings.ToLower(r.URL.Path), "generatecontent") {
		write = generated
		if strings.Contains(r.URL.Path, "stream") {
			write = generatedStream
		}
	}
	switch {
	case err != nil || write == nil && strings.Contains(r.URL.Path, "countTokens"):
		fmt.Fprint(w, `{"totalTokens":1}`)
		return
	case write == nil && r.Method == http.MethodGet && strings.Contains(r.URL.Path, "models"):
		fmt.Fprint(w, `{"object":"list","data":[],"models":[]}`)
		return
	case write == nil || json.Unmarshal(raw, &body) != nil:
		http.NotFound(w, r)
		return
	}
	answer, n := m.next(body)
	if answer.never {
		<-r.Context().Done()
		return
	}
	write(w, body, answer, n)
}

// next returns the model's reply to a request, and the number of the request.
func (m *model) next(body object) (reply, int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.isMain(body) { // a title, or a check for loops that wants JSON
		return reply{text: `{"unproductive_state_analysis":"none","unproductive_state_confidence":0,"complexity_reasoning":"x","complexity_score":1}`}, 0
	}
	var texts strings.Builder
	collect(&texts, body)
	m.received += texts.String()
	declared(m.tools, body["tools"])
	answer := m.script(m.turn, m.received)
	m.turn++
	for _, c := range answer.calls {
		if name, ok := c.args["file_path"].(string); ok && m.dir != "" {
			c.args["file_path"] = filepath.Join(m.dir, strings.TrimPrefix(name, m.dir))
		}
	}
	return answer, m.turn
}

// collect writes every text in a JSON value, one a line, except descriptions of tools.
func collect(w *strings.Builder, value any) {
	switch v := value.(type) {
	case string:
		w.WriteString(v + "\n")
	case []any:
		for _, element := range v {
			collect(w, element)
		}
	case object:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if key != "tools" {
				collect(w, v[key])
			}
		}
	}
}

// declared collects the names of the tools that an agent offers to the model.
func declared(names map[string]bool, value any) {
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			declared(names, element)
		}
	case object:
		if name, ok := v["name"].(string); ok && v["type"] != "namespace" {
			names[name] = true
			return
		}
		for _, key := range []string{"function", "functionDeclarations", "tools"} {
			declared(names, v[key])
		}
	}
}

func usage(n int) object {
	return object{
		"input_tokens": 1000 * n, "input_tokens_details": object{"cached_tokens": 100 * n}, "output_tokens": 10 * n,
		"output_tokens_details": object{"reasoning_tokens": n}, "total_tokens": 1010 * n,
	}
}

// responses writes a reply as OpenAI's Responses API does.
func responses(w http.ResponseWriter, _ object, answer reply, n int) {
	var items []object
	for i, c := range answer.calls {
		item := object{"type": "function_call", "id": fmt.Sprintf("fc_%d_%d", n, i), "call_id": fmt.Sprintf("call_%d_%d", n, i), "name": c.name, "arguments": text(c.args)}
		if c.input != "" {
			item = object{"type": "custom_tool_call", "id": fmt.Sprintf("ctc_%d_%d", n, i), "call_id": fmt.Sprintf("call_%d_%d", n, i), "name": c.name, "input": c.input, "status": "completed"}
		}
		if c.namespace != "" {
			item["namespace"] = c.namespace
		}
		items = append(items, item)
	}
	if answer.text != "" {
		content := []object{{"type": "output_text", "text": answer.text, "annotations": []any{}}}
		items = append(items, object{"type": "message", "id": fmt.Sprintf("msg_%d", n), "role": "assistant", "status": "completed", "content": content})
	}
	w.Header().Set("Content-Type", "text/event-stream")
	id := fmt.Sprintf("resp_%d", n)
	event := func(e object) { fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e["type"], text(e)) }
	event(object{"type": "response.created", "response": object{"id": id}})
	for i, item := range items {
		event(object{"type": "response.output_item.added", "output_index": i, "item": item})
		event(object{"type": "response.output_item.done", "output_index": i, "item": item})
	}
	event(object{"type": "response.completed", "response": object{"id": id, "usage": usage(n)}})
}

// completions writes a reply as OpenAI's chat completions do.
func completions(w http.ResponseWriter, body object, answer reply, n int) {
	message, finish := object{"role": "assistant", "content": answer.text}, "stop"
	var calls []object
	for i, c := range answer.calls {
		calls = append(calls, object{"index": i, "id": fmt.Sprintf("call_%d_%d", n, i), "type": "function", "function": object{"name": c.name, "arguments": text(c.args)}})
	}
	if len(calls) > 0 {
		message["tool_calls"], finish = calls, "tool_calls"
	}
	tokens := object{"prompt_tokens": 1000 * n, "completion_tokens": 10 * n, "total_tokens": 1010 * n}
	head := func(kind string, choice object) string {
		return text(object{"id": fmt.Sprintf("chat_%d", n), "created": 1, "model": body["model"], "object": kind, "choices": []object{choice}, "usage": tokens})
	}
	if body["stream"] != true {
		fmt.Fprint(w, head("chat.completion", object{"index": 0, "message": message, "finish_reason": finish}))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: %s\n\n", head("chat.completion.chunk", object{"index": 0, "delta": message, "finish_reason": nil}))
	fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", head("chat.completion.chunk", object{"index": 0, "delta": object{}, "finish_reason": finish}))
}

// generated writes a reply as the Gemini API does.
func generated(w http.ResponseWriter, _ object, answer reply, n int) {
	fmt.Fprint(w, content(answer, n))
}

func generatedStream(w http.ResponseWriter, _ object, answer reply, n int) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: %s\n\n", content(answer, n))
}

func content(answer reply, n int) string {
	var parts []object
	for i, c := range answer.calls {
		parts = append(parts, object{"functionCall": object{"id": fmt.Sprintf("call_%d_%d", n, i), "name": c.name, "args": c.args}})
	}
	if answer.text != "" {
		parts = append(parts, object{"text": answer.text})
	}
	return text(object{
		"candidates":    []object{{"content": object{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{"promptTokenCount": 1000 * n, "cachedContentTokenCount": 100 * n, "candidatesTokenCount": 10 * n, "totalTokenCount": 1010 * n},
		"modelVersion":  "scripted", "responseId": fmt.Sprintf("r%d", n),
	})
}

// text returns a value as JSON.
func text(value any) string {
	b, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// number returns the digits of a text as a number.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic(err)
	}
	return n
}
