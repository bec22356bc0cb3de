package pattern

import (
	"slices"
	"strings"
)

// Bind returns the pattern with placeholders replaced by the captured text, which
// is literal: a "*" or "{" in it has no meaning. Placeholders that c does not have
// remain, as do those that c has empty where that cannot be.
func (p *Pattern) Bind(c Captures) *Pattern {
	bound := p.bind(c.Plain())
	if p.part != nil {
		bound.part = &part{kind: p.part.kind, source: p.part.source, at: p.part.at, pattern: p.part.pattern.bind(p.part.kind.named(c))}
	}
	if p.outside != "" {
		return bound.Outside(p.outside)
	}
	return bound
}

// bind binds the tokens of a path, or of the one that stands for a part.
func (p *Pattern) bind(c Captures) *Pattern {
	tokens := p.filled(c)
	for i, t := range tokens {
		if text, ok := t.known(c); ok {
			tokens[i] = token{kind: literal, source: escape(text, i == 0), offset: t.offset, text: text}
		} else if i == 0 && strings.HasPrefix(t.source, "!") { // not at the beginning before
			tokens[i].source = `\` + t.source
		}
	}
	return build(sourceOf(tokens), tokens, expand(tokens), p.ofPart)
}

// Escape returns a pattern that matches exactly a path in which no "#" begins a part.
func Escape(path string) string { return escape(path, true) }

// escape returns a pattern that matches exactly text.
func escape(text string, first bool) string {
	var b strings.Builder
	for i := range len(text) {
		if strings.IndexByte(`\*?[]{}`, text[i]) >= 0 || first && i == 0 && text[i] == '!' {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// Path returns the one path that the pattern can match with the captures filled
// in. It is not ok if a wildcard, alternatives or a placeholder that c does not
// have remains, or if the pattern is of parts.
func (p *Pattern) Path(c Captures) (path string, ok bool) {
	if p.part != nil {
		return "", false
	}
	c = c.Plain()
	size := 0
	for _, t := range p.tokens {
		text, known := t.known(c)
		if t.kind != literal && t.kind != slash && !known {
			return "", false
		}
		size += len(t.text) + len(text)
	}
	filled := make([]byte, 0, size)
	for i := 0; i < len(p.tokens); i++ {
		t := p.tokens[i]
		text, known := t.known(c)
		filled = append(append(filled, t.text...), text...)
		if known && text == "" {
			i++ // the "/" after it
		}
	}
	return string(filled), true
}

// Expand returns the pattern with the captures filled in, for display. A
// placeholder that c does not have stays as written. A pattern with wildcards or
// alternatives otherwise stays as written; any other becomes a path without
// escapes.
func (p *Pattern) Expand(c Captures) string {
	path := p.expand(c.Plain())
	if p.part == nil {
		return path
	}
	name := "api"
	if p.part.kind != API {
		name = p.part.kind.nameOf(p.part.pattern.expand(p.part.kind.named(c)))
	}
	return strings.ReplaceAll(path, "#", `\#`) + "#" + name
}

// expand fills the captures into a path, or into the one that stands for a part.
func (p *Pattern) expand(c Captures) string {
	text := only(p.tokens, literal, slash, capture)
	var b strings.Builder
	for _, t := range p.filled(c) {
		captured, ok := t.known(c)
		switch {
		case ok:
			b.WriteString(captured)
		case text && t.kind != capture:
			b.WriteString(t.text)
		default:
			b.WriteString(t.source)
		}
	}
	return b.String()
}

// only reports whether all tokens are of these kinds.
func only(tokens []token, kinds ...kind) bool {
	for _, t := range tokens {
		if !slices.Contains(kinds, t.kind) {
			return false
		}
	}
	return true
}
