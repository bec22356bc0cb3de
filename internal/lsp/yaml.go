package lsp

import "strings"

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
	lost       bool     // the cursor is where no key can be
	entry      bool     // the cursor is at the begin of an entry of a list, which may be a mapping
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

// maxDepth limits brackets in brackets; no key is that deep.
const maxDepth = 8

// read finds the key or the mapping at the end of a text in a line below others.
func (y *yamlText) read(above []string, before string) {
	y.parent, y.lost = parents(above, indent(before))
	rest := strings.TrimLeft(before, " ")
	if strings.HasPrefix(rest, "- ") { // an entry of a list, which may be as far left as its key
		y.parent, y.lost = parents(above, indent(before)+1)
		rest = strings.TrimLeft(rest[2:], " ")
		if !y.colon && !strings.Contains(rest, ":") {
			y.value(strings.TrimSuffix(y.parent, "."))
			y.entry = strings.TrimSpace(rest) == ""
			return
		}
	}
	var stack []yamlText // of brackets that are open
	begin := 0           // of the text since the last sign
	for i := 0; i < len(rest); i++ {
		c, inside := rest[i], strings.TrimSpace(rest[begin:i]) != ""
		switch {
		case len(stack) > maxDepth:
			y.lost = true
			return
		case c == '#' && i > 0 && rest[i-1] == ' ':
			return
		case (c == '"' || c == '\'') && !inside:
			end := strings.IndexByte(rest[i+1:], c)
			if end < 0 {
				return
			}
			i += 1 + end
		case c == ':' && y.key == "":
			y.key = strings.TrimSpace(rest[begin:i])
		case (c == '{' || c == '[') && !inside:
			stack = append(stack, *y)
			if c == '{' && y.key != "" {
				y.parent, y.key = y.parent+y.key+".", ""
			}
		case (c == '}' || c == ']') && len(stack) > 0:
			y.parent, y.key = stack[len(stack)-1].parent, stack[len(stack)-1].key
			stack = stack[:len(stack)-1]
		case c == ',' && len(stack) > 0:
			if stack[len(stack)-1].parent != y.parent { // of a mapping
				y.key = ""
			}
		default:
			continue
		}
		begin = i + 1
	}
}

// value sets the cursor to the value of a key with its full name.
func (y *yamlText) value(key string) {
	dot := strings.LastIndexByte(key, '.') + 1
	y.parent, y.key = key[:dot], key[dot:]
}

// parents returns the mapping that a line with an indentation is in; it is lost if the lines
// above have none there.
func parents(above []string, indentation int) (parent string, lost bool) {
	inEntry := false // of a list
	for i := len(above) - 1; i >= 0 && indentation > 0; i-- {
		line := above[i]
		text := strings.TrimSpace(line)
		if text == "" || text[0] == '#' || indent(line) >= indentation {
			continue
		}
		if text == "-" || strings.HasPrefix(text, "- ") {
			if !inEntry || indent(line) < indentation-1 {
				inEntry, indentation = true, indent(line)+1 // the key of the list may be as far left
			}
			continue
		}
		inEntry = false
		key, rest, ok := strings.Cut(text, ":")
		if rest = strings.TrimSpace(rest); !ok || key == "" || rest != "" && rest[0] != '#' {
			return "", true
		}
		parent, indentation = key+"."+parent, indent(line)
	}
	return parent, indentation > 0
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
