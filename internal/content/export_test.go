package content

import "github.com/rulecheck/rulecheck/internal/diff"

// Side holds the lines of one side of a change that are not blank.
type Side struct{ New, Moved []diff.Line }

// Sides returns the removed and the added lines of a file.
func (e *Edits) Sides(path string) (removed, added Side) {
	everywhere := func(string) bool { return true }
	side := func(lines []line, moved func(line, Scope) bool) (s Side) {
		for _, l := range lines {
			switch {
			case diff.WithoutSpace(l.Text) == "":
			case moved(l, everywhere):
				s.Moved = append(s.Moved, l.Line)
			default:
				s.New = append(s.New, l.Line)
			}
		}
		return s
	}
	return side(e.files[path].removed, e.movedTo), side(e.files[path].added, e.movedFrom)
}

// LiteralOf returns the literal of an expression, which must be right.
func LiteralOf(source string) string {
	list, err := compile([]string{source})
	if err != nil {
		panic(err)
	}
	return list[0].literal
}
