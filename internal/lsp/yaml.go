package lsp

import (
	"strings"
)

// yamlText is the YAML of a document with a cursor in it. It is read by its indentation and its
// brackets alone: while it is written it is often not valid.
type yamlText struct {
	lines      []string // from the first line of the YAML
	line       string   // at the cursor
	parent     string   // the mapping at the cursor: "" or "action."
	key        string   // whose value is at the cursor; empty: a key is
	word       string   // at the cursor
	start, end int      // bytes of it in the line
	colon      bool     // the word has a colon after it
}

// newYAML returns the YAML at a position of a text: of frontmatter, or of all of it. It is nil if
// the position is not in the YAML.
func newYAML(text string, frontmatter bool, p position) *yamlText {
	lines := splitLines(text)
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], "\r\n")
	}
	if p.Line >= len(lines) || p.Line < 0 {
		return nil
	}
	first, last := 0, len(lines)
	if frontmatter {
		first = 1
		for last = first; last < len(lines) && strings.TrimRight(lines[last], " \t") != "---"; {
			last++
		}
		if strings.TrimRight(lines[0], " \t") != "---" || p.Line < first || p.Line >= last {
			return nil
		}
	}
	y := &yamlText{lines: lines[first:last], line: lines[p.Line]}
	col := offset(y.line, p.Character)
	for y.start = col; y.start > 0 && isWord(y.line[y.start-1]); {
		y.start--
	}
	for y.end = col; y.end < len(y.line) && isWord(y.line[y.end]); {
		y.end++
	}
	y.word = y.line[y.start:y.end]
	y.colon = strings.HasPrefix(strings.TrimLeft(y.line[y.end:], " "), ":")
	y.read(lines[first:p.Line], y.line[:y.start])
	return y
}

func isWord(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// top returns the keys at the top.
func (y *yamlText) top() []string {
	var keys []string
	for _, line := range y.lines {
		if key, _, ok := strings.Cut(line, ":"); ok && key != "" && indent(key) == 0 && key[0] != '#' && key[0] != '-' {
			keys = append(keys, key)
		}
	}
	return keys
}

// read finds the key or the mapping at the end of a text in a line below others.
func (y *yamlText) read(above []string, before string) {
	y.parent, y.key = parents(above, indent(before)), ""
	rest := strings.TrimLeft(before, " ")
	if strings.HasPrefix(rest, "- ") { // an entry of a list, which may be as far left as its key
		y.parent = parents(above, indent(before)+1)
		y.value(strings.TrimSuffix(y.parent, "."))
		return
	}
	var stack []yamlText // of brackets that are open
	word := ""           // since the last sign
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; c {
		case '#':
			if i > 0 && rest[i-1] == ' ' {
				return
			}
		case '"', '\'':
			end := strings.IndexByte(rest[i+1:], c)
			if end < 0 {
				return
			}
			i += 1 + end
		case ':':
			if y.key == "" {
				y.key = strings.TrimSpace(word)
			}
		case '{', '[':
			stack = append(stack, *y)
			if c == '{' && y.key != "" {
				y.parent, y.key = y.parent+y.key+".", ""
			}
		case '}', ']':
			if len(stack) == 0 {
				return
			}
			y.parent, y.key = stack[len(stack)-1].parent, stack[len(stack)-1].key
			stack = stack[:len(stack)-1]
		case ',':
			if len(stack) > 0 && stack[len(stack)-1].parent != y.parent {
				y.key = ""
			}
		default:
			word += string(c)
			continue
		}
		word = ""
	}
}

// value sets the cursor to the value of a key with its full name.
func (y *yamlText) value(key string) {
	dot := strings.LastIndexByte(key, '.') + 1
	y.parent, y.key = key[:dot], key[dot:]
}

// parents returns the mapping that a line with an indentation is in.
func parents(above []string, indentation int) string {
	parent := ""
	for i := len(above) - 1; i >= 0 && indentation > 0; i-- {
		line := above[i]
		key, rest, ok := strings.Cut(strings.TrimSpace(line), ":")
		rest = strings.TrimSpace(rest)
		if !ok || indent(line) >= indentation || key == "" || key[0] == '#' || key[0] == '-' || rest != "" && rest[0] != '#' {
			continue
		}
		parent = key + "." + parent
		indentation = indent(line)
	}
	return parent
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
