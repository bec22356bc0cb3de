package pattern

import "strings"

// The names of placeholders without a name.
const (
	// MultiName also captures across segments without "**".
	MultiName  = "path"
	singleName = "name"
)

// capture parses braces without a comma.
func (p parser) capture(t token) (token, error) {
	t.kind = capture
	inner, filterName, filtered := strings.Cut(t.source[1:len(t.source)-1], "|")
	if filtered {
		var err error
		if t.filter, err = p.filter(filterName, t.offset+len("{|")+len(inner)); err != nil {
			return t, err
		}
	}
	t.name = strings.TrimLeft(inner, "*")
	switch modifier := inner[:len(inner)-len(t.name)]; {
	case inner == "":
		return t, newError(p.source, "empty_variable", t.offset, `%s has no name; want one such as "{path}", or "{*}"`, quote(t.source))
	case len(modifier) > 2 || t.name != "" && !isName(t.name):
		return t, newError(p.source, "invalid_variable_name", t.offset,
			`bad placeholder %s; want a name of letters, digits, "_" and "-" that begins with a letter or "_", optionally after "*" or "**"`, quote(t.source))
	default:
		t.multi = modifier == "**" || modifier == "" && t.name == MultiName
	}
	return t, nil
}

// isName reports whether s is a valid name.
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

// bind gives placeholders without a name the default one unless it is taken, and
// checks that equal names extend equally far and that captures do not touch.
// Alternatives cannot contain captures, so only the top level is checked.
func bind(source string, tokens []token) error {
	taken := map[string]token{}
	for i, t := range tokens {
		if t.kind != capture {
			continue
		}
		if i > 0 && tokens[i-1].kind == capture {
			return newError(source, "adjacent_captures", t.offset,
				"%s does not define where the first capture ends; want text between them", quote(tokens[i-1].source+t.source))
		}
		if t.name == "" {
			continue
		}
		if first, ok := taken[t.name]; !ok {
			taken[t.name] = t
		} else if first.multi != t.multi {
			return newError(source, "conflicting_modifiers", t.offset,
				"%s and %s use the same name in different ways; want %s both times, or two names", quote(first.source), quote(t.source), quote(first.source))
		}
	}
	for i := range tokens {
		t := &tokens[i]
		if t.kind != capture || t.name != "" {
			continue
		}
		name := singleName
		if t.multi {
			name = MultiName
		}
		if _, ok := taken[name]; !ok {
			t.name, taken[name] = name, *t
		}
	}
	markVanishing(tokens)
	return nil
}

// markVanishing marks the captures that may be empty: those across segments that are a whole
// segment before "/" wherever their name stands.
func markVanishing(tokens []token) {
	whole := func(i int) bool {
		return tokens[i].multi && (i == 0 || tokens[i-1].kind == slash) && i+1 < len(tokens) && tokens[i+1].kind == slash
	}
	elsewhere := map[string]bool{} // names that must be text
	for i, t := range tokens {
		if t.kind == capture && t.name != "" && !whole(i) {
			elsewhere[t.name] = true
		}
	}
	for i := range tokens {
		t := &tokens[i]
		t.vanish = t.kind == capture && whole(i) && !elsewhere[t.name]
	}
}
