package pattern

import "strings"

// The names that a placeholder without one goes by, and the one name that
// reaches across segments without saying so.
const (
	multiName  = "path"
	singleName = "name"
)

// capture reads what stands in braces without a comma.
func (p parser) capture(t token) (token, error) {
	t.kind = capture
	inner := t.source[1 : len(t.source)-1]
	t.name = strings.TrimLeft(inner, "*")
	switch modifier := inner[:len(inner)-len(t.name)]; {
	case inner == "":
		return t, refuse(p.source, "empty_variable", t.offset, `"{}" names nothing; want a name as in "{path}", or "{*}"`)
	case len(modifier) > 2 || t.name != "" && !isName(t.name):
		return t, refuse(p.source, "invalid_variable_name", t.offset,
			`%s is no placeholder; want a name of letters, digits, "_" and "-" that begins with a letter or "_", alone or behind "*" or "**"`, quote(t.source))
	default:
		t.multi = modifier == "**" || modifier == "" && t.name == multiName
	}
	return t, nil
}

// isName reports whether s is a legal name.
func isName(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c == '_', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		case i > 0 && (c == '-' || '0' <= c && c <= '9'):
		default:
			return false
		}
	}
	return true
}

// bind names the placeholders that have no name, where theirs is free, and
// checks that one name has one reach and captures do not touch. Captures never
// stand in alternatives, so the top level is all there is.
func bind(source string, tokens []token) error {
	taken := map[string]token{}
	for i, t := range tokens {
		if t.kind != capture {
			continue
		}
		if i > 0 && tokens[i-1].kind == capture {
			return refuse(source, "adjacent_captures", t.offset,
				"%s leaves open where the first capture ends; want text between them", quote(tokens[i-1].source+t.source))
		}
		if t.name == "" {
			continue
		}
		if first, ok := taken[t.name]; !ok {
			taken[t.name] = t
		} else if first.multi != t.multi {
			return refuse(source, "conflicting_modifiers", t.offset,
				"%s and %s give one name two reaches; want %s both times, or two names", quote(first.source), quote(t.source), quote(first.source))
		}
	}
	for i := range tokens {
		t := &tokens[i]
		if t.kind != capture || t.name != "" {
			continue
		}
		name := singleName
		if t.multi {
			name = multiName
		}
		if _, ok := taken[name]; !ok {
			t.name, taken[name] = name, *t
		}
	}
	return nil
}
