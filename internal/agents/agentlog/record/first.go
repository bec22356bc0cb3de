package record

import (
	"slices"

	"github.com/rulecheck/rulecheck/internal/agents/jsonscan"
)

// First holds what decides on the format of a file: the keys of its first row, those of its message
// and info as in "message.content", and the value of "type".
type First struct {
	keys []string
	Kind string
	JSON bool   // the row is JSON
	Head string // the beginning of a row that is not JSON
	List bool   // it is a list, and the keys are those of its first element

	Document bool   // the row is the whole file
	Database bool   // the file has no rows, but tables
	Path     string // of a file that is not open yet, which may be one of many; else empty
}

// Has reports whether the row has all keys.
func (f First) Has(keys ...string) bool {
	return !slices.ContainsFunc(keys, func(k string) bool { return !slices.Contains(f.keys, k) })
}

// IsAboutSession reports whether a document has the keys of logs in formats without a
// reader.
func (f First) IsAboutSession() bool {
	if f.repeatsLogs() {
		return false
	}
	return slices.ContainsFunc(f.keys, func(key string) bool {
		switch key {
		case "sessionId", "sessionID", "session_id", "conversation_id", "messageId", "messageID", "messages", "projectHash", "resourceSpans", "role":
			return true
		}
		return false
	})
}

// repeatsLogs reports whether a document is one that Gemini CLI keeps next to its chats: the
// list of all prompts, or what it needs to undo an edit.
func (f First) repeatsLogs() bool {
	return f.List && f.Has("sessionId", "messageId", "type", "message") || f.Has("toolCall", "clientHistory")
}

// Element returns what the first element of a list is as a row.
func (f First) Element() First { return First{keys: f.keys, Kind: f.Kind, JSON: true} }

// ReadFirst reads an object, or the first element of a list.
func ReadFirst(row []byte) First {
	s := jsonscan.New(row)
	if s.Peek() == '[' {
		var first []byte
		s.Array(func() {
			if value := s.Skip(); first == nil {
				first = value
			}
		})
		if f := ReadObject(first); s.AtEnd() {
			return First{keys: f.keys, Kind: f.Kind, JSON: true, List: true}
		}
	}
	return ReadObject(row)
}

// ReadObject reads the keys of an object.
func ReadObject(row []byte) First {
	var f First
	s := jsonscan.New(row)
	s.Object(func(key []byte) {
		f.keys = append(f.keys, string(key))
		switch {
		case string(key) == "type":
			text, _ := s.Text()
			f.Kind = string(text)
		case (string(key) == "message" || string(key) == "info") && s.Peek() == '{':
			of := string(key) + "."
			s.Object(func(key []byte) { f.keys = append(f.keys, of+string(key)) })
		}
	})
	if f.JSON = s.AtEnd(); !f.JSON {
		f.Head = string(Head(row))
	}
	return f
}
