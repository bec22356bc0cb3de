package cline

import "strings"

// block is a part of a message.
type block struct {
	kind, id, name, text []byte
	input, content       []byte // as written
	failed               bool
}

func (m *message) block() {
	var b block
	if m.Peek() != '{' {
		m.Mistyped = true
		return
	}
	m.Members(func(key string) {
		switch key {
		case "type":
			b.kind = m.TextOrNull()
		case "id", "tool_use_id":
			b.id = m.TextOrNull()
		case "name":
			b.name = m.TextOrNull()
		case "text":
			b.text = m.TextOrNull()
		case "input":
			b.input = m.Skip()
		case "content":
			m.Mistyped = m.Mistyped || !strings.ContainsRune(`"[`, rune(m.Peek()))
			b.content = m.Skip()
		case "is_error":
			b.failed = m.BoolOrNull()
		}
	})
	m.blocks = append(m.blocks, b)
}
