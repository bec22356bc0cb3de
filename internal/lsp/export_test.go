package lsp

// At returns the byte of a text at a position.
func At(text string, line, character int) int { return at(text, position{line, character}) }

// Cursor returns where a cursor is in YAML: the mapping, the key whose value is there, and the
// word with its bytes in the line. It is not ok if the cursor is not in the YAML.
func Cursor(text string, frontmatter bool, line, character int) (parent, key, word string, start, end int, ok bool) {
	y := newYAML(text, frontmatter, position{line, character})
	if y == nil {
		return "", "", "", 0, 0, false
	}
	return y.parent, y.key, y.word, y.start, y.end, true
}
