package keys

import (
	"fmt"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/rulecheck/rulecheck/internal/content/part"
)

// parseJSON reads JSON with comments and trailing commas, as settings of many tools have them.
func parseJSON(s *source) ([]*node, error) {
	if err := s.checkBrackets(); err != nil {
		return nil, err
	}
	v, err := hujson.Parse([]byte(s.text))
	if err != nil {
		return nil, jsonError(err)
	}
	root, err := s.node("", s.place(v.StartOffset))
	if err != nil {
		return nil, err
	}
	return []*node{root}, s.fillJSON(root, v)
}

// fillJSON sets the value of a node. Brackets limit its depth.
func (s *source) fillJSON(n *node, v hujson.Value) error {
	switch v := v.Value.(type) {
	case *hujson.Object:
		n.value = mapping
		for _, m := range v.Members {
			child, err := s.add(n, textOf(m.Name.Value.(hujson.Literal)), "", s.place(m.Name.StartOffset))
			if err != nil {
				return err
			}
			if err := s.fillJSON(child, m.Value); err != nil {
				return err
			}
		}
	case *hujson.Array:
		n.value = list
		for _, e := range v.Elements {
			child, err := s.next(n, "", s.place(e.StartOffset))
			if err != nil {
				return err
			}
			if err := s.fillJSON(child, e); err != nil {
				return err
			}
		}
	case hujson.Literal:
		n.scalar, n.text = true, string(v)
		switch v.Kind() {
		case '"':
			n.text = textOf(v)
			n.value = "text " + n.text
		case '0':
			n.value = "number " + decimal(string(v))
		default:
			n.value = string(v)
		}
	}
	return nil
}

// textOf returns the text of a string. Escapes that are no character stay as written, so that
// different ones differ.
func textOf(l hujson.Literal) string {
	if text := l.String(); !strings.Contains(text, "\ufffd") {
		return text
	}
	return string(l)
}

// checkBrackets limits the depth of nested brackets, because the parser recurses.
func (s *source) checkBrackets() error {
	depth := 0
	for i := 0; i < len(s.text); i++ {
		switch s.text[i] {
		case '"':
			for i++; i < len(s.text) && s.text[i] != '"'; i++ {
				if s.text[i] == '\\' {
					i++
				}
			}
		case '/':
			i += commentLength(s.text[i:])
		case '[', '{':
			if depth++; depth > maxDepth {
				return tooDeep(depth, s.place(i))
			}
		case ']', '}':
			depth--
		}
	}
	return nil
}

// commentLength returns the length of the comment that text begins with, without its last
// character; 0 if it begins with none.
func commentLength(text string) int {
	var end string
	switch {
	case strings.HasPrefix(text, "//"):
		end = "\n"
	case strings.HasPrefix(text, "/*"):
		end = "*/"
	default:
		return 0
	}
	if at := strings.Index(text[2:], end); at >= 0 {
		return 2 + at + len(end) - 1
	}
	return len(text) - 1
}

// jsonError converts an error of the parser, whose text has the place.
func jsonError(err error) error {
	e := &part.Error{Place: part.Place{Line: 1, Column: 1}, Message: "cannot be read as JSON: " + err.Error()}
	if _, scanErr := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &e.Line, &e.Column); scanErr == nil {
		_, message, _ := strings.Cut(strings.TrimPrefix(err.Error(), "hujson: "), ": ")
		e.Message = "cannot be read as JSON: " + message
	}
	return e
}
