package content

import "github.com/rulecheck/rulecheck/internal/diff"

// Side holds the lines of one side of a change that are not blank.
type Side struct{ New, Moved []diff.Line }

// Sides returns the removed and the added lines of a file.
func (e *Edits) Sides(path string) (removed, added Side) {
	side := func(lines []line) (s Side) {
		for _, l := range lines {
			switch {
			case diff.WithoutSpace(l.Text) == "":
			case l.moved:
				s.Moved = append(s.Moved, l.Line)
			default:
				s.New = append(s.New, l.Line)
			}
		}
		return s
	}
	return side(e.files[path].removed), side(e.files[path].added)
}

// LiteralOf returns the literal of an expression, which must be right.
func LiteralOf(source string) string {
	list, err := compile([]string{source})
	if err != nil {
		panic(err)
	}
	return list[0].literal
}
