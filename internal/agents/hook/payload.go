package hook

import (
	"bytes"
	"encoding/json"
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

// ParsePayload reads a payload.
func ParsePayload(text []byte) Payload {
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

// Text returns the first of some members that is a text, and an empty text if none is.
func (p Payload) Text(keys ...string) string {
	for _, key := range keys {
		var text string
		if json.Unmarshal(p.members[key], &text) == nil && text != "" {
			return text
		}
	}
	return ""
}

// Texts returns the texts of a member that is a list.
func (p Payload) Texts(key string) []string {
	var list []string
	_ = json.Unmarshal(p.members[key], &list)
	return list
}

// Number returns a member that is a number, cut to an integer; 0 if it is not a number.
func (p Payload) Number(key string) int {
	var number float64
	_ = json.Unmarshal(p.members[key], &number)
	return int(number)
}

// IsTrue reports whether a member is true.
func (p Payload) IsTrue(key string) bool { return string(p.members[key]) == "true" }

// Given reports whether a member is there and neither null nor false nor empty.
func (p Payload) Given(key string) bool {
	switch string(p.members[key]) {
	case "", "null", "false", `""`, "{}", "[]":
		return false
	}
	return true
}

// Length returns the number of elements of a list.
func (p Payload) Length(key string) int {
	var list []json.RawMessage
	_ = json.Unmarshal(p.members[key], &list)
	return len(list)
}

// Member returns a member as written; nil if it is not there.
func (p Payload) Member(key string) json.RawMessage { return p.members[key] }

// Object returns a member that is an object, or a text that holds one.
func (p Payload) Object(key string) Payload {
	raw := p.members[key]
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = []byte(text)
	}
	return ParsePayload(raw)
}

// Raw returns a member as written; of a text that holds an object, the object.
func (p Payload) Raw(key string) json.RawMessage {
	raw := p.members[key]
	var text string
	if json.Unmarshal(raw, &text) == nil && json.Valid([]byte(text)) && strings.HasPrefix(strings.TrimSpace(text), "{") {
		return json.RawMessage(text)
	}
	return raw
}

// outputKeys are the members that hold the result of a tool, of all agents.
var outputKeys = []string{"tool_response", "toolResult", "tool_output", "result_json", "mcp_result", "tool_result", "output", "result"}

// Output returns the result of a tool as written.
func (p Payload) Output() json.RawMessage {
	for _, key := range outputKeys {
		if value, ok := p.members[key]; ok && string(value) != "null" {
			return value
		}
	}
	return nil
}
