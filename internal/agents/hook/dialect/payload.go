package dialect

import (
	"bytes"
	"encoding/json"
	"path"
	"path/filepath"
	"strings"

	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
)

// Payload holds what an agent passes to a hook: the members of a JSON object. Those before the
// place where a damaged one ends are there, too.
type Payload struct {
	members map[string]json.RawMessage
	// Whole is true if the text was a JSON object to its end.
	Whole bool
}

// Parse reads a payload.
func Parse(text []byte) Payload {
	p := Payload{members: map[string]json.RawMessage{}}
	s := jsonscan.New(bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")))
	if s.Peek() != '{' {
		return p
	}
	s.Object(func(key []byte) {
		name := string(key)
		if value := s.Skip(); value != nil {
			p.members[name] = value
		}
	})
	p.Whole = s.AtEnd()
	return p
}

// Has reports whether the payload has all of some members.
func (p Payload) Has(keys ...string) bool {
	for _, key := range keys {
		if _, ok := p.members[key]; !ok {
			return false
		}
	}
	return true
}

// text returns the first of some members that is a text, and an empty text if none is.
func (p Payload) text(keys ...string) string {
	for _, key := range keys {
		var text string
		if json.Unmarshal(p.members[key], &text) == nil && text != "" {
			return text
		}
	}
	return ""
}

// texts returns the texts of a member that is a list.
func (p Payload) texts(key string) []string {
	var list []string
	_ = json.Unmarshal(p.members[key], &list)
	return list
}

func (p Payload) number(key string) int {
	var number float64
	_ = json.Unmarshal(p.members[key], &number)
	return int(number)
}

func (p Payload) isTrue(key string) bool { return string(p.members[key]) == "true" }

// given reports whether a member is there and neither null nor false nor empty.
func (p Payload) given(key string) bool {
	switch string(p.members[key]) {
	case "", "null", "false", `""`, "{}", "[]":
		return false
	}
	return true
}

// length returns the number of elements of a list.
func (p Payload) length(key string) int {
	var list []json.RawMessage
	_ = json.Unmarshal(p.members[key], &list)
	return len(list)
}

// object returns a member that is an object, or a text that holds one.
func (p Payload) object(key string) Payload {
	raw := p.members[key]
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = []byte(text)
	}
	return Parse(raw)
}

// raw returns a member as written; of a text that holds an object, the object.
func (p Payload) raw(key string) json.RawMessage {
	raw := p.members[key]
	var text string
	if json.Unmarshal(raw, &text) == nil && json.Valid([]byte(text)) && strings.HasPrefix(strings.TrimSpace(text), "{") {
		return json.RawMessage(text)
	}
	return raw
}

// outputKeys are the members that hold the result of a tool, of all agents.
var outputKeys = []string{"tool_response", "toolResult", "tool_output", "result_json", "mcp_result", "tool_result", "output", "result"}

// output returns the result of a tool as written.
func (p Payload) output() json.RawMessage {
	for _, key := range outputKeys {
		if value, ok := p.members[key]; ok && string(value) != "null" {
			return value
		}
	}
	return nil
}

// absolute returns a path below cwd, unless it is absolute or cwd is not.
func absolute(cwd, name string) string {
	if name == "" || filepath.IsAbs(name) || path.IsAbs(name) || !filepath.IsAbs(cwd) {
		return name
	}
	return filepath.Join(cwd, name)
}
