package pattern

import (
	"slices"
	"strings"
)

// SameCaptures checks that all patterns capture the same names, within a segment
// or across segments alike. The *Error is about the first pattern that differs
// from patterns[0].
func SameCaptures(patterns []*Pattern) error {
	for _, p := range patterns {
		if err := BoundBy(p, patterns[0]); err != nil {
			return err
		}
		for _, v := range patterns[0].captured() {
			if slotOf(p.captured(), v.Name) < 0 {
				return newError(p.source, "unbound_variable", 0, "%s does not capture %s, which %s does; want the same captures in both",
					quote(p.source), quote(patterns[0].placeholder(v.Name).source), quote(patterns[0].source))
			}
		}
	}
	return nil
}

// BoundBy checks that by captures every name that p captures, within a segment or
// across segments alike. The *Error is about p.
func BoundBy(p, by *Pattern) error {
	for _, v := range p.captured() {
		t := p.placeholder(v.Name)
		bound := by.captured()
		slot := slotOf(bound, v.Name)
		switch {
		case slot < 0:
			return newError(p.source, "unbound_variable", t.offset, "%s is not captured by %s, which captures %s",
				quote(t.source), quote(by.source), by.placeholders())
		case bound[slot].Multi != v.Multi:
			return newError(p.source, "different_reach", t.offset, "%s captures %s, but %s in %s captures %s; want the same in both",
				quote(t.source), reach(v), quote(by.placeholder(v.Name).source), quote(by.source), reach(bound[slot]))
		}
	}
	return nil
}

// placeholder returns the first placeholder of a captured name.
func (p *Pattern) placeholder(name string) token {
	of := func(t token) bool { return t.kind == capture && t.name == name }
	if i := slices.IndexFunc(p.tokens, of); i >= 0 {
		return p.tokens[i]
	}
	t := p.part.pattern.tokens[slices.IndexFunc(p.part.pattern.tokens, of)]
	t.offset = p.part.offset(t.offset)
	return t
}

// placeholders returns the pattern's captures for a message.
func (p *Pattern) placeholders() string {
	names := p.captured()
	if len(names) == 0 {
		return "nothing"
	}
	list := make([]string, len(names))
	for i, v := range names {
		list[i] = quote(p.placeholder(v.Name).source)
	}
	return strings.Join(list, ", ")
}

// reach returns how far a capture extends, for a message.
func reach(v Variable) string {
	if v.Multi {
		return "across segments"
	}
	return "within one segment"
}
