package diff

import (
	"bytes"
	"strings"
)

// Edit holds the lines that a change removes from and adds to a file.
type Edit struct{ Added, Removed []Line }

// ParseEdits parses a patch as ParseHunks does, by the name at head or, of a deleted file,
// at base.
func ParseEdits(patch []byte) (map[string]Edit, error) {
	edits := map[string]Edit{}
	err := walkPatch(patch, func(before, after string, h hunk, body []byte) error {
		name, err := patchedName(before, after)
		if err != nil {
			return err
		}
		e := edits[name]
		old, now := h.oldStart, h.start
		for line := range bytes.Lines(body) {
			text := withoutEnd(line[1:])
			switch line[0] {
			case '-':
				e.Removed = append(e.Removed, Line{old, text})
				old++
			case '+':
				e.Added = append(e.Added, Line{now, text})
				now++
			}
		}
		edits[name] = e
		return nil
	})
	return edits, err
}

// NumberedLines splits a file's content into its lines.
func NumberedLines(content []byte) []Line {
	var list []Line
	for line := range bytes.Lines(content) {
		list = append(list, Line{len(list) + 1, withoutEnd(line)})
	}
	return list
}

func withoutEnd(line []byte) string {
	return string(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")))
}

// space is the white space that git ignores.
const space = " \t\n\r"

// WithoutSpace returns a line without the white space that git ignores: lines that are equal
// without it differ in white space alone.
func WithoutSpace(line string) string {
	if !strings.ContainsAny(line, space) {
		return line
	}
	text := make([]byte, 0, len(line))
	for i := range len(line) {
		if strings.IndexByte(space, line[i]) < 0 {
			text = append(text, line[i])
		}
	}
	return string(text)
}
