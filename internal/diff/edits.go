package diff

import "bytes"

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
