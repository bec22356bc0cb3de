package record

import "github.com/rulecheck/rulecheck/internal/agents/jsonscan"

// Block is a part of a message in the form of Anthropic's Messages API, https://docs.anthropic.com/en/api/messages.
type Block struct {
	Kind, ID, Name, Text []byte
	Input, Content       []byte // as written
	Failed               bool
}

// Blocks reads the content of a message: its parts, or a text, which becomes one. It reads no other value, and ok is
// false then.
func Blocks(s *jsonscan.Scanner) (blocks []Block, ok bool) {
	switch s.Peek() {
	case '"':
		return []Block{{Kind: []byte("text"), Text: s.TextOrNil()}}, true
	case '[':
		s.Array(func() {
			if s.Peek() != '{' {
				s.Mistyped = true
				return
			}
			var b Block
			s.Members(func(key string) { b.member(s, key) })
			blocks = append(blocks, b)
		})
		return blocks, true
	}
	return nil, false
}

func (b *Block) member(s *jsonscan.Scanner, key string) {
	switch key {
	case "type":
		b.Kind = s.TextOrNull()
	case "id", "tool_use_id":
		b.ID = s.TextOrNull()
	case "name":
		b.Name = s.TextOrNull()
	case "text":
		b.Text = s.TextOrNull()
	case "input":
		b.Input = s.Skip()
	case "content":
		s.Mistyped = s.Mistyped || s.Peek() != '"' && s.Peek() != '['
		b.Content = s.Skip()
	case "is_error":
		b.Failed = s.BoolOrNull()
	}
}
